"""Exhibits: a claim of a paper in our words, parameters, an answer with the paper's numbers and ours, and pictures.

An exhibit is a class that derives from `Exhibit`: it states the claim, declares its parameters, and computes in `run`. Its file
is about one topic of one paper, and the file's name begins with the paper's key: ``notes/laplace-cdf`` is in ``notes_noise.py``.
Nothing else names it: `listing` finds it, and it has a place in the gallery, a page, files, scenes, exports and reports.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from typing_extensions import Self

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact, exact_text, excerpt, is_number
from dpdesigner.core.basics.rounding import significant
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel, Why
from dpdesigner.studies.fields import declare, number, whole_number
from dpdesigner.studies.findings import Finding, Findings, Rounding, State, format_finding, with_unit
from dpdesigner.studies.findings import format_finding as words
from dpdesigner.studies.input_kinds import Input
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.number_inputs import EpsilonInput, Tries
from dpdesigner.studies.plot_parts import Bars, Line
from dpdesigner.studies.table_panels import Role, Sentence, Table

T = TypeVar("T")

#: The signs of the shelves: it holds as printed; it needs a correction; the paper asks or defines, and claims nothing.
HOLDS, DIFFERS, ASKS = "✓", "≠", "?"

#: The key of the table that compares the paper's numbers with ours.
NUMBERS = "numbers"
TOWARDS_PRIVATE = message("α, more private to the right")  #: the title of an axis of alpha
NOT_GIVEN = message("not given")  #: replaces a number that the paper does not print
#: The suffix of findings that are the paper's numbers.
PRINTED = "-printed"
_CELL_DIGITS = 6  # of other numbers in the table; the findings have the others
_LONGEST_CELL, _SHORT = 11, 7  # characters of a fraction in the table, and in the header
_NEAR = 1e-9  # relative: a double this close equals the fraction that a paper prints


@dataclass(frozen=True)
class Paper:
    """One paper of the gallery.

    Attributes
    ----------
    key : str
        What the names of its exhibits and of their files begin with: ``"grs"``.
    title, authors : str
        Its subject in plain words; who wrote it, and when.
    short, cited : str
        What it is called, ``"[GRS]"``, and where it can be found.
    first : tuple of str
        The exhibits that stand in front, without the paper's key; the others follow by their names.
    ours : bool
        Whether it is no paper, but a shelf of results of our own.
    """

    key: str
    title: str
    authors: str
    short: str
    cited: str
    first: tuple[str, ...] = ()
    ours: bool = False


#: The shelves of the gallery, from the top.
PAPERS = (
    Paper(
        "grs",
        message("Count queries"),
        message("Ghosh, Roughgarden, Sundararajan, 2009"),
        "[GRS]",
        message("A. Ghosh, T. Roughgarden, M. Sundararajan, “Universally Utility-Maximizing Privacy Mechanisms”, 2009:"),
        ("example-2.2", "figure-1", "figures-2-3", "theorem-6.3"),
    ),
    Paper(
        "cacm",
        message("Foundations"),
        message("Dwork, 2011"),
        "[CACM]",
        message("C. Dwork, “A Firm Foundation for Private Data Analysis”, Communications of the ACM 54(1), 2011:"),
        ("exponential", "k-means", "id3-tree", "histogram"),
    ),
    Paper(
        "geng",
        message("Staircase noise"),
        message("Geng, Viswanath, 2012"),
        "[Geng]",
        message("Q. Geng, P. Viswanath, “The Optimal Mechanism in Differential Privacy”, 2012–2014:"),
        ("density", "gamma-star", "low-privacy", "ages"),
    ),
    Paper(
        "notes",
        message("Lecture notes"),
        message("reconstruction, choice, auctions"),
        "[Notes]",
        message(
            "Lecture notes on differential privacy (reconstruction by linear programming, the exponential mechanism, auctions):"
        ),
        ("laplace-cdf", "utopian-goal", "tightness", "auction-price"),
    ),
    Paper(
        "blr",
        message("Learning theory"),
        message("Blum, Ligett, Roth, 2013"),
        "[BLR]",
        message("A. Blum, K. Ligett, A. Roth, “A Learning Theory Approach to Non-Interactive Database Privacy”, 2008/2013:"),
        ("theorem-4.3", "median", "vc-bound", "mirrored-mod"),
    ),
    Paper(
        "after",
        message("After the five papers"),
        message("later questions on count queries, answered here"),
        "[After]",
        message("None of the five papers states this. Proofs: THEORY.md, section “After the five papers”:"),
        ("fair-worst-case", "triangle", "trees", "histograms", "fair-properties", "property-prices"),
        ours=True,
    ),
)


class Exhibit(DeclaredDesign):
    """An interactive claim of a paper.

    Attributes
    ----------
    exhibit : str
        Its name: the paper's key and its own, ``"notes/laplace-cdf"``.
    heading, place : str
        What it is about, and where in the paper it stands: ``"Theorem 3.1"``, ``"Slide “Main Result”"``.
    claim : str
        What the paper says there, in our words, at most forty, without letters where words do.
    symbols : str
        The same in the paper's symbols, with all conditions, where the claim leaves them out: for "Why?" and reports.
    mark : str
        Whether it holds as printed, needs a correction, or is no claim: one of the three signs.
    holds : bool
        Whether it holds as printed: a claim from which nothing differs.
    verdict : str
        The number that holds, or what differs: a few words.
    differs : str
        Why they differ, in at most four sentences; empty where it holds.
    asks : str
        Where the paper claims nothing: that it asks or defines something, and what follows, in at most four sentences.
    must, must_below : str, bool
        Why it must be so, where that needs no numbers; whether this stands below the picture, too, or under "Why?" alone.
    badge : (str, State)
        What is proved, or is not.
    too_small : Fraction
        How many times too small a printed number is, as a measure of how much is wrong at most; 1 for misprints.
    beside_inputs : tuple of str
        Keys of the panels that stand between the claim and the inputs, in all views. The sentence ``"here"`` says whether the
        claim applies to the parameters; if it is open, it does not.
    pictured_numbers : tuple of str
        Keys of our numbers that the table leaves out: the pictures show them, or they only check these.
    help : str
        The page of the help about it.
    slow, quick_picture : bool
        Whether it may take longer than a few frames; whether its small picture takes no longer, so that it can be drawn at once:
        where it is not slow, unless it says so.
    """

    kind: ClassVar[str] = "exhibit"
    exhibit: ClassVar[str] = ""
    place: ClassVar[str] = ""
    claim: ClassVar[str] = ""
    symbols: ClassVar[str] = ""
    mark: ClassVar[str]
    holds: ClassVar[bool]
    verdict: ClassVar[str] = ""
    differs: ClassVar[str] = ""
    asks: ClassVar[str] = ""
    must: ClassVar[str] = ""
    must_below: ClassVar[bool] = True
    badge: ClassVar[tuple[str, State]] = (message("computed"), "open")
    too_small: ClassVar[Fraction] = Fraction(1)
    beside_inputs: ClassVar[tuple[str, ...]] = ()
    pictured_numbers: ClassVar[tuple[str, ...]] = ()
    help: ClassVar[str] = "papers"
    slow: ClassVar[bool] = False
    quick_picture: ClassVar[bool]
    paper: ClassVar[Paper]  #: named by the first part of `exhibit`

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.paper = next(paper for paper in PAPERS if paper.key == cls.exhibit.partition("/")[0])
        cls.compared_as = cls.exhibit or cls.kind
        cls.mark = ASKS if cls.asks else DIFFERS if cls.differs else HOLDS
        cls.holds = cls.mark == HOLDS
        cls.quick_picture = vars(cls).get("quick_picture", not cls.slow)

    def to_json(self) -> dict[str, Any]:
        """Return the exhibit's name and its parameters as JSON values, with numbers as entered."""
        data = super().to_json()
        return {"kind": data.pop("kind"), "exhibit": self.exhibit, **data}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make the exhibit from JSON values; missing parameters have their defaults.

        Raises
        ------
        InputError
            If a key is unknown, a value cannot be used, or they are of another exhibit.
        """
        given = dict(data)
        if (name := given.pop("exhibit", cls.exhibit)) != cls.exhibit:
            raise InputError(f"the exhibit must be {cls.exhibit}, got {excerpt(name)}.", "exhibit")
        return super().from_json(given)

    def answer(
        self,
        findings: Findings,
        panels: Sequence[Panel],
        sentence: str,
        *,
        printed: Mapping[str, Number] | None = None,
        must: str = "",
        badge: tuple[str, State] | None = None,
        checks: tuple[str, ...] = (),
        formula: bool = False,
    ) -> Answer:
        """Return the answer with the table that compares the paper's numbers with ours.

        Parameters
        ----------
        findings : mapping of Finding
            Our numbers, the headline first; the number of the claim under the key ``"value"``.
        panels : sequence of Panel
            Plots with a handle stand at the right, the others in the middle.
        sentence : str
            The result in plain words.
        printed : mapping
            The paper's numbers by the keys of ours, as it prints them at these parameters; also words. Those left out are not
            given there.
        must, badge
            Why it must be so, and what is proved, where the exhibit cannot say that without numbers.
        checks : tuple of str
            As in `Answer`.
        formula : bool
            Whether the paper prints a formula for `printed`, but not its values here.
        """
        theirs = printed or {}
        rows = tuple(_row(found, theirs.get(key)) for key, found in findings.items() if key not in self.pictured_numbers)
        header: tuple[str, ...] = ("", message("paper’s formula") if formula else message("the paper"), message("here"), "")
        title: str = message("The paper’s numbers and ours")
        if self.paper.ours:
            header, title = ("", "", message("here"), ""), message("The numbers")
            rows = tuple((label, "", ours, "") for label, _, ours, _ in rows)
        table = Table(NUMBERS, title, header, rows, self.differs or self.asks)
        both = dict(findings)
        for key, value in (printed or {}).items():
            label = message("{label}, as printed", label=findings[key].label)
            both[key + PRINTED] = Finding(label, value if isinstance(value, float) else _as_number(str(value)))
        must = must or self.must
        below = (Sentence(must, key="must"),) if must and self.must_below else ()
        claim = message("Claim, {paper} {place}", paper=self.paper.short, place=self.place)
        here = (each.text for each in panels if isinstance(each, Sentence) and each.key == "here")
        texts = (claim, " ".join((self.claim, *here))), (message("Claim, in symbols"), self.symbols), (message("Why"), must)
        stated = tuple(each for each in texts if each[1])
        return Answer(self, both, (*panels, *below, table), sentence, badge or self.badge, checks, self._why(must), stated)

    def _why(self, must: str) -> Why:
        plain = _bare("\n\n".join(filter(None, (self.claim, must, self.differs or self.asks))))
        title, symbols = message("Does it hold?"), _bare(self.symbols)
        return Why(plain, title, symbols, _bare(f"{self.paper.cited} {self.place}."), help=self.help)

    @classmethod
    def headline(cls, findings: Findings) -> str:
        """Return the header's number as a fraction or whole, as the sentence has it, if it is short; otherwise nothing."""
        first = next(iter(findings.values()))
        short = brief(first) if isinstance(first.value, Fraction) else ""
        return short if ("/" in short or short.isdecimal()) and len(short) <= _SHORT else ""

    @classmethod
    def in_short(cls, findings: Findings) -> str:
        """Return the sentence for where it has no room, with its numbers; empty if there is none."""
        return ""

    @property
    def privacy(self) -> PrivacyLevel:
        """The privacy level of an exhibit that has one as an input called epsilon."""
        return PrivacyLevel.from_epsilon(vars(self)["epsilon"])

    @classmethod
    def pictured(cls) -> Panel | None:
        """Return the exhibit's picture in the gallery: the first of its panels at the defaults."""
        return next((panel for panel in cls().run().panels_in({}) if not isinstance(panel, Sentence | Table)), None)


