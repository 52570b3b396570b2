"""What a page gives as values: its summary, an explanation of its answer, stops of a tour, a portrait, and pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QWidget

from dpdesigner import resources
from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import figure, short_count, significant, small
from dpdesigner.desktop.base.translation import capital, tr, translated
from dpdesigner.desktop.editors.odds import alpha_text, moved, odds, times
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_pictures import PlaneImage
from dpdesigner.studies.answer import AnswerLike
from dpdesigner.studies.findings import Finding, Findings, format_finding
from dpdesigner.studies.matrices import Matrix, Plane
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.spending import RECORD, so_far
from dpdesigner.studies.table_panels import Ranking

if TYPE_CHECKING:
    from jinja2 import Environment

#: What makes databases neighbours: one row is another one, one row is there or not, one row is changed as Delta allows for, or
#: one row is changed so that the state of the data becomes a neighbouring one.
Neighbours = Literal["replace", "add-remove", "change", "state"]


def promise(level: PrivacyLevel, neighbours: Neighbours = "replace") -> str:
    """Return the guarantee of an attained level for one row of the data, as rich text; never more than is true."""
    return f"<p><b>{tr('The guarantee.')}</b> {_sentences(level, neighbours)}</p>"


def _sentences(level: PrivacyLevel, neighbours: Neighbours) -> str:
    bet = tr("a 50 : 50 bet on your row")
    if neighbours == "add-remove":
        bet = tr("a 50 : 50 bet that your row is in the data")
    if level.exact_alpha == 1:
        return tr("The release reveals nothing about anybody: {bet} {moved}.").format(bet=bet, moved=moved(level))
    if math.isinf(level.epsilon):
        return tr("No privacy at all: {bet} {moved}.").format(bet=bet, moved=moved(level))
    text = tr("If your row is independent of the others, {bet} {moved}.").format(bet=bet, moved=moved(level))
    if odds(level).one_in:
        return tr("Very little. {text}").format(text=text)
    if_changed = {
        "replace": tr("If your row were different"),
        "add-remove": tr("If your row were left out"),
        "change": tr("If your row were changed so that the answer moves by at most Δ"),
        "state": tr("If a change of your row moved the data to a neighbouring state"),
    }[neighbours]
    ratio = tr("{changed}, no release would be more than {ratio} times as likely, or as unlikely.")
    return f"{text} {ratio.format(changed=if_changed, ratio=times(level))}"


@dataclass(frozen=True)
class Explanation:
    """The reasons for the page's answer, for the "Why?" panel; every text is simple rich text.

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
        Shown above the formulas, with what stands under it.
    copied : str
        The plain words with a dash in place of what must not leave the window; empty if they have nothing of that kind.
    """

    title: str
    plain: str
    formula: str = ""
    sources: str = ""
    help: str = "start"
    picture: Plot | None = field(default=None, compare=False)  # it changes only when the words do
    copied: str = ""


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


def explained(answer: AnswerLike) -> Explanation | None:
    """Return the explanation of an answer, if it has one.

    A template in ``resources/why`` has the blocks title, plain, formula and sources. It knows ``outcome``, ``promise`` and the
    values of the `Why`; its filters are ``figure``, ``small``, ``significant``, ``grouped``, ``shown``, ``alpha``, ``capital``,
    ``translated``.
    """
    if (why := answer.why) is None:
        return None
    if not why.template:
        hidden = {key: replace(each, value=None) if each.secret else each for key, each in answer.findings.items()}
        plain, copied = (filled(why.plain_text, findings) for findings in (answer.findings, hidden))
        formula, sources = (filled(text, hidden) for text in (why.formula, why.sources))
        return Explanation(translated(why.title), plain, formula, sources, why.help, why.picture(), copied)
    page = _templates().get_template(f"{why.template}.html")
    context = page.new_context({"outcome": answer, **why.values()})
    blocks = ("".join(page.blocks[name](context)) for name in ("title", "plain", "formula", "sources"))
    title, plain, formula, sources = (re.sub(r"[ \n]+", " ", text).strip() for text in blocks)
    return Explanation(title, plain, formula, sources, why.help, why.picture())


def filled(template: str, findings: Findings) -> str:
    """Return a text with findings in words in place of their keys in braces, and its paragraphs as rich text."""
    words = {key: escape(translated(format_finding(finding, "words"))) for key, finding in findings.items()}
    parts = translated(template).format_map(words).split("\n\n")
    return "".join(f"<p>{part}</p>" for part in parts if part).replace("\n", "<br>")


def read_templates() -> None:
    """Read all templates, which takes longer than a frame; `explained` is fast afterwards."""
    for name in _templates().list_templates():
        _templates().get_template(name)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    loader = FileSystemLoader(resources.path("why"))
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(figure=figure, significant=significant, alpha=alpha_text, capital=capital, translated=translated)
    environment.filters.update(small=small, shown=format_finding, grouped=short_count)
    environment.globals["promise"] = lambda *given: Markup(promise(*given))
    return environment


@dataclass(frozen=True, eq=False)
class Portrait:
    """Everything about a design that is compared.

    Parameters
    ----------
    inputs, results : mapping of Finding
        What was asked, and what came out; the first result is the figure of the header. Those of
        two portraits with the same label belong together; they are the same where text and measure are, and have no difference
        where they are measured by different things.
    matrix : ndarray or None
        The mechanism as probabilities, rows = true result; None where there is none, or where it is too large to be seen.
    charts : tuple of Plot
        The most important first; those of two portraits with the same title are laid over each other.
    """

    inputs: Findings
    results: Findings = field(default_factory=dict)
    matrix: Floats | None = None
    charts: tuple[Plot, ...] = ()


def inputs_of(design: Any) -> dict[str, Finding]:
    """Return the inputs that matter for a declared design, under their own names."""
    inputs = {}
    for each in design.inputs():
        if each.matters(design):
            value = each.of(design)
            label = each.input.symbol or translated(each.label)
            text = translated(each.input.text(value))
            inputs[each.key] = Finding(label, text, measure=each.input.identity(value))
    return inputs


def portrait(design: Any, answer: Any) -> Portrait:
    """Return the portrait of a design: its inputs and, if there is an answer, its findings and pictures."""
    inputs = inputs_of(design)
    if answer is None:
        return Portrait(inputs)
    panels = answer.panels_in({})
    charts = tuple(panel.public() for panel in panels if isinstance(panel, Plot) and panel.public().lines)
    matrix = next((panel.cells.dense for panel in panels if isinstance(panel, Matrix)), answer.cells_compared)
    return Portrait(inputs, answer.findings, matrix, charts)


Panel = Plot | Plane | Ranking


class Painted(NamedTuple):
    """A widget that shows a panel, and the part of it that is drawn."""

    root: QWidget
    part: QWidget


def painted(panel: Panel, size: QSize | None = None) -> Painted:
    """Return a widget that shows a panel off the screen.

    Parameters
    ----------
    panel : Plot, Plane or Ranking
        What of it is secret is left out.
    size : QSize, optional
        Of the part that makes the picture.
    """
    if isinstance(panel, Ranking):
        bars = CostBars()
        bars.show_ranking(panel)
        bars.setAccessibleName(capital(translated(panel.title)))
        return Painted(bars, bars)
    if isinstance(panel, Plane):
        image = PlaneImage()
        image.show_plane(panel)
        return Painted(image, image.figure())
    plot = CurvePlot()
    plot.show_plot(panel.public())
    if size is not None:
        plot.figure().resize(size)
    return Painted(plot, plot.figure())


@dataclass(frozen=True)
class Figure:
    """A picture that can be exported: a file name without extension, a title, and the widget to render or the panel to paint.

    Parameters
    ----------
    name, title : str
    shown : QWidget or Panel
    size : QSize, optional
        Of a panel on the screen.
    """

    name: str
    title: str
    shown: QWidget | Panel
    size: QSize | None = None

    @property
    def widget(self) -> QWidget:
        return self.shown if isinstance(self.shown, QWidget) else self._painted.part

    @cached_property
    def _painted(self) -> Painted:
        """A widget that shows the panel alone, made when it is first needed."""
        if isinstance(self.shown, QWidget):
            raise TypeError("a widget is its own picture")
        return painted(self.shown, self.size)


_DIGITS = 5  # of the headline; the cards show the others
_LARGE = 1e9  # below it, the headline has all digits of a whole number, as the cards do


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
        ``"✓ proved optimal"``.
    state : {"proved", "refuted", "open", "stale"}
        Colour of the badge: proved green, refuted red, open (outside a theorem) plain, stale grey.
    facts : tuple of str
        The status bar's left: ``("✓ rows sum to 1 exactly", ...)``.
    note : str
        The status bar's right while nothing runs: ``"linear program: done, 1 204 iterations"``.
    sentence : tuple of str
        The result in plain words, simple rich text, in versions from long to short.
    refused : bool
        Whether an input on the screen is refused, so that all of it is about the inputs before.
    """

    line: str = ""
    value_label: str = ""
    value: str = ""
    badge: str = ""
    state: Literal["proved", "refuted", "open", "stale"] = "stale"
    facts: tuple[str, ...] = ()
    note: str = ""
    sentence: tuple[str, ...] = ()
    refused: bool = False

    @classmethod
    def now(
        cls, design: Any, answer: AnswerLike | None, late: bool, sentences: Callable[[Any], Sequence[str]] | None = None
    ) -> Summary:
        """Return the summary of a design and its newest answer: no result while that is late, no proof of another design.

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
        state = summary.state if answer.design == design else "stale"  # one frame behind during a drag
        words = filter(None, map(translated, sentences(answer) if sentences is not None else ()))
        return replace(summary, state=state, sentence=tuple(words))

    @classmethod
    def of(cls, outcome: AnswerLike, line: str = "") -> Summary:
        """Return the summary of an outcome: its first finding, its proof and its checks.

        Parameters
        ----------
        outcome : AnswerLike
        line : str
            The inputs in one line, where they are newer than the outcome.
        """
        headline = next(iter(outcome.findings.values()))
        badge, state = outcome.badge
        number = headline.number if isinstance(headline.value, int | float | Fraction) else 0
        whole = len(f"{abs(number or 0):.0f}") if number is not None and abs(number) < _LARGE else 0
        return cls(
            translated(line or outcome.line),
            translated(headline.label),
            translated(format_finding(replace(headline, digits=min(headline.digits, max(_DIGITS, whole))))),
            translated(badge),
            state if state in ("proved", "refuted") else "open",
            tuple(map(translated, outcome.checks)),
            translated(outcome.note),
        )


def with_total(summary: Summary, design: Any) -> Summary:
    """Return a summary that also states how often these data were released, and at which total."""
    if not summary.badge or not RECORD.is_kept(design):
        return summary
    return replace(summary, facts=(*summary.facts, translated(so_far(RECORD.of(design)))))
