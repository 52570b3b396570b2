"""Translation of the studies' messages into the user's language."""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication

from dpdesigner.messages import Message


def tr(text: str) -> str:
    """Return a text in the user's language, for code outside the methods of a widget."""
    return QCoreApplication.translate("", text)


def translated(text: str) -> str:
    """Return a text in the user's language; the template of a message is translated, then its values are filled in.

    >>> from dpdesigner.messages import message
    >>> translated(message("error of {method}", method=message("Laplace")))
    'error of Laplace'
    """
    if not isinstance(text, Message):
        return text
    template = tr(text.template) if text.template else ""
    values = {name: translated(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return template.format(**values) if values else template


def capital(text: str) -> str:
    """Return a text with its first letter capitalised, as for the label of a bar; a Greek letter or r* is a symbol and stays.

    >>> capital("expected cost"), capital("ε of the price"), capital("r*")
    ('Expected cost', 'ε of the price', 'r*')
    """
    return text if "α" <= text[:1] <= "ω" or text[1:2] == "*" else text[:1].upper() + text[1:]


def find_word(text: str, word: str) -> int:
    """Return where the first word of a text begins that begins with `word`, in any case; -1 if none does.

    >>> find_word("Its average age", "AGE"), find_word("Its average", "age")
    (12, -1)
    """
    found = re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE)
    return found.start() if found else -1