def parameter(kind: Input[T], default: object, label: str, term: str | None = None) -> T:
    """Declare a parameter, named by its symbol unless a term is given; the others as in `asked`."""
    return declare(kind, default=default, label=label, term=kind.symbol if term is None else term)


def how_private(
    default: Number, *, low: Number = "1/100", up_to: int = 10, slide: int = 5, try_: Tries = (), term: str = message("ε")
) -> Number:
    """Declare epsilon as an input, also as ``"ln 2"``; `Exhibit.privacy` is the level.

    Parameters
    ----------
    default : Number
    low, up_to : Number
        The least and the largest that are allowed.
    slide : int
        The end of the slider, which begins at 1/20 or at `low`.
    try_
        As in `number`.
    term : str
        As in `declare`.
    """
    ends = (message("private"), message("accurate"))
    kind = EpsilonInput(low, up_to, scale="log", symbol="ε", slide=(max("1/20", low, key=exact), slide), ends=ends, try_=try_)
    return declare(kind, default=default, label=message("How private"), term=term)


def above(level: PrivacyLevel) -> Fraction:
    """Return the epsilon of a level as a fraction, rounded up if it is irrational; `budget_of` rounds down."""
    return Fraction(level.epsilon_above) if level.exact_epsilon is None else level.exact_epsilon


