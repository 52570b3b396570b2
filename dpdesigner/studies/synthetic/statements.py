"""Facts and sentences on a synthetic column: error bounds for everybody, measured errors for its owner only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, inf
from typing import Any, cast

from dpdesigner.arrays import Integers
from dpdesigner.core.basics.parsing import Number, double, exact, nearest
from dpdesigner.core.basics.rounding import at_most, figure, group_thousands, significant
from dpdesigner.core.synthetic.bisection import Failures, least_rows, plan_of
from dpdesigner.core.synthetic.cells import Worst, running_total, worst_of
from dpdesigner.core.synthetic.error_bounds import ErrorBound, RowsNeeded, draws_for, rows_needed
from dpdesigner.core.synthetic.method_comparison import Column, EpsilonCurve
from dpdesigner.core.synthetic.methods import MadeColumn
from dpdesigner.messages import Message, message, without_markup
from dpdesigner.studies.answer import Given
from dpdesigner.studies.fields import ADD_UP, BADGE, KEPT_RELEASES, PUBLISHED, WARNING, Releasing, draws_release, percent_sure
from dpdesigner.studies.snapshot import Action, SideJob
from dpdesigner.studies.synthetic.design import WAYS, IntervalDesign
from dpdesigner.studies.table_panels import Rank, Ranking, Role

#: The worst errors of many more releases, computed by the answer.
MANY = SideJob(
    "many",
    lambda answer, progress: answer.many(progress),
    lambda now: bool(now.view.get("many")),
    title=message("releases"),
    into="more",
)
#: Shows them, or this release alone.
TIMES_100 = Action(
    message("× 100"),
    lambda now: {"many": not now.view["many"]},
    message("Simulate the errors of a hundred more releases, shown only here: nothing is released, no ε is spent"),
    chosen=lambda now: bool(now.view["many"]),
    offered=lambda now: "many" in now.view and now.view["view"] in ("", "rows", "candidates") and draws_release(now.design),
    presented=True,
)


@dataclass(frozen=True, eq=False, repr=False)
class ColumnResult:
    """A synthetic column and what is known about it.

    Attributes
    ----------
    design : IntervalDesign
    synthetic : MadeColumn
    real : ndarray of int
        The counts of the real column: for its owner, as all that is computed from them.
    bounds : mapping
        What each way promises at this epsilon; None where nothing is known.
    typical : mapping
        The worst interval's error of each way, in rows, the median of some releases; empty until it is computed.
    epsilon_curve : EpsilonCurve or None
    failing : tuple of Failures
        Of bisection on flat columns, as far as they are measured.
    paths : ndarray or None
        (releases, size + 1): errors of the running total of more releases.
    moved : tuple of int
        The numbers of rows that were left out and that were clamped; for the owner.
    """

    design: IntervalDesign
    synthetic: MadeColumn
    real: Integers
    bounds: Mapping[str, ErrorBound | None]
    typical: Mapping[str, float] = field(default_factory=dict)
    epsilon_curve: EpsilonCurve | None = None
    failing: tuple[Failures, ...] = ()
    paths: Integers | None = None
    moved: tuple[int, int] = (0, 0)
    totals: tuple[Integers, ...] = ()  # of the real column, of the synthetic column, and the errors of the latter

    def __post_init__(self) -> None:
        if not self.totals:  # once: there can be a million
            real, made = running_total(self.real), running_total(self.synthetic.counts)
            object.__setattr__(self, "totals", (real, made, made - real))

    @property
    def total(self) -> int:
        """The number of synthetic rows."""
        return self.synthetic.total

    @cached_property
    def rows(self) -> int:
        """The number of rows of the real column."""
        return int(self.totals[0][-1])

    @property
    def column(self) -> Column:
        """The real column, for results computed from it in addition to the answer."""
        design = self.design
        return Column(self.real, design.budget, design.accuracy, double(design.delta))

    @cached_property
    def worst(self) -> Worst:
        """The interval with the largest error."""
        return worst_of(self.totals[2])

    @property
    def bound(self) -> ErrorBound | None:
        """The error bound of the chosen method."""
        return self.bounds[self.design.method]

    @property
    def bound_rows(self) -> int | None:
        """The error bound of any interval in rows; None if there is none."""
        return None if self.bound is None else self.bound.rows

    @property
    def tied(self) -> int | None:
        """The most rows per cell for which the bound holds; None if it holds for every column."""
        return None if self.bound is None else self.bound.tied

    @cached_property
    def needed(self) -> int:
        """The least number of rows at which bisection has an error bound."""
        design = self.design
        plan = plan_of(design.bits, max(self.total, 1), design.budget.column, design.accuracy)
        return least_rows(plan, design.accuracy, double(design.delta))

    @property
    def beyond(self) -> bool:
        """Whether the worst interval of this release exceeds the bound; for the owner."""
        rows = self.bound_rows
        return rows is not None and rows < self.total and abs(self.worst.error) > rows

    @property
    def provisional(self) -> bool:
        """Whether the bound comes from only a few draws so far: it holds, but more draws can lower it a little."""
        return self.bound is not None and 0 < self.bound.draws < draws_for(1 << self.design.bits)

    @property
    def rows_for_aim(self) -> int:
        """The number of rows needed for the target error at this epsilon; 0 if it is not known."""
        rows = self.bound_rows or 0
        return ceil(rows / self.design.accuracy) if rows < self.total else 0

    @property
    def recommended(self) -> str | None:
        """The method with the smallest error bound; None if none has one."""
        rows = self.promising
        return min(rows, key=lambda method: (rows[method], method), default=None)

    @property
    def promising(self) -> dict[str, int]:
        """The error bounds in rows, by method, that hold for every column and are below the number of rows."""
        unconditional = {method: promise for method, promise in self.bounds.items() if promise is not None and not promise.tied}
        rows = {method: promise.rows for method, promise in unconditional.items()}
        return {method: most for method, most in rows.items() if most is not None and most < self.total}

    @cached_property
    def sizes(self) -> RowsNeeded:
        """The number of rows that bisection needs, as printed and as corrected."""
        design = self.design
        return rows_needed(design.bits, design.privacy.epsilon, double(design.error), double(design.delta))


HOW = {
    "laplace": message(
        "Each cell is counted with whole-number noise, and the running total is made monotone. Rows of one cell stay "
        "together: ties cost no privacy."
    ),
    "hierarchy": message(
        "Coarse blocks and their cells are counted with whole-number noise, made consistent by least squares, and made "
        "monotone. The shape of the hierarchy is the one with the smallest error bound."
    ),
    "mwem": message(
        "Ten times, an interval with a large error is chosen and counted with noise, and its cells are moved towards "
        "that count (multiplicative weights)."
    ),
    "quantiles": message(
        "The exponential mechanism cuts the axis at the median of its rows, then each part again, five levels deep."
    ),
    "blr": message(
        "Noisy bisection cuts the axis into cells of about α/6 of the rows each (Algorithm 2, corrected). Rows that "
        "share a cell cannot be separated, so ties cost accuracy, never privacy."
    ),
}

_COUNTED = message("all noisy counts, databases and neighbours enumerated; the synthetic column reveals nothing more")
ENUMERATED = {
    "laplace": _COUNTED,
    "hierarchy": _COUNTED,
    "mwem": message("at most: all databases, neighbours and states of the weights enumerated, round by round"),
    "quantiles": message("all cuts, databases and neighbours enumerated; the synthetic column reveals nothing more"),
    "blr": message("all outputs, databases and neighbours enumerated"),
}


def intervals(design: IntervalDesign) -> int:
    """Return the number of intervals of cells."""
    size = 1 << design.bits
    return size * (size + 1) // 2


def sureness(delta: Number) -> Message:
    """Return the frequency with which a bound holds: ``in at least 19 releases of 20``."""
    times = 1 / exact(delta)
    if times.denominator == 1 and times <= 1000:
        return message("in at least {kept} releases of {all}", kept=times - 1, all=times)
    return message("in at least {share}% of releases", share=f"{percent_sure(delta):f}")


def sentence(facts: ColumnResult) -> Message:
    """Return the result in a sentence; of the real column it contains only what was released."""
    design, promise = facts.design, facts.bound
    if promise is None or promise.rows is None:
        return _without(facts)
    if promise.tied:
        return message(
            "At ε = {epsilon}, if no cell contains more than {tied} rows, all {count} ranges are within {rows} of "
            "{total} rows ({share}%) of {truth} {often}.",
            epsilon=design.epsilon,
            truth=_aim(design),
            tied=group_thousands(promise.tied),
            count=group_thousands(intervals(design)),
            rows=group_thousands(promise.rows),
            total=group_thousands(facts.total),
            share=percent(promise.rows, facts.total),
            often=sureness(design.delta),
        )
    promised = message(
        "At ε = {epsilon}, all {count} ranges are within {rows} of {total} rows ({share}%) of {truth} {often}.",
        epsilon=design.epsilon,
        truth=_aim(design),
        count=group_thousands(intervals(design)),
        rows=group_thousands(promise.rows),
        total=group_thousands(facts.total),
        share=percent(promise.rows, facts.total),
        often=sureness(design.delta),
    )
    if 2 * promise.rows >= facts.total:
        promised = too_few(design, message("a range"), promise.rows, facts.total)
    return message("{promise} This is a first estimate; more draws follow.", promise=promised) if facts.provisional else promised


def _aim(design: IntervalDesign) -> Message:
    """Return the column that the bound is about, in words."""
    return message("the clamped column") if design.outside == "clamp" else message("the truth")


def moved(facts: ColumnResult) -> Message:
    """Return the numbers of rows that were left out or clamped, and which of them are for the owner."""
    design, (left, clamped) = facts.design, map(group_thousands, facts.moved)
    known = design.column.partial and design.neighbours == "replace"
    out = "1 row without a number is left out." if facts.moved[0] == 1 else "{left} rows without a number are left out."
    public = message(out + " The number left, {rows}, is public." if known else "", left=left, rows=group_thousands(facts.rows))
    told = [message("{left} rows left out", left=left)] * (design.column.partial and not known)
    told += [message("{clamped} rows clamped", clamped=clamped)] * (design.outside == "clamp")
    kept = message("Do not publish: {rows}." if told else "", rows=", ".join(told))
    return message("{public} {kept}", public=public, kept=kept) if public and kept else public or kept


def too_few(design: Any, what: Message, rows: int, total: int) -> Message:
    """Return that the rows are too few for this epsilon: the error bound is half of them or more."""
    if rows >= total:
        few = "Too few rows for ε = {epsilon}: the noise may exceed all {total} rows. Choose a larger ε or fewer cells."
        return message(few, epsilon=design.epsilon, total=group_thousands(total))
    return message(
        "Too few rows for ε = {epsilon}: {what} may be wrong by {rows} of {total} rows, and by no more {often}.",
        epsilon=design.epsilon,
        what=what,
        rows=group_thousands(rows),
        total=group_thousands(total),
        often=sureness(design.delta),
    )


_CLAMPED = "Within {rows} rows ({share}%) of the clamped column {often}."


def in_brief(facts: ColumnResult) -> Message:
    """Return the result in fewer words."""
    promise, delta = facts.bound, facts.design.delta
    if promise is None or promise.rows is None or promise.rows >= facts.total:
        return message("No error bound at ε = {epsilon}.", epsilon=facts.design.epsilon)
    rows, share = group_thousands(promise.rows), percent(promise.rows, facts.total)
    if 2 * promise.rows >= facts.total:
        return message("Too few rows for ε = {epsilon}: errors up to {rows}.", epsilon=facts.design.epsilon, rows=rows)
    text = "Within {rows} rows ({share}%) {often}." if facts.design.outside != "clamp" else _CLAMPED
    return message(text, rows=rows, share=share, often=sureness(delta))


def _without(facts: ColumnResult) -> Message:
    nothing, way = no_bound(facts).capitalize(), facts.recommended
    if way is None:
        return message("{nothing}", nothing=nothing)
    rows, name = facts.promising[way], {"laplace": message("Cell by cell"), "hierarchy": message("A hierarchy")}[way]
    share = percent(rows, facts.total)
    other = message("{way} has a bound of {rows} rows ({share}%).", way=name, rows=group_thousands(rows), share=share)
    return message("{nothing} {other}", nothing=nothing, other=other)


def no_bound(facts: ColumnResult, brief: bool = False) -> Message:
    """Return why a method has no error bound."""
    design = facts.design
    if brief and design.method == "blr":
        return no_bisection_bound(facts, brief=True)
    if design.method == "blr":
        return no_bisection_bound(facts)
    if design.method in ("mwem", "quantiles"):
        return message("no error bound is known for this method.")
    return message("there is no error bound for this many cells or this small a failure probability. Choose fewer cells.")


def no_bisection_bound(facts: ColumnResult, brief: bool = False) -> Message:
    """Return why bisection has no error bound here; of the data it reveals only the number of rows."""
    if facts.design.budget.total:
        return message("bisection has an error bound only if the number of rows is public.")
    values = {"total": group_thousands(facts.total), "alpha": facts.design.error, "needed": group_thousands(facts.needed)}
    if brief:
        return message("its bound needs {needed} rows, but there are {total}", **values)
    return message("bisection has no error bound for {total} rows: at α = {alpha} its bound needs {needed} rows.", **values)


def reason(facts: ColumnResult) -> Message:
    """Return why a method is recommended: the two best error bounds, which depend only on the noise."""
    rows = facts.promising
    if not rows:
        return message("no method has an error bound here")
    if len(rows) < 2:
        return message("by its error bound")
    best, other = sorted(rows.values())
    return message("bound of {best} rows; next best {other}", best=group_thousands(best), other=group_thousands(other))


def alternatives(facts: ColumnResult) -> Ranking:
    """Return the error bounds of all methods at the same epsilon, the smallest first; they do not depend on the real column."""
    rows, tied = list[Rank](), set[int]()
    for method, bound in facts.bounds.items():
        most = None if bound is None else bound.rows
        role: Role = "main" if method == facts.design.method else "rival"
        if most is None or bound is None:
            rows.append(Rank(dict(WAYS)[method], None, role, text=message("no bound")))
            continue
        tied |= {bound.tied} if bound.tied else set()
        text = message("{rows} rows", rows=group_thousands(most) + ("*" if bound.tied else ""))
        rows.append(Rank(dict(WAYS)[method], float(most), role, text=text))
    note: str = message("The bounds do not depend on the real column.")
    if tied:
        note = message("{note} * only if no cell holds more than {tied} rows.", note=note, tied=group_thousands(max(tied)))
    rows.sort(key=lambda row: inf if row.value is None else row.value)
    return Ranking("alternatives", message("Error bounds of all methods"), tuple(rows), note=note)


def neighbours(design: IntervalDesign) -> Message:
    """Return the definition of neighbouring columns."""
    if design.neighbours == "replace":
        return message("one row replaced by any other; the number of rows is public")
    return message("one row added or removed; a tenth of epsilon is for the number of rows")


def ties(facts: ColumnResult) -> Message:
    """Return the number of rows that share a cell, and its consequence; for the owner."""
    most = int(facts.real.max())
    if most == facts.rows:
        return message("it contains all {total} rows: the column is constant", total=group_thousands(most))
    values = {"most": group_thousands(most), "tied": group_thousands(facts.tied or 0)}
    if facts.tied and most > facts.tied:
        return message("{most} rows share it, so the bound, for at most {tied}, does not apply", **values)
    if facts.tied:
        return message("{most} rows share it; the bound allows {tied}", **values)
    return message("{most} rows tie", most=group_thousands(most)) if most > 1 else message("no rows tie")


def checks(facts: ColumnResult) -> tuple[Message, ...]:
    """The completed checks."""
    design, promise = facts.design, facts.bound
    sentences = [design.private(message(", n public") if design.neighbours == "replace" else message(", n released"))]
    if promise is not None and promise.tied:
        tied = group_thousands(promise.tied)
        sentences.append(
            message("✓ error bound proved for columns with at most {tied} rows per cell (Theorem 4.3, corrected)", tied=tied)
        )
    elif promise is not None and promise.rows is not None:
        sentences.append(
            message("✓ error bound from {draws} draws of the noise alone, rounded up", draws=group_thousands(promise.draws))
        )
    return design.checks(*sentences, *((nobodys(),) if design.column.drawn else ()))


def nobodys() -> Message:
    """Return a note that the column was drawn by hand."""
    return message("the column was drawn by hand; it is not real data")


def for_study(design: IntervalDesign) -> Message:
    """Return a note about a fixed seed."""
    return message(
        "seed {seed}: for study only, not for publication; anyone who knows the seed can remove the noise.", seed=design.seed
    )


def statement(facts: ColumnResult) -> list[str]:
    """Return the privacy statement of the column, in which nothing is computed from the real one."""
    design = facts.design
    of = "" if design.column.drawn else f" of {design.column.title}"
    what = f"{facts.total} synthetic rows{of}, {place(nearest(design.cells.low))} to below "
    sentences = [
        f"{what}{place(nearest(design.cells.high))} in 2^{design.bits} cells, fixed in advance.",
        f"Privacy: {private(design, f' for {neighbours(design)}')}",
        f"Method: {HOW[design.method]}",
        f"Error bound: {sentence(facts)}",
    ]
    if design.partial:
        sentences.append(only_complete(design))
    if design.outside == "clamp":
        sentences.append("Real rows outside the range count in its nearest cell. The error bound is about the rows after that.")
    if design.column.drawn:
        sentences[0] += f" {nobodys().capitalize()}."
    if design.real_errors == PUBLISHED:
        sentences.append(f"Measured: {interval_sentence(facts, facts.worst.low, facts.worst.high)}")
    if design.tells:
        sentences.append(f"Warning: {WARNING}.")
    if facts.tied:
        sentences.append(
            "The bound is that of Theorem 4.3 of Blum, Ligett and Roth, corrected. It rests on the noise alone and applies "
            f"only to columns with at most {facts.tied} rows in any cell. This statement does not reveal whether this column "
            "is one of them."
        )
    elif facts.bound_rows is not None and facts.bound is not None:
        sentences.append(
            "The bound rests on the noise alone: the range of its path bounds the error of every interval of cells; "
            f"its quantile is an order statistic of {facts.bound.draws} simulated releases, with a margin of six "
            "standard errors."
        )
    if design.seed is None:
        sentences.append("Drawn exactly, in whole numbers, from the operating system's entropy.")
        sentences.append(ADD_UP)
    else:
        sentences.append(f"Not for publication: {for_study(design)}")
    return sentences


def publication(design: Releasing) -> Message:
    """Return whether what is given away may be published, and what is saved with it."""
    if design.seed is not None:
        return message("Seed {seed}: do not publish.", seed=design.seed)
    if design.tells:
        return message("“Export…” adds the measured error, which is not private.")
    fresh = message("The measured error stays here: it is not private.")
    return KEPT_RELEASES.warning(design) or fresh


def outdated(made: Any) -> Given:
    """Return what an earlier answer gave away, which stays, faded, while the inputs have no release."""
    given, note = cast("Given", made.given), message("Not from these inputs. Undo to save it.")
    size = message("released at ε = {epsilon}", epsilon=made.design.epsilon)
    return replace(given, size=size, note=note, seeded=False, ready=False, earlier=made.design)


def private(design: Releasing, of: str = ", one row replaced by any other") -> str:
    """Return the privacy level in a statement; with the measured error, as the badge says, it is not private."""
    level = f"differentially private with epsilon = {figure(design.privacy.epsilon_above, 6)}{of}."
    return f"{BADGE}; without it, {level}" if design.tells else level


def only_complete(design: Releasing) -> str:
    """Return that rows without a number are left out, which is public where the number of rows is."""
    known = " Their number is public, and ε does not hide whether a row has a number." * (design.adjacency == "replace")
    return f"Of the real rows, only those with a number count.{known}"


def statement_in_brief(design: Releasing, sentence: str) -> str:
    """Return the privacy statement of other synthetic data, with the result in a sentence, which must be public."""
    level, warning = private(design), [f"Warning: {WARNING}."] if design.tells else []
    warning += [only_complete(design)] if design.partial else []
    study = ADD_UP if design.seed is None else message("Not for publication: the noise has a seed.")
    return "\n".join([level[0].upper() + level[1:], *warning, without_markup(sentence), study]) + "\n"


def interval(design: IntervalDesign, low: int, high: int) -> Message:
    """Return the name of an interval of cells: ``age 20 to below 57``."""
    cells = design.cells
    name = message("from") if design.column.drawn else spoken(design.column.title)
    ends = {"low": place(nearest(cells.edge(low))), "high": place(nearest(cells.edge(high)))}
    return message("{name} {low} to below {high}", name=name, **ends)


def spoken(name: str) -> str:
    """Return the name of a column as people say it: ``income class`` for ``income_class``."""
    return name.replace("_", " ")


def truth(design: IntervalDesign) -> Message:
    """Return the name of the real column in plots."""
    return message("drawn") if design.column.drawn else message("clamped" if design.outside == "clamp" else "real")


def place(value: float) -> str:
    """Return a number on the axis as text."""
    return f"{value:.6g}".replace("-", "−")


def percent(rows: int, total: int) -> str:
    """Return an error bound as a share of the rows in percent, rounded up."""
    return at_most(100 * rows / max(total, 1), 3)


def measured_percent(rows: float, total: int) -> str:
    """Return a measured error as a share of the rows in percent, rounded to the nearest digit."""
    return significant(100 * rows / max(total, 1), 2)


def allowed(error: int, bound: int | None, total: int) -> Message:
    """Return an error next to its bound, both in rows; next to all rows where the bound says nothing."""
    if bound is None or bound >= total:
        return message("error {rows} of {total} rows", rows=group_thousands(error), total=group_thousands(total))
    return message("error {rows} of {bound} allowed", rows=group_thousands(error), bound=group_thousands(bound))


def interval_sentence(facts: ColumnResult, low: int, high: int) -> Message:
    """Return the real and the synthetic count of an interval; for its owner."""
    real, made = (int(total[high] - total[low]) for total in facts.totals[:2])
    worst = abs(facts.worst.error)
    text = message(", the largest") if abs(made - real) == worst else message("")
    if facts.beyond:
        text = message("{worst}. {beyond}", worst=text, beyond=beyond(facts))
    return message(
        "Rows {which}{where}: {truth} {real}, synthetic {made}, error {off}{more}.",
        which="" if facts.design.column.drawn else "with ",
        where=interval(facts.design, low, high),
        truth=truth(facts.design),
        real=group_thousands(real),
        made=group_thousands(made),
        off=group_thousands(abs(made - real)),
        more=text,
    )


def worst_sentence(facts: ColumnResult) -> Message:
    """Return the worst error of this release, and why it exceeds the bound if it does; for its owner."""
    rows = group_thousands(abs(facts.worst.error))
    text = message("This time: within {rows}.", rows=rows)
    return message("{worst} {beyond}.", worst=text, beyond=beyond(facts)) if facts.beyond else text


def beyond(facts: ColumnResult) -> Message:
    """Return why the error of this release is above its bound; for its owner."""
    bound = group_thousands(facts.bound_rows or 0)
    if facts.tied and facts.real.max() > facts.tied:
        most, tied = group_thousands(int(facts.real.max())), group_thousands(facts.tied)
        return message(
            "The bound of {bound} applies to at most {tied} rows per cell; here one cell has {most}",
            bound=bound,
            tied=tied,
            most=most,
        )
    times = 1 / exact(facts.design.delta)
    if times.denominator == 1 and times <= 1000:
        return message(
            "This is one of the 1 in {times} releases whose worst error exceeds the bound of {bound}", times=times, bound=bound
        )
    share = f"{nearest(100 * exact(facts.design.delta)):g}"
    return message(
        "This is one of the {share}% of releases whose worst error exceeds the bound of {bound}", share=share, bound=bound
    )
