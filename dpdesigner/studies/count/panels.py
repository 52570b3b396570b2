"""The plots of a count design as data, made from its outcomes."""

from __future__ import annotations

import numpy as np

from dpdesigner.messages import message
from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot

#: A gap that cannot be seen on a curve, relative to the loss.
_NEAR = 1e-4
#: A curve of more points tells nothing that can be seen.
_LARGEST = 1000


def loss_plot(answer: CountAnswer | None, before: CountAnswer | None = None, handles: tuple[Handle, ...] = ()) -> Plot:
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


def compared_plots(known: CountAnswer) -> tuple[Plot, ...]:
    """Return the curves that are laid over those of another design: the error, the prior and the remap."""
    design, curves, plots = known.design, known.curves, []
    if curves is not None:
        epsilon, plot = design.privacy.epsilon, loss_plot(known)
        marks = (Mark(epsilon, float(known.best.value)),) if curves.epsilons[0] <= epsilon <= curves.epsilons[-1] else ()
        title = message("Error against ε") if design.covered else message("Error against ε, geometric + remap")
        plots.append(Plot("loss", title, plot.x, plot.y, plot.lines[:1], marks))
    if design.n <= _LARGEST:
        counts = np.arange(design.n + 1, dtype=float)
        x, y = Axis(message("count")), Axis(message("probability"))
        plots.append(Plot("prior", message("Prior"), x, y, (Line(counts, design.prior.probabilities),)))
        x, y = Axis(message("geometric says")), Axis(message("read as"))
        plots.append(Plot("remap", message("Remap"), x, y, (Line(counts, known.solved.remap.astype(float), steps=True),)))
    return tuple(plots)
