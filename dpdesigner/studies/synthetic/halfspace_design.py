"""The design of answers for halfspaces: points of a file or drawn, projections, a net of directions, and epsilon."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from math import atan2, degrees, inf
from typing import Any, ClassVar

import numpy as np
from typing_extensions import Self, override

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.coercion import ArrayValues
from dpdesigner.core.basics.parsing import Number, double, excerpt, is_number, ungrouped
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.synthetic.regions import MOST_COUNTS, drawn_points
from dpdesigner.data.halfspaces import RULE_DIGITS, number_text, rule_terms, rule_text
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Action, DeclaredDesign, Typed, ViewValue
from dpdesigner.studies.data_inputs import (
    DRAWN,
    EXAMPLE_RANGES,
    FILE,
    MANY_NUMBERS,
    MOST_DIMENSION,
    MOST_NUMBERS,
    PointsInput,
    chosen_columns,
    header_names,
    one_per_column,
    table_changed_at,
    table_length,
    table_lines,
    table_path,
    table_points,
)
from dpdesigner.studies.fields import RANGE, Releasing, declare, how_private, number, real_errors, seed, text, whole_number
from dpdesigner.studies.input_kinds import LONGEST_TEXT, ChoiceInput
from dpdesigner.studies.registry import opened
from dpdesigner.studies.synthetic.statements import MANY

_NEW = {"names": "", "ranges": "", "seed": None, "incomplete": "refuse"}  #: for other points
SEED = message("The same seed gives the same noise. A release with a known seed is not private.")
_DRAW = 7  # the seed of the drawn points: another release is of the same rows


@lru_cache(maxsize=4)
def _outline(text: str, changed: int) -> tuple[Sequence[str], int]:
    """Return the cells of the first line of a file, and how many lines there are; none if it cannot be read."""
    try:
        return next(table_lines(text)[1]).cells, table_length(text)
    except (InputError, StopIteration):
        return (), 0


def _turned(now: Any) -> dict[str, ViewValue]:
    at, worst = now.view["angle"], now.answer.worst_angle
    turned = now.view["last"] if at == worst else worst
    return {"angle": turned, "last": at, "many": False, "worst": worst, "edge": False}


class HalfspaceDesign(Releasing, DeclaredDesign):
    """The share of points on one side of any plane through 0, released for all planes at once.

    Parameters
    ----------
    points : "drawn", "file: PATH" or array_like (rows, d)
        Only their directions matter.
    ranges : str
        Of the columns of a file in the order of `names`, ``"18 to 90, 0 to 900"``, known without the data: they become -1 to 1,
        and rules are about their middles. Empty: columns are used as they are.
    rows, dimension, margin, share
        Of drawn points: how many, in how many dimensions, how near to the plane across the first axis, the share beyond it.
    epsilon : Number
        Of all counts together.
    projections, directions, target : int
        m, |U| and T: the number of projections, of directions counted in each, and of dimensions that are kept.
    seed : int or None
        Of the noise, for study; None draws it from the system's entropy. Drawn points do not depend on it.
    names : str
        The columns of a file with a header that are used, in this order, separated by commas; empty: all. Of other points, names
        of the first two columns.
    incomplete : {"refuse", "leave out"}
        What becomes of rows of a file without a number in one of these columns.
    real_errors : {"kept", "published"}
        Whether true shares and errors, computed from the points, go into files; of people's points that is not private.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.HalfspaceDesign("drawn", epsilon=1, rows=2000, seed=1))
    >>> found.released.counts.shape, 0 <= found.answer([1, 0, 0, 0, 0]) <= 1
    ((40, 16), True)
    """

    kind: ClassVar[str] = "halfspace"
    exports_idle = False
    drawn_part: ClassVar[str] = "released"
    beside_views: ClassVar[tuple[str, ...]] = ("margins",)
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {
        "angle": None,  #: degrees
        "last": None,
        "worst": None,
        "edge": False,  #: whether of > and ≥ the rule has the one that is not counted
        "many": False,
    }
    side_jobs = (MANY,)
    typed = Typed(
        message("Rule"),
        lambda answer, view: rule(answer.design, answer.angle_in(view), bool(view.get("edge"))),
        lambda design, text: {**dict(zip(("angle", "edge"), read_rule(design, text), strict=True)), "worst": None},
        lambda design, text: mended(design, text),
    )
    buttons: ClassVar[tuple[Action, ...]] = (
        Action(
            message("Worst rule"),
            _turned,
            message("Turn to the rule with the largest error; files of your own rows leave it out. Press again to turn back"),
            "W",
            offered=lambda now: now.design.kind == "halfspace" and not now.design.asks,
            presented=True,
        ),
    )

    points: Any = declare(
        PointsInput(),
        default=DRAWN,
        required=True,
        label=message("The data"),
        note=message("drawn, or file: and the path of a table with one point per line; only their directions matter"),
        undo=message("Change the points"),
        secret=lambda design: not design.drawn,
        instead="of the owner",
        says=lambda design: message(
            "Counts that others released. Their rows are not here."
            if design.asks
            else "Rules here use the first two of {columns} columns."
            if design.columns > 2
            else "",
            columns=design.columns,
        ),
    )
    rows: int = declare(
        whole_number(10, 1_000_000, symbol="n", slide=(1000, 100_000)),
        default=20_000,
        label=message("Invented rows"),
        when=lambda design: design.drawn,
        undo=message("Change the number of points"),
        folded=lambda design: message("Invented rows: {rows}", rows=group_thousands(design.rows)),
    )
    dimension: int = declare(
        whole_number(2, MOST_DIMENSION, symbol="d", slide=(2, 20)),
        default=5,
        label=message("Columns"),
        when=lambda design: design.drawn,
        undo=message("Change the dimension"),
        joined=True,
    )
    margin: Number = declare(
        number(0, "0.99", symbol="γ"),
        default="0.9",
        label=message("Gap around 0"),
        note=message("The rows are in two groups: none is nearer than this to 0 in the first column"),
        when=lambda design: design.drawn,
        joined=True,
    )
    share: Number = declare(
        number(0, 1),
        default="0.3",
        label=message("Share to its right"),
        when=lambda design: design.drawn,
        undo=message("Change the share"),
        joined=True,
        aside=True,
    )
    epsilon: Number = how_private(lambda design: not design.asks)
    directions: int = declare(
        whole_number(2, 500, slide=(2, 128)),
        default=16,
        label=message("Directions"),
        note=message("In each projection, the points on the positive side are counted for this many directions, with noise."),
        undo=message("Change the directions"),
        when=lambda design: not design.asks,
        folded=lambda design: message("Directions: {directions}", directions=design.directions),
        says=lambda design: message(
            "Each projection counts {directions} directions in {target} dimensions. An answer is the median of {projections}."
            if design.made_projections > 1
            else "Of two opposite directions one is counted. Answers are interpolated. Suggested for n, ε and ranges: {fit}."
            if design.paired
            else "{directions} directions are counted. Answers are interpolated."
            if design.columns == 2
            else "{directions} directions are counted in {target} dimensions. An answer is one count.",
            fit=design._suited["directions"],
            directions=design.directions,
            target=design.target,
            projections=design.projections,
        ),
    )
    projections: int = declare(
        whole_number(1, 200, slide=(1, 100)),
        default=40,
        label=message("Random projections"),
        note=message("The answer for a rule is the median over all projections."),
        undo=message("Change the projections"),
        when=lambda design: design.projected and not design.asks,
        joined=True,
    )
    target: int = declare(
        whole_number(1, 8, symbol="T"),
        default=2,
        label=message("Dimensions"),
        note=message("Each random projection keeps only this many dimensions of the points."),
        undo=message("Change the dimensions"),
        when=lambda design: not design.asks,
        joined=True,
    )
    seed: int | None = declare(
        seed(), default=None, label=message("Seed"), term=message("for study only"), note=SEED, joined=True
    )
    names: str = declare(
        text(),
        default="",
        label=message("Names"),
        note=message("Columns of the file to use; the rules are on the first two. Without a header, names of the first two"),
        undo=message("Name the columns"),
        when=lambda design: not design.asks,
        aside=True,
        joined="points",
    )
    ranges: str = declare(
        text(),
        default="",
        label=message("Ranges"),
        note=message(
            "The least and largest value of each column, in the order of the names, known without the data: {ranges}. They set "
            "the middle and the scale of the rules; values outside still count.",
            ranges=EXAMPLE_RANGES,
        ),
        undo=message("Change the ranges"),
        when=lambda design: isinstance(design.points, str) and not design.drawn and not design.asks,
        aside=True,
        joined="points",
    )
    incomplete: str = declare(
        ChoiceInput(("refuse", message("are refused")), ("leave out", message("are left out"))),
        default="refuse",
        label=message("Rows without a number"),
        note=message("The number of the other rows is public."),
        undo=message("Leave out rows"),
        when=lambda design: design.partial,
        aside=True,
        joined="points",
    )
    real_errors: str = real_errors()

    @property
    @override
    def partial(self) -> bool:
        return self.incomplete == "leave out"

    @override
    def leaving_out(self) -> Self:
        return self.replace(incomplete="leave out")

    @property
    def scales(self) -> Floats | None:
        """The least and the largest value of each column, (d, 2); None: columns are used as they are."""
        if not self.ranges.strip() or self.drawn or not isinstance(self.points, str):
            return None
        made = []
        for part in self.ranges.split(","):
            ends = [*map(ungrouped, match.groups())] if (match := RANGE.fullmatch(part.strip())) else []
            low, high = map(double, ends) if ends and all(map(is_number, ends)) else (0.0, 0.0)
            if not low < high < inf:
                told = "the smaller end of a range comes first" if low > high else "each range must be like 0 to 900"
                right = self.ranges.replace(part.strip(), f"{ends[1]} to {ends[0]}") if low > high else ""
                raise InputError(f"{told}, got {excerpt(part.strip())}.", "ranges", right)
            made.append((low, high))
        return np.array(made)

    @override
    def check(self) -> None:
        _ = self.scales  # which refuses what is no range
        if self.names and not (len(self.named) > 1 and all(self.named)):
            raise InputError(f"there must be names for two columns, got {excerpt(self.names)}.", "names")
        if twice := [name for name in self.named if self.named.count(name) > 1]:
            raise InputError(f"each column must be named once, got {excerpt(twice[0])} twice.", "names")
        if self.projections * self.directions > MOST_COUNTS:
            given = f"{self.projections} times {self.directions}"
            raise InputError(f"there must be at most {group_thousands(MOST_COUNTS)} counts, got {given}.", "directions")
        if self.drawn and self.rows * self.dimension > MOST_NUMBERS:
            given = f"{group_thousands(self.rows)} × {self.dimension}"
            raise InputError(f"there must be at most {MANY_NUMBERS}, got {given}.", "rows", str(MOST_NUMBERS // self.dimension))
        if not isinstance(self.points, str) or self.drawn:
            self._keeps(self.columns)

    def _keeps(self, columns: int) -> None:
        if self.target > columns:
            raise InputError(f"T must be at most {columns}, the number of columns, got {self.target}.", "target", str(columns))

    @override
    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed; other points have the names in the first line of their file, and no seed.

        Ranges stay with their columns, and the name of invented points does not stay with a file. Directions suit other points,
        and then follow the columns, the rows and epsilon until they are changed themselves.
        """
        if asked_file(changes.get("points")) and changes["points"] != self.points:
            asked: Any = opened(table_path(changes["points"]))
            return asked.replace(name=changes.get("name", "")) if asked else self._replaced(**changes)
        if self.asks and "points" in changes:  # nothing of others stays
            return self.starting().replace(**changes)
        suited = self._suited
        if suited.keys() & changes.keys() or not ("points" in changes or vars(self).items() >= suited.items()):
            return self._replaced(**changes)
        made = super().replace(target=2)._replaced(**changes)  # fewer columns may keep fewer dimensions
        return super(HalfspaceDesign, made).replace(**made._suited)

    @property
    def _suited(self) -> Mapping[str, int]:
        """The dimensions, directions and projections that suit the columns, their ranges, the rows and epsilon: all public.

        More directions are nearer to a rule and add noise. Mean and largest error (points) of 400 rules, ε = 1, 3 kinds of data:
        columns rows    8        16       32       64       128       256       500
        2       1000    1.6 4.1  0.9 3.0  1.4 5.6  2.6 12.7  5.0 27.5 9.6 49.1 17.8 65.2
        2       10 000  1.3 3.3  0.4 1.1  0.2 0.7  0.3 1.3   0.5 2.8  1.0 5.9  2.0 11.7
        2       100 000 1.3 3.3  0.3 1.2  0.1 0.3  0.0 0.2   0.1 0.3  0.1 0.6  0.2 1.2
        3       1000             7.2 29.3 6.6 28.5 7.7 36.9 11.8 58.5 20.7 74.9 30.0 78.9
        3       10 000           6.9 27.9 5.3 24.5 3.6 17.7 2.9 15.6  3.2 18.3  5.2 30.6
        3       100 000          6.9 27.9 5.2 24.6 3.5 17.9 2.5 15.2  1.8 12.9  1.4 9.5

        With ranges around 0, rows are often in one quadrant, and half of all counts are of no or all rows. Twice as many: at 1000
        rows 2.0 15.6 (12), 1.0 7.0 (24), 1.5 7.8 (48); at 10 000 rows 0.5 5.3 (32), 0.3 2.1 (64), 0.4 2.3 (128).
        """
        if not 1 < self.columns <= 3:
            return {"target": 2, "directions": 16, "projections": 40}
        many = self._outline[1] * self.privacy.epsilon
        around_0 = self.scales is not None and self.around_0
        many = 4 * round((1 + around_0) * many**0.4 / 5) if self.columns == 2 else many ** (2 / 3) / 3
        return {"target": self.columns, "directions": int(np.clip(many, 8, 500)), "projections": 40}

    def _replaced(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, and with the names and ranges of the points."""
        made = super().replace(**{**_NEW, **changes} if "points" in changes else changes)
        if changes.keys() == {"ranges"} and made.header and made.scales is not None:
            one_per_column(made.columns, made.scales, made.named or made.header)  # at once: the last valid ones stay
        if self.drawn and not made.drawn and not changes.get("name"):
            made = super(HalfspaceDesign, made).replace(name="")  # that of the invented rows
        if "points" in changes and self._has_columns_of(made):
            kept = {"names": self.names, "ranges": self.ranges, **changes}
            made = super(HalfspaceDesign, made).replace(names=kept["names"], ranges=kept["ranges"])
        if not {"points", "names"} & changes.keys() or not (header := made.header):
            return made
        if not made.names and 1 < len(header) and len(found := ", ".join(header)) <= LONGEST_TEXT:
            made = super(HalfspaceDesign, made).replace(names=found)
        chosen_columns(made.named, header)
        ranges, named = self.ranges.split(","), self.named or header
        if "ranges" in changes or made.points != self.points or len(ranges) != len(named):
            return made
        kept = dict(zip(named, map(str.strip, ranges), strict=True))
        ordered = ", ".join(kept[name] for name in made.named or header if name in kept)
        return super(HalfspaceDesign, made).replace(ranges=ordered)

    def _has_columns_of(self, made: Self) -> bool:
        """Return whether another design reads the same file again, or one with the same columns."""
        if self.drawn or not isinstance(self.points, str) or not isinstance(made.points, str):
            return False
        same = made.points == self.points or (bool(self.header) and made.header == self.header)
        return same and (not made.header or set(self.named) <= set(made.header))

    @property
    def header(self) -> tuple[str, ...]:
        """The names in the first line of a file; none of other points."""
        return header_names(self._outline[0])

    @property
    def _outline(self) -> tuple[Sequence[str], int]:
        """The cells in the first line of a file, and the number of rows; of a file about."""
        if self.drawn or not isinstance(self.points, str):
            return (), self.rows if self.drawn else len(self.points)
        if self.asks:
            return self.named, 0
        return _outline(self.points, table_changed_at(self.points))

    @property
    def columns(self) -> int:
        """The number of columns that are used; 0 if the file cannot be read."""
        if not isinstance(self.points, str):
            return int(self.points.doubles.shape[1])
        return self.dimension if self.drawn else len((self.named if self.header else ()) or self._outline[0])

    @property
    def shown_ranges(self) -> Floats:
        """The ranges of the first two columns."""
        return np.array([[-1.0, 1.0]] * 2) if self.scales is None else self.scales[:2]

    @property
    def rules(self) -> str:
        """The rules that are answered: the edge of each goes through the middle of all columns, which is named for two."""
        text = "rule whose line goes through {through}" + " ({at})" * (self.columns == 2 and not self.around_0)
        return message(text + " of the ranges" * (self.columns > 2 and not self.around_0), through=self.through, at=self.middle)

    @property
    def rules_in_brief(self) -> str:
        """The rules without the numbers of the middle, which the axes show."""
        return message("rule whose line goes through " + ("0" if self.around_0 else "the middle of the ranges"))

    @property
    def through(self) -> str:
        """The place through which the edge of every rule goes."""
        return "0" if self.around_0 else message("the middle")

    @property
    def around_0(self) -> bool:
        """True if the middle of every column is 0."""
        return self.scales is None or not self.scales.mean(axis=1).any()

    @property
    def middle(self) -> str:
        """The middle of the ranges of the first two columns."""
        middle = zip(self.column_names, self.shown_ranges.mean(axis=1), strict=True)
        return ", ".join(f"{name} {number_text(value, RULE_DIGITS)}" for name, value in middle)

    @property
    def ranges_around_0(self) -> str:
        """The ranges for rules through 0; empty if they are in force, and without ranges of two columns."""
        if self.columns != 2 or self.around_0 or self.scales is None:
            return ""
        return ", ".join(f"−{most} to {most}" for most in map("{:.15g}".format, abs(self.scales).max(axis=1)))

    @property
    def made_projections(self) -> int:
        """The number of projections that are made: one, of all columns as they are, where they are no more than T."""
        return self.projections if self.projected else 1

    @property
    def projected(self) -> bool:
        """True if columns are projected: not if there are no more of them than T."""
        return not 0 < self.columns <= self.target

    @property
    def paired(self) -> bool:
        """True if only one of two opposite directions is counted."""
        return self.columns == 2 and self.target == 2 and self.directions % 2 == 0

    def counts_in_words(self, counts: str) -> str:
        """The number of counts, which are named."""
        many = group_thousands(self.made_projections * self.directions // (1 + self.paired))
        return message("{many} {counts}", many=many, counts=message(counts))

    def closed(self, angle: float) -> bool:
        """Return whether rows on the edge meet the rule across an angle: of two opposite rules, those of the second half."""
        return self.paired and angle % 360 >= 180

    @property
    def named(self) -> tuple[str, ...]:
        """The names that are given."""
        return tuple(name.strip() for name in self.names.split(",")) if self.names else ()

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the first two columns."""
        return (self.named or self.header)[:2] or (message("first axis"), message("second axis"))

    @property
    @override
    def data_key(self) -> Hashable:
        return super().data_key, *((self.rows, self.dimension, self.margin, self.share) if self.drawn else ())

    @property
    @override
    def noise_key(self) -> Hashable:
        return super().noise_key, self.names if self.header else ""

    @property
    def line(self) -> str:
        """The inputs in one line."""
        epsilon = message("ε = {epsilon}", epsilon=self.epsilon)
        if not self.drawn:
            points, counts = self.input_named("points").summary(self), self.counts_in_words("noisy counts")
            return message("{points} · {epsilon} · {counts}", points=points, epsilon=epsilon, counts=counts)
        points = message("{rows} invented rows, {dimension} columns", rows=group_thousands(self.rows), dimension=self.dimension)
        return message("{points} · {epsilon}", points=points, epsilon=epsilon)

    @property
    @override
    def asks(self) -> bool:
        return asked_file(self.points)

    @property
    def drawn(self) -> bool:
        """Whether the points are drawn."""
        return bool(isinstance(self.points, str) and self.points == DRAWN)

    @override
    def read_data(self) -> None:
        self.placed()

    def where(self) -> Floats:
        """Return the points, (rows, d), of unit length, as they are counted; drawn ones are the same in every release."""
        return self.placed()[0]

    def placed(self) -> tuple[Floats, Floats]:
        """Return the points as `where`, and with their ranges from -1 to 1."""
        if self.drawn:
            points = drawn_points(self.rows, self.dimension, double(self.margin), double(self.share), _DRAW)
            return points, points
        if isinstance(self.points, ArrayValues):
            return self.points.doubles, self.points.doubles
        made = table_points(self.points, self.scales, self.named, self.partial)
        self._keeps(made[0].shape[1])
        return made


def asked_file(points: object) -> bool:
    """Return whether points are the name of a file that can only be a released structure."""
    return isinstance(points, str) and points.startswith(FILE) and points.lower().endswith(".json")


def rule(design: HalfspaceDesign, angle: float, other: bool = False) -> str:
    """Return the rule of the points on the positive side of the plane across an angle, or its `other` one of > and ≥."""
    return rule_text(angle, design.shown_ranges, design.column_names, design.closed(angle) ^ other)


_EXAMPLE = 135.0  # degrees


def counted_as(design: HalfspaceDesign, angle: float, other: bool) -> str:
    """Return which rule is counted in place of one that differs in the rows on its line; empty if it is itself."""
    if not other:
        return ""
    told = rule(design, angle)
    where = message("on the line") if "×" in told else message("with exactly {level}", level=re.split("[<>≤≥] ", told)[1])
    text = "Counted as {rule}: rows {where} are " + "not " * (not design.closed(angle)) + "included."
    return message(text, rule=told, where=where)


def read_rule(design: HalfspaceDesign, text: str) -> tuple[float, bool]:
    """Return the direction (degrees) of a rule in words, and whether it has the other one of > and ≥, as `rule` takes them."""
    names, ranges = design.column_names, design.shown_ranges
    terms, sign = rule_terms(text, names, rule(design, _EXAMPLE))
    width, middle = terms[:2] * np.ptp(ranges, axis=1), ranges.mean(axis=1)
    angle = degrees(atan2(width[1], width[0])) % 360
    rounded = abs(terms[2]) + abs(terms[:2] * middle)[abs(terms[:2]) != 1].sum()
    if abs(terms[2] + terms[:2] @ middle) > 0.6 * 10.0 ** (1 - RULE_DIGITS) * rounded:
        only = "the owner released only rules through" if design.asks else "every rule goes through"
        raise InputError(f"{only} the middle of the ranges ({design.middle}).", "rule", rule(design, angle))
    near = round(angle / (step := 360 / design.directions)) * step % 360  # a counted one that is printed in the same way
    angle = near if design.columns == 2 and rule(design, near) == rule(design, angle) else angle
    return angle, (sign in "≥≤") != design.closed(angle)


def mended(design: HalfspaceDesign, text: str) -> tuple[str, HalfspaceDesign] | None:
    """Return the name and the design of ranges with which a rule that is refused is answered; None without them."""
    if design.asks or design.drawn or design.scales is None:
        return None
    (one, two, level), _ = rule_terms(text, names := design.column_names, "")
    if not level and design.ranges_around_0:
        return message("Rules through 0"), design.replace(ranges=design.ranges_around_0)
    place, ends = int(not one), design.scales.tolist()
    if bool(one) == bool(two) or (most := -2 * level / (one or two) - ends[place][0]) <= ends[place][0]:
        return None
    ends[place][1] = most
    told = message(
        "Set {name} to {low} to {high}", name=names[place], low=number_text(ends[place][0], 15), high=number_text(most, 15)
    )
    return told, design.replace(ranges=", ".join(" to ".join(map("{:.15g}".format, each)) for each in ends))
