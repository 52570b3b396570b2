"""What is said of a made-up column, in words; what tells of the real column is for its owner, and said apart."""

from __future__ import annotations

from dpdesigner.core.numbers.given import double, nearest
from dpdesigner.core.numbers.rounding import at_most, counted, figure
from dpdesigner.studies.declared import Why
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

WHY = Why(
    said(
        "<b>Privacy.</b> A row that is replaced moves one count down and one up, by 1 each, however many rows share its cell: "
        "ties do not matter. The release has ε = {epsilon}, whatever the column holds.\n\n"
        "<b>The promise</b> knows nothing of the data. Any interval is off by at most the range of the noise along the axis, "
        "which straightening and rounding cannot widen; its quantile is drawn from noise alone, six standard errors on the safe "
        "side. So the promise is {promised-error}, and the best way {recommended}.\n\n"
        "<b>Really</b> is computed from the real column, for its owner, and goes into no file: to publish it, or to release "
        "again until it looks well, costs privacy that nobody has counted.\n\n"
        "<b>Bisection</b> needs {stated-size} as printed; corrected, {corrected-size}, of which no cell may hold more than α²/36."
    ),
    formula=said("n ≥ (36 <i>d M</i> / (ε α²)) ln(<i>d M</i> / δ), <i>M</i> = ⌈8/α⌉"),
    sources=said(
        "A. Blum, K. Ligett, A. Roth, A Learning Theory Approach to Non-Interactive Database Privacy (2008), Algorithm 2, "
        "corrected: the midpoint, the cap on cells, whole numbers, half-open cells, the rows given away, ε of a count; and "
        "Theorem 4.3, whose size is too small by 36/α². M. Hay et al. (2010): hierarchies. M. Hardt et al. (2012): weights."
    ),
    help="synthetic",
)


def intervals(design: IntervalDesign) -> int:
    """How many intervals of cells there are."""
    size = 1 << design.bits
    return size * (size + 1) // 2


def sureness(delta: float) -> Said:
    """How often a promise holds: ``in 19 releases of 20``."""
    if abs(1 / delta - round(1 / delta)) < 1e-9 and 1 / delta <= 1000:
        return said("in {kept} releases of {all}", kept=round(1 / delta) - 1, all=round(1 / delta))
    return said("in {share} % of releases", share=figure(100 * (1 - delta), 4))


def sentence(facts: Facts) -> Said:
    """The result; of the real column nothing but what was released."""
    design, promise = facts.design, facts.promise
    if promise is None or promise.rows is None:
        return _without(facts)
    return said(
        "At ε = {epsilon} every one of the {count} intervals is promised within {rows} of {total} rows ({share} %) {often}.",
        epsilon=design.epsilon,
        count=counted(intervals(design)),
        rows=counted(promise.rows),
        total=counted(facts.total),
        share=percent(promise.rows, facts.total),
        often=sureness(double(design.delta)),
    )


def _without(facts: Facts) -> Said:
    best = facts.promises.get(facts.recommended)
    other = said("")
    if best is not None and best.rows:
        name = {"laplace": said("Cell by cell"), "hierarchy": said("A hierarchy")}[facts.recommended]
        share = percent(best.rows, facts.total)
        other = said("{way} promises {rows} ({share} %).", way=name, rows=counted(best.rows), share=share)
    return said("{nothing} {other}", nothing=nothing_promised(facts).capitalize(), other=other)


def nothing_promised(facts: Facts, brief: bool = False) -> Said:
    """Why a way promises nothing."""
    design, total = facts.design, counted(facts.total)
    if brief and design.method == "blr":
        return said("needs {needed} rows, nearly all different", needed=counted(facts.needed))
    if design.method == "blr":
        needed, alpha = counted(facts.needed), design.alpha
        return said(
            "bisection promises nothing for {total} rows: at α = {alpha} it would need {needed}, nearly all of them different.",
            total=total,
            alpha=alpha,
            needed=needed,
        )
    if design.method in ("mwem", "quantiles"):
        return said("no promise is known for this way.")
    return said("nothing is promised for so many cells or so small a δ: choose fewer cells, or a greater δ.")


