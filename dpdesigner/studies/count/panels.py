"""The plots of a count design as data, made from its outcomes."""

from __future__ import annotations

import numpy as np

from dpdesigner.core.count.costs import CostCurves
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot
from dpdesigner.studies.said import said

#: A curve of more points tells nothing that can be seen.
_LARGEST = 1000


def loss_plot(curves: CostCurves | None, covered: bool, handles: tuple[Handle, ...] = ()) -> Plot:
    """Return the loss against epsilon; geometric + remap is the optimum only where Theorem A covers the loss."""
    lines: tuple[Line, ...] = ()
    if curves is not None:
        name = said("Optimal") if covered else said("Geometric + remap")
        lines = (
            Line(curves.epsilons, curves.optimal, name, proved=covered),
            Line(curves.epsilons, curves.laplace, said("Laplace"), "rival", dashed=True),
        )
    x, y = Axis("ε", scale="log"), Axis(said("expected loss"))
    return Plot("loss-against-epsilon", said("Loss against epsilon"), x, y, lines, handles=handles)


def compared_plots(solved: CountOutcome, value: float, curves: CostCurves | None) -> tuple[Plot, ...]:
    """Return the curves that are laid over those of another design: the loss, the prior and the remap.

    Parameters
    ----------
    solved : CountOutcome
    value : float
        The expected loss that is shown.
    curves : CostCurves or None
    """
    design, found = solved.design, []
    if curves is not None:
        epsilon, plot = design.privacy.epsilon, loss_plot(curves, design.covered)
        marks = (Mark(epsilon, value),) if curves.epsilons[0] <= epsilon <= curves.epsilons[-1] else ()
        title = said("Loss against ε") if design.covered else said("Loss against ε, geometric + remap")
        found.append(Plot("loss", title, plot.x, plot.y, plot.lines[:1], marks))
    if design.n <= _LARGEST:
        counts = np.arange(design.n + 1, dtype=float)
        x, y = Axis(said("count")), Axis(said("probability"))
        found.append(Plot("prior", said("Prior"), x, y, (Line(counts, design.prior.probabilities),)))
        x, y = Axis(said("geometric says")), Axis(said("read as"))
        found.append(Plot("remap", said("Remap"), x, y, (Line(counts, solved.remap.astype(float), steps=True),)))
    return tuple(found)
