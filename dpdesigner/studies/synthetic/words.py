"""What is said of a made-up column, in words; what tells of the real column is for its owner, and said apart."""

from __future__ import annotations

from dpdesigner.core.numbers.given import Number, exact, nearest
from dpdesigner.core.numbers.rounding import at_most, counted, figure
from dpdesigner.studies.accuracy import PUBLISHED, WARNING, percent_sure
from dpdesigner.studies.said import Said, said
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.facts import Facts

HOW = {
    "laplace": said(
        "Each cell is counted, whole-number noise is added, and the running total is straightened. Rows of one cell stay "
        "together: ties cost no privacy."
    ),
    "hierarchy": said(
        "Coarse parts and their cells are counted with whole-number noise, made to agree by least squares, and straightened. "
        "The shape is chosen by what it promises."
    ),
    "mwem": said(
        "Ten times an interval is chosen that is far off, counted with noise, and the cells in it are moved towards that count "
        "(multiplicative weights)."
    ),
    "quantiles": said(
        "The exponential mechanism cuts the axis in the middle of its rows, and each part again, five levels deep."
    ),
    "blr": said(
        "Noisy bisection cuts the axis into cells of about α/6 of the rows each (Algorithm 2, corrected). Rows that share a cell "
        "cannot be parted, so ties cost accuracy, never privacy."
    ),
}

_COUNTED = said("all noisy counts, databases and neighbours enumerated; the column tells no more")
ENUMERATED = {
    "laplace": _COUNTED,
    "hierarchy": _COUNTED,
    "mwem": said("at most: all databases, neighbours and states of the weights enumerated, round by round"),
    "quantiles": said("all cuts, databases and neighbours enumerated; the column tells no more"),
    "blr": said("all outputs, databases and neighbours enumerated"),
}


def intervals(design: IntervalDesign) -> int:
    """How many intervals of cells there are."""
    size = 1 << design.bits
    return size * (size + 1) // 2


def sureness(delta: Number) -> Said:
    """How often a promise holds: ``in 19 releases of 20``."""
    times = 1 / exact(delta)
    if times.denominator == 1 and times <= 1000:
        return said("in {kept} releases of {all}", kept=times - 1, all=times)
    return said("in {share}% of releases", share=f"{percent_sure(delta):f}")


def sentence(facts: Facts) -> Said:
    """The result; of the real column nothing but what was released."""
    design, promise = facts.design, facts.promise
    if promise is None or promise.rows is None:
        return _without(facts)
    if promise.rows >= facts.total:
        few = "At ε = {epsilon} there is no useful error bound: the noise may exceed the {rows} rows."
        return said(few, epsilon=design.epsilon, rows=counted(facts.total))
    if promise.tied:
        return said(
            "At ε = {epsilon}, if no cell holds more than {tied} rows, all {count} intervals are within {rows} of {total} rows "
            "({share}%) of the truth {often}.",
            epsilon=design.epsilon,
            tied=counted(promise.tied),
            count=counted(intervals(design)),
            rows=counted(promise.rows),
            total=counted(facts.total),
            share=percent(promise.rows, facts.total),
            often=sureness(design.delta),
        )
    promised = said(
        "At ε = {epsilon}, all {count} intervals are within {rows} of {total} rows ({share}%) of the truth {often}.",
        epsilon=design.epsilon,
        count=counted(intervals(design)),
        rows=counted(promise.rows),
        total=counted(facts.total),
        share=percent(promise.rows, facts.total),
        often=sureness(design.delta),
    )
    return said("{promise} A first figure: more draws follow.", promise=promised) if facts.provisional else promised


def in_brief(facts: Facts) -> Said:
    """The result in fewer words."""
    promise, delta = facts.promise, facts.design.delta
    if promise is None or promise.rows is None or promise.rows >= facts.total:
        return said("No error bound at ε = {epsilon}.", epsilon=facts.design.epsilon)
    rows, share = counted(promise.rows), percent(promise.rows, facts.total)
    return said("Within {rows} rows ({share}%) {often}.", rows=rows, share=share, often=sureness(delta))


