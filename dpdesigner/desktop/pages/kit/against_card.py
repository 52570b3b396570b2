"""The card of a curve against epsilon, with a line at the design's epsilon that can be dragged to another."""

from __future__ import annotations

from typing import Any

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.panels import Handle

_ENDS = 1e-9, 1e9  # of the line's places: an axis has no room for epsilon = 0 and none without bound


class AgainstCard(Card):
    """A curve plot whose line asks a column for designs with another `epsilon`.

    Parameters
    ----------
    heading : str
        ``"Loss against ε"``.
    asking : AskingColumn
        Whose designs have an `epsilon`.
    flexible : bool
        As for `Card`.
    """

    def __init__(self, heading: str, asking: AskingColumn[Any], *, flexible: bool = False) -> None:
        super().__init__(heading, self.tr("drag the line"), flexible=flexible, foldable=True)
        self.curve = CurvePlot()
        self.curve.handleMoving.connect(lambda target, epsilon: asking.drag("epsilon", epsilon, final=False))
        self.curve.handleMoved.connect(lambda target, epsilon: asking.drag("epsilon", epsilon, final=True))
        self.curve.handleCancelled.connect(asking.previewCancelled)
        self.add(self.curve, 1)

    def set_design(self, design: Any) -> None:
        """Put the line at the `privacy` of a design, whose answer may come later."""
        epsilon = design.privacy.epsilon_above
        place = min(max(epsilon, _ENDS[0]), _ENDS[1])
        self.curve.set_handles((Handle(place, f"ε = {figure(epsilon, 4)}", "epsilon"),))

    def set_stale(self, on: bool) -> None:
        """Fade the curve and say that it is being computed anew."""
        self.curve.set_stale(on)
        self.set_word(self.tr("computing…") if on else self.tr("drag the line"))
