"""What a page explains: why its answer is what it is, and in a tour what there is to do.

An explanation is a template in ``resources/why``, whose sentences stand under the conditions under which they hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from dpdesigner import resources
from dpdesigner.core.numbers.rounding import figure, significant, small
from dpdesigner.desktop.pages.kit.privacy_sentence import promise
from dpdesigner.desktop.theme.translation import capital, translated
from dpdesigner.desktop.widgets.privacy.odds import alpha_text
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.panels import Plot

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Explanation:
    """Why the page's answer is what it is, for the "Why?" panel; every text is simple rich text.

    Parameters
    ----------
    title : str
        The question it answers: ``"Why is this the best?"``.
    plain : str
        In plain words, without a formula.
    formula : str
        The formulas behind it, shown one click away.
    sources : str
        The papers, and what was corrected in them.
    help : str
        The help page to read on.
    picture : Plot or None
        Shown above the plain words, with what stands under it.
    """

    title: str
    plain: str
    formula: str = ""
    sources: str = ""
    help: str = "start"
    picture: Plot | None = field(default=None, compare=False)  # what it shows changes only with the words


@dataclass(frozen=True)
class Stop:
    """One stop of the tour.

    Parameters
    ----------
    widget : QWidget
        The control that the bubble points to.
    title, text : str
        What to say about it.
    done : signal or None
        What the control emits once the user has done what the text says; the tour goes on then by itself.
    """

    widget: QWidget
    title: str
    text: str
    done: Any = None


def explained(template: str, help_page: str, outcome: Any, *words: Callable[..., str], **known: Any) -> Explanation:
    """Return the explanation of an outcome.

    Parameters
    ----------
    template : str
        Its name in ``resources/why``, where it has the blocks title, plain, formula and sources. In it ``outcome`` is known,
        ``promise`` and, as filters, ``figure``, ``small``, ``significant``, ``grouped``, ``shown``, ``alpha``, ``capital`` and
        ``translated``.
    help_page : str
    outcome : object
    *words : callable
        What else it calls, by their names.
    **known
        What else it asks for.
    """
    page = _templates().get_template(f"{template}.html")
    context = page.new_context({"outcome": outcome, **known, **{call.__name__: call for call in words}})
    blocks = ("".join(page.blocks[name](context)) for name in ("title", "plain", "formula", "sources"))
    title, plain, formula, sources = (re.sub(r"[ \n]+", " ", text).strip() for text in blocks)
    return Explanation(title, plain, formula, sources, help_page)


def read_templates() -> None:
    """Read all templates, which takes longer than a frame; then `explained` is quick."""
    for name in _templates().list_templates():
        _templates().get_template(name)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    loader = FileSystemLoader(resources.path("why"))
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(figure=figure, significant=significant, alpha=alpha_text, capital=capital, translated=translated)
    environment.filters.update(small=small, shown=format_finding, grouped=lambda number: f"{number:,}".replace(",", " "))
    environment.globals["promise"] = lambda *given: Markup(promise(*given))
    return environment
