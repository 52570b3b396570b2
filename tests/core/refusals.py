"""What a refusal must look like: an `InputError` and nothing else, with one sentence for the user."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from dpdesigner.errors import InputError


@contextmanager
def refused(field: str | None = None, *mentions: str) -> Iterator[None]:
    """Check that the block is refused for this field, in one sentence that mentions what was given."""
    try:
        yield
    except Exception as error:
        assert type(error) is InputError, f"{type(error).__name__} escaped: {error}"
        sentence = str(error)
        assert sentence.endswith(".") and "\n" not in sentence and 10 < len(sentence) < 400, sentence
        assert field is None or error.field == field, f"field {error.field!r}: {sentence}"
        for mention in mentions:
            assert mention in sentence, sentence
    else:
        raise AssertionError("not refused")


def refused_at_once(module: str, call: str, texts: list[str]) -> None:
    """Check in another process, which can be stopped, that a call refuses each text and takes no noticeable time."""
    code = f"""
from {module} import *
from dpdesigner.errors import InputError
for text in {texts!r}:
    try:
        {call}
    except InputError as error:
        continue
    raise SystemExit("not refused: " + text[:60])
"""
    # Generous: what is refused for its size takes milliseconds, what is computed would take hours.
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def nested(depth: int = 5000) -> list[object]:
    """A list in a list in a list, deeper than Python can print."""
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


def short(value: object) -> str:
    """A name for a test case that may be too long, too deep or too large to print."""
    if isinstance(value, int) and abs(value) > 10**20:
        return "huge-int"
    return repr(value)[:25] if isinstance(value, (str, bytes, int, float, complex)) or value is None else type(value).__name__
