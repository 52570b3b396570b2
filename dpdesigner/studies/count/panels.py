"""The plots of a count design as data, made from its outcomes, and the picture of its certificate.

The picture of a proof by prices: what no private release of the count can undercut, and what one's own costs beside it.

A price w_i for each true count i is a solution of the dual of the linear program: whatever a private mechanism x releases,
sum_i p_i sum_r x_ir l(i, r) is at least sum_i w_i. No single price is a bound, only their sum; where one's own sums to as much,
it is proved to be the best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.delta import mechanism
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism, Table
from dpdesigner.core.numbers.rounding import figure, small
from dpdesigner.messages import Message, message
from dpdesigner.studies.count.answer import CountOverview
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.matrices import Cells, Indices, dense_cells
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot
from dpdesigner.studies.table_panels import Rank, Ranking, Role

if TYPE_CHECKING:
    from dpdesigner.studies.count.run import DeltaAnswer


#: A gap that cannot be seen on a curve, relative to the loss.
_NEAR = 1e-4
#: A curve of more points tells nothing that can be seen.
_LARGEST = 1000


def loss_plot(answer: CountOverview | None, before: CountOverview | None = None, handles: tuple[Handle, ...] = ()) -> Plot:
    """Return the error against epsilon; geometric + remap is the optimum only where Theorem A covers the loss."""
    curves, lines = None if answer is None else answer.curves, []
    if answer is not None and curves is not None:
        covered = answer.design.covered
        name = message("Optimal") if covered else message("Geometric + remap")
        lines.append(Line(curves.epsilons, curves.optimal, name, proved=covered))
        if (best := answer.optimum) is not None and not covered:
            near = bool((best.gaps <= _NEAR * best.optimal).all())
            lines.append(Line(best.epsilons, best.optimal, message("Optimal (linear program)"), proved=near))
        lines.append(Line(curves.epsilons, curves.laplace, message("Laplace"), "rival", dashed=True))
        if before is not None and before.curves is not None and before.design.loss == answer.design.loss:
            lines.append(Line(before.curves.epsilons, before.curves.optimal, message("before"), "before", dashed=True))
    x, y = Axis("ε", scale="log"), Axis(message("expected error"))
    return Plot("loss-against-epsilon", message("Error against privacy"), x, y, tuple(lines), handles=handles)


def delta_ranking(outcome: DeltaAnswer) -> Ranking:
    """Return what delta buys: the best with it and without it, and other noise that is as private."""
    findings, delta = outcome.findings, figure(outcome.design.uncovered, 4)
    best = (
        message("Best with δ = {delta}", delta=delta) if outcome.proved else message("Best found with δ = {delta}", delta=delta)
    )
    names = {
        "value": best,
        "without_delta": message("Best without δ"),
        "truncated_laplace": message("Truncated Laplace noise"),
        "gaussian": message("Gaussian noise, equally private"),
    }
    rows = [
        Rank(name, findings[key].number, "main", key == "value" and outcome.proved, key)
        for key, name in names.items()
        if key in findings
    ]
    return Ranking("costs", message("Gain from δ"), tuple(rows))


def attacker_plot(design: CountDesign) -> Plot:
    """Return how many of 100 people an attacker finds out against false alarms, with delta and without it."""
    false = np.linspace(0.0, 0.1, 101)
    ratio = math.exp(min(design.privacy.epsilon_above, 700.0))

    def found(uncovered: float, ratio: float = ratio) -> Floats:
        return 100 * np.minimum(1.0, np.minimum(ratio * false + uncovered, 1 - (1 - uncovered - false) / ratio))

    with_delta = np.min([found(float(level.delta), 1 / float(level.alpha)) for level in design.levels], axis=0)
    if design.mu is not None:
        with_delta = np.array([100 * mechanism.found_out(design.mu, rate) for rate in false.tolist()])
    lines = (
        Line(100 * false, with_delta, message("with δ")),
        Line(100 * false, found(0.0), message("without δ"), "rival", dashed=True),
        Line(100 * false, 100 * false, message("chance"), "bound", dashed=True),
    )
    x, y = Axis(message("false alarms of 100")), Axis(message("found out, of 100"))
    return Plot("attacker", message("Success of an attacker"), x, y, lines, (Mark(1.0, float(with_delta[10])),))


def compared_plots(known: CountOverview) -> tuple[Plot, ...]:
    """Return the curves that are laid over those of another design: the error, the prior and the remap."""
    design, curves, plots = known.design, known.curves, []
    if curves is not None and not design.uncovered:
        epsilon, plot = design.privacy.epsilon, loss_plot(known)
        marks = (Mark(epsilon, float(known.best.value)),) if curves.epsilons[0] <= epsilon <= curves.epsilons[-1] else ()
        title = message("Error against ε") if design.covered else message("Error against ε, geometric + remap")
        plots.append(Plot("loss", title, plot.x, plot.y, plot.lines[:1], marks))
    if design.n <= _LARGEST:
        counts = np.arange(design.n + 1, dtype=float)
        x, y = Axis(message("count")), Axis(message("probability"))
        plots.append(Plot("prior", message("Prior"), x, y, (Line(counts, design.prior.probabilities),)))
        x, y = Axis(message("cell") if design.uncovered else message("geometric says")), Axis(message("read as"))
        outputs = np.arange(len(known.solved.remap), dtype=float)
        plots.append(Plot("remap", message("Remap"), x, y, (Line(outputs, known.solved.remap.astype(float), steps=True),)))
    return tuple(plots)


#: Above this n single bars cannot be told apart, and making the table of the mechanism takes longer than a frame.
LARGEST_N = 200
_WIDTH, _ROOM = 0.42, 1.35  # half of a bar; how much higher than the highest the picture is, for the names


class Judged(Protocol):
    """A mechanism, what it costs, and by how much at most another could cost less."""

    @property
    def mechanism(self) -> NDArray[Any]:
        """(n + 1, n + 1): rows = true count."""

    @property
    def value(self) -> float | Fraction:
        """Its expected loss."""

    @property
    def gap(self) -> float | Fraction:
        """By how much the prices sum to less, at most."""


def price_picture(judged: Judged, prices: Sequence[float | Fraction], prior: Floats, loss: Floats) -> Plot:
    """Return prices and one's own costs as bars over the true counts, where the prices prove one's own to be the best.

    Parameters
    ----------
    judged : Judged
    prices : sequence of float or Fraction
        One for each true count.
    prior : ndarray
        (n + 1,)
    loss : ndarray
        (n + 1, n + 1)
    """
    shares = prior * (np.asarray(judged.mechanism, dtype=float) * loss).sum(axis=1)
    heights = np.array([float(price) for price in prices])
    lines = (
        _bars(shares, message("yours"), "main", proved=True),
        _bars(heights, message("prices"), "other", dashed=True),
    )
    top = _ROOM * max(float(heights.max()), float(shares.max()))
    y = Axis(message("loss, times its prior"), limits=(min(0.0, 1.1 * float(heights.min())), top) if top > 0 else None)
    x = Axis(message("true count"), scale="whole", limits=(-0.6, len(prior) - 0.4))
    return Plot("prices", message("Lower bound (dual prices)"), x, y, lines, under=_sums(judged))


def _sums(judged: Judged) -> tuple[Message, ...]:
    """What the bars sum to: rounded up, as the value is everywhere."""
    own = figure(judged.value)
    if not judged.gap:
        return (
            message(
                "The lower bound equals your expected loss, {own}. No private release computed from the count alone does better.",
                own=own,
            ),
        )
    words = (
        "Your expected loss is {own}; the prices sum to at most {gap} less. No private release computed from the count "
        "alone costs less than the prices."
    )
    return (message(words, own=own, gap=small(judged.gap)),)


def _bars(heights: Floats, name: str, role: Role, *, proved: bool = False, dashed: bool = False) -> Line:
    """Bars as one line around them; what is not dashed is shaded below."""
    counts = np.arange(len(heights), dtype=float)
    x = np.stack([counts - _WIDTH, counts - _WIDTH, counts + _WIDTH, counts + _WIDTH], axis=1).ravel()
    flat = np.zeros_like(heights)
    y = np.stack([flat, heights, heights, flat], axis=1).ravel()
    shade = (None, None) if dashed else (np.minimum(y, 0), np.maximum(y, 0))
    return Line(x, y, name, role, proved=proved, dashed=dashed, low=shade[0], high=shade[1])


#: Up to this n every cell may be written as a fraction.
FRACTIONS_UP_TO = 40


def fraction_texts(mechanism: Mechanism) -> Callable[[int, int], str | None] | None:
    """Return the exact fractions of the cells, where they exist and fit."""
    alpha = mechanism.privacy.exact_alpha
    if alpha is None or isinstance(mechanism, Table) or mechanism.n > FRACTIONS_UP_TO:
        return None
    rows = list(mechanism.exact_rows(alpha))
    return lambda i, r: str(rows[i][r])


def mechanism_cells(shown: Mechanism, largest: int) -> Cells:
    """Return the probabilities of a mechanism; above this n one that is geometric is never held as a whole."""
    if shown.n <= largest or not isinstance(shown, RemappedGeometric):
        return dense_cells(shown.matrix)
    intervals = shown.intervals
    return Cells(shown.n + 1, shown.n + 1, shown.block, strongest=lambda i, high, r, wide: intervals.largest(i, high, r, wide))


def reading_cells(remap: NDArray[np.intp], largest: int) -> Cells:
    """Return 1 where an output (a row) is read as a value (a column), else 0."""
    n = len(remap) - 1

    def strongest(rows: Indices, high: int, columns: Indices, wide: int) -> Floats:
        part = remap[: rows[-1] + high]
        least, most = np.minimum.reduceat(part, rows)[:, None], np.maximum.reduceat(part, rows)[:, None]
        return ((columns + wide > least) & (columns <= most)).astype(float)

    if n <= largest:
        return dense_cells(np.eye(n + 1)[remap])
    return Cells(n + 1, n + 1, lambda i, r: (remap[i][:, None] == r).astype(float), strongest=strongest)
