"""One line that says how likely a count is, in as many words as fit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from dpdesigner.desktop.widgets.number_text import brief
from dpdesigner.desktop.widgets.steady import SteadyText
from dpdesigner.desktop.widgets.weight_rules import Floats


class FittingLine(SteadyText):
    """Plain text of one line that never widens its parent: the first of its versions that fits, the last one cut."""

    def __init__(self) -> None:
        super().__init__("small")
        self._versions: Sequence[str] = ("",)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def say(self, *versions: str, warning: bool = False) -> None:
        """Show a text, given in versions from long to short; a warning in the colour of errors."""
        self.set_style("error" if warning else "small")
        self._versions = versions
        self._fit()

    def sizeHint(self) -> QSize:
        """Ask for a line's height."""
        return QSize(0, self.label.fontMetrics().height() + 1)

    def minimumSizeHint(self) -> QSize:
        """Ask for the same."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width, metrics = self.width(), self.label.fontMetrics()
        fitting = (text for text in self._versions if metrics.horizontalAdvance(text) <= width)
        shown = next(fitting, metrics.elidedText(self._versions[-1], Qt.TextElideMode.ElideRight, width))
        self.setText(shown)
        tip = "" if shown in self._versions else self._versions[0]
        if tip != self.toolTip():
            self.setToolTip(tip)


class DistributionReading(FittingLine):
    """What a bar says, in probabilities."""

    def read(self, weights: Floats, count: int | None, posterior: Floats | None = None) -> None:
        """Say how likely a count is, and that many or fewer, and what is believed of it after a release."""
        if count is None or count >= len(weights):
            self.say("")
            return
        total = float(weights.sum())
        exactly, below = brief(100 * float(weights[count]) / total), brief(100 * float(weights[: count + 1].sum()) / total)
        long = self.tr("P(count = {count}) = {percent} %, P(count ≤ {count}) = {below} %")
        short = self.tr("P(= {count}) = {percent} %, P(≤ {count}) = {below} %")
        lines = [words.format(count=count, percent=exactly, below=below) for words in (long, short)]
        if posterior is not None and len(posterior) == len(weights):
            after = self.tr("posterior {percent} %").format(percent=brief(100 * float(posterior[count])))
            lines.insert(0, f"{lines[0]}; {after}")
        self.say(*lines)

    def described(self, weights: Floats, count: int | None) -> str:
        """Return what a screen reader says of a count; nothing without one."""
        if count is None or count >= len(weights):
            return ""
        percent = brief(100 * float(weights[count]) / float(weights.sum()))
        return self.tr("count {count}: {percent} percent").format(count=count, percent=percent)