def _without(facts: Facts) -> Said:
    nothing, way = nothing_promised(facts).capitalize(), facts.recommended
    if way is None:
        return said("{nothing}", nothing=nothing)
    rows, name = facts.promising[way], {"laplace": said("Cell by cell"), "hierarchy": said("A hierarchy")}[way]
    share = percent(rows, facts.total)
    other = said("{way} has a bound of {rows} rows ({share}%).", way=name, rows=counted(rows), share=share)
    return said("{nothing} {other}", nothing=nothing, other=other)


def nothing_promised(facts: Facts, brief: bool = False) -> Said:
    """Why a way promises nothing."""
    design = facts.design
    if brief and design.method == "blr":
        return no_bisection_bound(facts, brief=True)
    if design.method == "blr":
        return no_bisection_bound(facts)
    if design.method in ("mwem", "quantiles"):
        return said("no error bound is known for this method.")
    return said("there is no error bound for this many cells or this small a δ. Choose fewer cells or a larger δ.")


def no_bisection_bound(facts: Facts, brief: bool = False) -> Said:
    """Why bisection has no error bound here; of the data only the number of rows."""
    if facts.design.budget.total:
        return said("bisection has an error bound only where the number of rows is public.")
    values = {"total": counted(facts.total), "alpha": facts.design.alpha, "needed": counted(facts.needed)}
    if brief:
        return said("its bound needs {needed} rows, got {total}", **values)
    return said("bisection has no error bound for {total} rows: at α = {alpha} its bound needs {needed} rows.", **values)


def reason(facts: Facts) -> Said:
    """Why a way is recommended: what the two that promise anything promise, from the noise alone."""
    rows = facts.promising
    if not rows:
        return said("no method has an error bound here")
    if len(rows) < 2:
        return said("by its error bound")
    best, other = sorted(rows.values())
    return said("bound of {best} rows, the next {other}", best=counted(best), other=counted(other))


def neighbours(design: IntervalDesign) -> Said:
    """What makes columns neighbours."""
    if design.neighbours == "replace":
        return said("one row replaced by any other, the number of rows being public")
    return said("one row added or removed, a tenth of epsilon being for the number of rows")


def ties(facts: Facts) -> Said:
    """How many rows share a cell, and what that means; for its owner."""
    most = int(facts.real.max())
    if most == facts.rows:
        return said("all {total} rows are in it: the column is constant", total=counted(most))
    if facts.tied and most > facts.tied:
        return said(
            "{most} rows share it: the bound, for at most {tied}, does not apply", most=counted(most), tied=counted(facts.tied)
        )
    if facts.tied:
        return said("{most} rows share it; the bound allows {tied}", most=counted(most), tied=counted(facts.tied))
    return said("{most} rows tie", most=counted(most)) if most > 1 else said("no rows tie")


def checks(facts: Facts) -> tuple[Said, ...]:
    """What was verified."""
    design, promise = facts.design, facts.promise
    epsilon = figure(design.privacy.epsilon_above, 6)
    public = said("n public") if design.neighbours == "replace" else said("n released")
    sentences = [said("✓ private: ε = {epsilon} asked and kept, whole-number noise, {public}", epsilon=epsilon, public=public)]
    if promise is not None and promise.tied:
        tied = counted(promise.tied)
        sentences.append(
            said("✓ error bound proved for columns with at most {tied} rows per cell (Theorem 4.3, corrected)", tied=tied)
        )
    elif promise is not None and promise.rows is not None:
        sentences.append(said("✓ error bound from {draws} draws of the noise alone, rounded up", draws=counted(promise.draws)))
    sentences += [nobodys()] if design.column.drawn else [said("✗ {warning}", warning=WARNING)] if design.tells else []
    if design.seed is not None:
        sentences.append(for_study(design))
    return tuple(sentences)


def nobodys() -> Said:
    """What a drawn column is."""
    return said("the column was drawn: it is nobody’s data")


def for_study(design: IntervalDesign) -> Said:
    """What must be known of a fixed seed."""
    return said("seed {seed}: for study only, not to be published; who knows it can take the noise off.", seed=design.seed)