def how_private_alpha(
    default: Number,
    low: Number,
    high: Number,
    *,
    scale: Literal["linear", "log"] = "linear",
    ends: tuple[str, str] = (message("private"), message("accurate")),
    try_: Tries = (),
) -> Number:
    """Declare alpha = exp(-epsilon) as an input between two bounds, the most private at the left; the others as in `number`."""
    kind = number(low, high, scale=scale, symbol="α", ends=ends, try_=try_, slide=(high, low))
    return declare(kind, default=default, label=message("How private"), term=message("α = exp(−ε)"))


def study_seed(label: str) -> int:
    """Declare the seed of draws that are for study only."""
    return declare(whole_number(1, 999, symbol=message("seed")), default=1, label=label, term=message("for study only"))


def brief(finding: Finding) -> str:
    """Return a finding's value for the table, with up to six digits; a short fraction stays a fraction, but no percentage."""
    if isinstance(finding.value, Fraction) and not finding.share and len(text := exact_text(finding.value)) <= _LONGEST_CELL:
        return with_unit(text, finding.unit)
    return words(replace(finding, digits=min(finding.digits, _CELL_DIGITS)))


def agrees(printed: Number, finding: Finding) -> bool | None:
    """Return whether our value is the number that a paper prints; None if that cannot be decided.

    A text is compared to the digits that are printed, a float, which a printed formula gives, to six.
    """
    value = finding.value
    if isinstance(printed, float):
        number = finding.number
        return None if number is None else math.isclose(number, printed, rel_tol=1e-6, abs_tol=1e-300)
    printed = str(printed)
    if not is_number(printed) or isinstance(value, bool | str | tuple | None):
        return printed == value if isinstance(value, str) else None
    theirs = exact(printed)
    decimals = re.fullmatch(r"\s*-?\d*\.(\d+)\s*", printed)
    slack = Fraction(1, 2 * 10 ** len(decimals[1])) if decimals else Fraction(0)
    if isinstance(value, float):
        slack = max(slack, abs(theirs) * Fraction(1, 10**5)) if significant(value, 5) == printed else slack
        slack += abs(theirs) * Fraction(_NEAR)
        value = Fraction(value) if value == value and abs(value) != float("inf") else Fraction(0) if theirs else Fraction(1)
    return abs(value - theirs) <= slack


