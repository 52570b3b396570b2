"""The plots of a count design as data, made from its outcomes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.delta import mechanism
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.messages import message
from dpdesigner.studies.count.answer import CountOverview
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot
from dpdesigner.studies.table_panels import Rank, Ranking

if TYPE_CHECKING:
    from dpdesigner.studies.count.delta import DeltaAnswer

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
