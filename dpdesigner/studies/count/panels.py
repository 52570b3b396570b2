"""The plots of a count design as data, made from its outcomes."""

from __future__ import annotations

import numpy as np

from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot
from dpdesigner.studies.said import said

#: A gap that cannot be seen on a curve, relative to the loss.
_NEAR = 1e-4
#: A curve of more points tells nothing that can be seen.
_LARGEST = 1000


def loss_plot(answer: CountAnswer | None, before: CountAnswer | None = None, handles: tuple[Handle, ...] = ()) -> Plot:
    """Return the error against epsilon; geometric + remap is the optimum only where Theorem A covers the loss."""
    curves, lines = None if answer is None else answer.curves, []
    if answer is not None and curves is not None:
        covered = answer.design.covered
        name = said("Optimal") if covered else said("Geometric + remap")
        lines.append(Line(curves.epsilons, curves.optimal, name, proved=covered))
        if (best := answer.optimum) is not None and not covered:
            near = bool((best.gaps <= _NEAR * best.optimal).all())
            lines.append(Line(best.epsilons, best.optimal, said("Optimal (linear program)"), proved=near))
        lines.append(Line(curves.epsilons, curves.laplace, said("Laplace"), "rival", dashed=True))
        if before is not None and before.curves is not None and before.design.loss == answer.design.loss:
            lines.append(Line(before.curves.epsilons, before.curves.optimal, said("before"), "before", dashed=True))
    x, y = Axis("ε", scale="log"), Axis(said("expected error"))
    return Plot("loss-against-epsilon", said("Error against privacy"), x, y, tuple(lines), handles=handles)


def compared_plots(known: CountAnswer) -> tuple[Plot, ...]:
    """Return the curves that are laid over those of another design: the error, the prior and the remap."""
    design, curves, plots = known.design, known.curves, []
    if curves is not None:
        epsilon, plot = design.privacy.epsilon, loss_plot(known)
        marks = (Mark(epsilon, float(known.best.value)),) if curves.epsilons[0] <= epsilon <= curves.epsilons[-1] else ()
        title = said("Error against ε") if design.covered else said("Error against ε, geometric + remap")
        plots.append(Plot("loss", title, plot.x, plot.y, plot.lines[:1], marks))
    if design.n <= _LARGEST:
        counts = np.arange(design.n + 1, dtype=float)
        x, y = Axis(said("count")), Axis(said("probability"))
        plots.append(Plot("prior", said("Prior"), x, y, (Line(counts, design.prior.probabilities),)))
        x, y = Axis(said("geometric says")), Axis(said("read as"))
        plots.append(Plot("remap", said("Remap"), x, y, (Line(counts, known.solved.remap.astype(float), steps=True),)))
    return tuple(plots)