def _row(finding: Finding, printed: Number | None) -> tuple[str, str, str, str]:
    mark = "" if printed is None else {True: "=", False: DIFFERS, None: ""}[agrees(printed, finding)]
    return finding.label, NOT_GIVEN if printed is None else _as_text(printed, finding), brief(finding), mark


def _as_text(value: Number, finding: Finding) -> str:
    """Return the table's text for a printed value; the value of a printed formula is rounded as ours is."""
    return brief(replace(finding, value=value)) if isinstance(value, float | Fraction) else str(value)


def _as_number(text: str) -> Fraction | float | str:
    """Return a paper's printed value: a fraction, a decimal, or words."""
    if not is_number(text):
        return text
    return exact(text) if "/" in text or text.lstrip("-").isdigit() else float(exact(text))


def _bare(text: str) -> str:
    """Return a text for a template, with its braces escaped."""
    return message("{text}", text=text.replace("{", "{{").replace("}", "}}")) if text else ""


_LONGEST = 11  # characters of a fraction in a sentence
_DASHED = ("rival", "bound", "aid")


def curve(xs: Iterable[Any], of: Callable[[Any], Any], name: str = "", role: Role = "main", **looks: Any) -> Line:
    """Return the curve of a function over some x values; `looks` are those of `Line`."""
    places = list(xs)
    return points(places, [of(x) for x in places], name, role, **looks)


