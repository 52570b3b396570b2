"""What the header and the status bar say of an outcome: its headline, its proof and what was checked, all from its findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.theme.translation import translated
from dpdesigner.studies.answer import AnswerLike
from dpdesigner.studies.findings import format_finding

_DIGITS = 5  # of the headline: all others are in the cards


@dataclass(frozen=True)
class Summary:
    """The texts of the header and the status bar for a page; empty ones are left out.

    Parameters
    ----------
    line : str
        The one line beside the name: ``"n = 20 · absolute loss · drawn prior · ε = 0.693 (α = 1/2)"``.
    value_label, value : str
        The figure: ``"expected loss"`` and ``"1.1689"``.
    badge : str
        ``"✓ proved optimal · gap 0"``.
    state : {"proved", "refuted", "open", "stale"}
        Colour of the badge: proved green, refuted red, open (outside a theorem, gap not 0) plain, stale grey.
    facts : tuple of str
        The status bar's left: ``("✓ rows sum to 1 exactly", ...)``.
    note : str
        The status bar's right while nothing runs: ``"linear program: done, 1 204 iterations"``.
    rest : str
        What of the line does not stand in the page's own fields in the header.
    sentence : tuple of str
        The result in plain words, simple rich text, in versions from long to short.
    """

    line: str = ""
    value_label: str = ""
    value: str = ""
    badge: str = ""
    state: Literal["proved", "refuted", "open", "stale"] = "stale"
    facts: tuple[str, ...] = ()
    note: str = ""
    rest: str = ""
    sentence: tuple[str, ...] = ()

    @classmethod
    def now(
        cls, design: Any, answer: AnswerLike | None, late: bool, sentences: Callable[[Any], Sequence[str]] | None = None
    ) -> Summary:
        """Return what is said of a design and of the newest answer: no result while that is late, none proved of another design.

        Parameters
        ----------
        design : Study or None
        answer : AnswerLike or None
        late : bool
            Whether the answer is out of date and long in coming.
        sentences : callable, optional
            Gives an answer in plain words, in versions from long to short.
        """
        if design is None:
            return cls()
        line = translated(design.line)
        if late or answer is None:
            return cls(line, badge=QCoreApplication.translate("Page", "computing…") if late else "")
        summary = cls.of(answer, line)
        state = summary.state if answer.design == design else "stale"  # a frame behind in a drag
        words = filter(None, map(translated, sentences(answer) if sentences is not None else ()))
        return replace(summary, state=state, sentence=tuple(words))

    @classmethod
    def of(cls, outcome: AnswerLike, line: str = "") -> Summary:
        """Return what is said of an outcome: its first finding, its proof and what was checked.

        Parameters
        ----------
        outcome : AnswerLike
        line : str
            The inputs in one line, where they are newer than the outcome.
        """
        headline = next(iter(outcome.findings.values()))
        badge, state = outcome.badge
        return cls(
            translated(line or outcome.line),
            translated(headline.label),
            translated(format_finding(replace(headline, digits=min(headline.digits, _DIGITS)))),
            translated(badge),
            state if state in ("proved", "refuted") else "open",
            tuple(map(translated, outcome.checks)),
            translated(outcome.note),
        )