def statement(facts: Facts) -> list[str]:
    """The privacy statement that goes with the column: nothing in it is computed from the real one."""
    design = facts.design
    of = "" if design.column.drawn else f" of {design.column.title}"
    what = f"{facts.total} made-up rows{of}, {place(nearest(design.cells.low))} to below "
    sentences = [
        f"{what}{place(nearest(design.cells.high))} in 2^{design.bits} cells, fixed beforehand.",
        f"Privacy: differentially private with epsilon = {figure(design.privacy.epsilon_above, 6)} for {neighbours(design)}.",
        f"Made by: {HOW[design.method]}",
        f"Error bound: {sentence(facts)}",
    ]
    if design.column.drawn:
        sentences[0] += f" {nobodys().capitalize()}."
    if design.real_errors == PUBLISHED:
        sentences.append(f"Measured: {told(facts, facts.worst.low, facts.worst.high)}")
    if design.tells:
        sentences.append(f"Warning: {WARNING}.")
    if facts.tied:
        sentences.append(
            "The bound is that of Theorem 4.3 of Blum, Ligett and Roth, corrected. It rests on the noise alone and applies "
            f"only to columns with at most {facts.tied} rows in any cell. Whether this column is one of them is not stated here."
        )
    elif facts.promised_rows is not None and facts.promise is not None:
        sentences.append(
            "The bound rests on the noise alone: the range of its path bounds the error of every interval of cells; its "
            f"quantile is an order statistic of {facts.promise.draws} simulated releases, six standard errors on the safe side."
        )
    if design.seed is None:
        sentences.append("Drawn from the operating system's entropy, exactly, with whole numbers.")
        sentences.append("Releases of the same rows add up: publish one, and do not choose it by how near it comes.")
    else:
        sentences.append(f"Not for publication: {for_study(design)}")
    return sentences


def interval(design: IntervalDesign, low: int, high: int) -> Said:
    """An interval of cells: ``age 20 to below 57``."""
    cells = design.cells
    name = said("from") if design.column.drawn else design.column.title
    ends = {"low": place(nearest(cells.edge(low))), "high": place(nearest(cells.edge(high)))}
    return said("{name} {low} to below {high}", name=name, **ends)


def truth(design: IntervalDesign) -> Said:
    """What the column is called in pictures that is not to be given away."""
    return said("drawn") if design.column.drawn else said("real")


def place(value: float) -> str:
    """A number on the axis."""
    return f"{value:.6g}".replace("-", "−")


def percent(rows: int, total: int) -> str:
    """A share of the rows in percent, rounded up."""
    return at_most(100 * rows / max(total, 1), 2)


def told(facts: Facts, low: int, high: int) -> Said:
    """The real and the made-up count of an interval; for its owner."""
    real, made = (int(total[high] - total[low]) for total in facts.totals[:2])
    worst = abs(facts.worst.error)
    text = said("the worst error is {rows}", rows=counted(worst))
    if abs(made - real) == worst:
        text = said("no interval has a larger error")
    if facts.beyond:
        text = said("{worst}. {beyond}", worst=text, beyond=beyond(facts))
    return said(
        "{where}: {truth} {real}, synthetic {made}, an error of {off} rows ({share}%); {more}.",
        where=interval(facts.design, low, high),
        truth=said("drawn") if facts.design.column.drawn else said("real"),
        real=counted(real),
        made=counted(made),
        off=counted(abs(made - real)),
        share=percent(abs(made - real), facts.rows),
        more=text,
    )


def beyond(facts: Facts) -> Said:
    """Why the error of this release is above its bound; for its owner."""
    bound = counted(facts.promised_rows or 0)
    if facts.tied and facts.real.max() > facts.tied:
        most, tied = counted(int(facts.real.max())), counted(facts.tied)
        return said(
            "The bound of {bound} is for at most {tied} rows per cell; here a cell has {most}", bound=bound, tied=tied, most=most
        )
    times = 1 / exact(facts.design.delta)
    if times.denominator == 1 and times <= 1000:
        return said(
            "This release is one of the 1 in {times} whose worst error exceeds the bound of {bound}", times=times, bound=bound
        )
    share = f"{nearest(100 * exact(facts.design.delta)):g}"
    return said("This release is one of the {share}% whose worst error exceeds the bound of {bound}", share=share, bound=bound)