def points(xs: Iterable[Any], ys: Iterable[Any], name: str = "", role: Role = "main", **looks: Any) -> Line:
    """Return a line through points; `looks` are those of `Line`."""
    looks = {"dashed": role in _DASHED, **looks}
    return Line(np.array([float(x) for x in xs]), np.array([float(y) for y in ys]), name, role, **looks)


def shares(parts: int = 200, low: Fraction = Fraction(0), high: Fraction = Fraction(1)) -> list[Fraction]:
    """Return this many equal steps from `low` to `high`, as fractions."""
    return [low + (high - low) * k / parts for k in range(parts + 1)]


def text(value: Fraction | float | int, digits: int = 4, rounding: Rounding = "nearest") -> str:
    """Return a number for a sentence: a short fraction, or otherwise this many digits, rounded as in a `Finding`."""
    if isinstance(value, Fraction) and len(written := exact_text(value)) <= _LONGEST:
        return written
    if isinstance(value, int):
        return str(value)
    number = format_finding(Finding("", value, digits=digits, rounding=rounding))
    return number.rstrip("0").rstrip(".") if rounding == "down" and "." in number and "e" not in number else number


def grouped_bars(*groups: tuple[Iterable[Any], str, Role]) -> tuple[Bars, ...]:
    """Return rows of bars that stand next to each other: their values, names and roles.

    Where the y axis has no title, short fractions and other numbers of three digits stand at the bars.
    """
    made = []
    for values, name, role in groups:
        held = list(values)
        labels = tuple(text(value, 3) if value else "" for value in held)
        made.append(Bars(np.array([float(value) for value in held]), name, role, labels=labels))
    return tuple(made)


def mechanism(
    key: str,
    title: str,
    chances: Any,
    alpha: Fraction | float,
    texts: Callable[[int, int], str | None] | None = None,
    *,
    axes: tuple[str, str] = (message("true result"), message("released")),
    **looks: Any,
) -> Matrix:
    """Return the picture of a mechanism: rows are true results, columns released ones, with the probabilities in the cells.

    `texts` has the exact probabilities; without it, fractions are written as they are. `looks` are those of `Matrix`.
    """
    held = np.asarray(chances)
    if texts is None and held.dtype == object:
        texts = lambda i, r: exact_text(held[i, r]) if isinstance(held[i, r], Fraction) else None  # noqa: E731
    cells = dense_cells(held.astype(float))
    return Matrix(key, title, cells, *axes, texts=texts, ratio_limit=float(1 / alpha), **{"numbers": True, **looks})


def geometric_places(low: float, high: float, parts: int = 160) -> list[float]:
    """Return values from `low` to `high` in equal ratios."""
    return [float(x) for x in np.geomspace(low, high, parts + 1)]