def reason(facts: Facts) -> Said:
    """Why a way is recommended: what the two that promise anything promise, from the noise alone."""
    rows = {method: promise.rows for method, promise in facts.promises.items() if promise is not None and promise.rows}
    if len(rows) < 2:
        return said("by what it promises")
    best, other = sorted(rows.values())
    return said("promises {best} rows, the next {other}", best=counted(best), other=counted(other))


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
    return said("{most} rows tie", most=counted(most))


def badge(design: IntervalDesign) -> Said:
    """What is proved."""
    return said("✓ proved private") if design.seed is None else said("✓ proved private · for study")


def checks(facts: Facts) -> tuple[Said, ...]:
    """What was verified."""
    design, promise = facts.design, facts.promise
    epsilon = figure(design.privacy.epsilon_above, 6)
    public = said("n public") if design.neighbours == "replace" else said("n released")
    found = [said("✓ private: ε = {epsilon} asked and kept, whole-number noise, {public}", epsilon=epsilon, public=public)]
    if promise is not None and promise.rows is not None:
        found.append(said("✓ promise from {draws} draws of the noise alone, rounded up", draws=counted(promise.draws)))
    if design.seed is not None:
        found.append(for_study(design))
    return tuple(found)


def for_study(design: IntervalDesign) -> Said:
    """What must be known of a fixed seed."""
    return said("seed {seed}: for study only, not to be published; who knows it can take the noise off.", seed=design.seed)


def statement(facts: Facts) -> list[str]:
    """The privacy statement that goes with the column: nothing in it is computed from the real one."""
    design = facts.design
    what = f"{facts.total} made-up rows of {design.column.title}, {place(nearest(design.cells.low))} to below "
    found = [
        f"{what}{place(nearest(design.cells.high))} in 2^{design.bits} cells, fixed beforehand.",
        f"Privacy: differentially private with epsilon = {design.privacy.epsilon_above:.6g} for {neighbours(design)}.",
        f"Made by: {HOW[design.method]}",
        f"Promise: {sentence(facts)}",
    ]
    if facts.promised_rows is not None and facts.promise is not None:
        found.append(
            "The promise rests on the noise alone: the range of its path bounds the error of every interval of cells; its "
            f"quantile is an order statistic of {facts.promise.draws} simulated releases, six standard errors on the safe side."
        )
    if design.seed is None:
        found.append("Drawn from the operating system's entropy, exactly, with whole numbers.")
        found.append("Releases of the same rows add up: publish one, and do not choose it by how near it comes.")
    else:
        found.append(f"Not for publication: {for_study(design)}")
    return found


def interval(design: IntervalDesign, low: int, high: int) -> Said:
    """An interval of cells: ``age 20 to below 57``."""
    cells = design.cells
    ends = {"low": place(nearest(cells.edge(low))), "high": place(nearest(cells.edge(high)))}
    return said("{name} {low} to below {high}", name=design.column.title, **ends)


def place(value: float) -> str:
    """A number on the axis."""
    return f"{value:.6g}".replace("-", "−")


def percent(rows: int, total: int) -> str:
    """A share of the rows in percent, rounded up."""
    return at_most(100 * rows / max(total, 1), 2)


def told(facts: Facts, low: int, high: int) -> Said:
    """The real and the made-up count of an interval; for its owner."""
    real, made = int(facts.real[low:high].sum()), int(facts.made.counts[low:high].sum())
    worst = abs(facts.worst.error)
    text = said("the worst is off by {rows}", rows=counted(worst))
    if abs(made - real) == worst:
        text = said("no interval is further off")
    return said(
        "{where}: really {real}, in the made-up column {made}. Off by {off} rows ({share} %); {more}.",
        where=interval(facts.design, low, high),
        real=counted(real),
        made=counted(made),
        off=counted(abs(made - real)),
        share=percent(abs(made - real), facts.rows),
        more=text,
    )
