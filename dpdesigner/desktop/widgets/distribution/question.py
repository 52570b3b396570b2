"""The line above the bars: how likely a count is; after a stroke, what the shape says of large counts, as a question."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStackedWidget

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import brief
from dpdesigner.desktop.widgets.base.read_out import ReadOut
from dpdesigner.desktop.widgets.distribution.preset_form import interval_quantiles
from dpdesigner.desktop.widgets.distribution.weight_rules import Floats, alike

_RARE = 1 / 20  # a chance that can be pictured: the least count is taken that is exceeded no more often


def rarely_above(weights: Floats) -> tuple[int, float] | None:
    """Return a count and the chance of more: at most 1 in 20 where there is such a chance; None where more says nothing."""
    above = np.cumsum(weights[:0:-1])[::-1] / float(weights.sum())  # P(count > q) for q in 0..n - 1
    rare = np.flatnonzero((above > 0) & (above <= _RARE * (1 + 1e-9)))
    some = np.flatnonzero(above > 0)
    if not some.size:
        return None
    count = int(rare[0] if rare.size else some[-1])
    return (count, float(above[count])) if above[count] <= 0.5 else None


def described(weights: Floats, count: int | None) -> str:
    """Return what a screen reader says of a count; nothing without one."""
    if count is None or count >= len(weights):
        return ""
    percent = brief(100 * float(weights[count]) / float(weights.sum()))
    return tr("count {count}: {percent} percent").format(count=count, percent=percent)


class AskingLine(QStackedWidget):
    """A line that says what is read of a shape; after a stroke it asks whether that is meant, until a bar is pointed at.

    A click on the question says it in numbers.
    """

    restored = Signal()  #: what was there before nothing was left is wanted back
    answered = Signal(str)  #: the question was clicked: the quantiles that say the same, such as ``"smooth-quantiles:96%=9"``

    def __init__(self) -> None:
        super().__init__()
        self.warning = ""  #: why a gesture was not followed in full; it is read before all else
        self.reading = ReadOut(style="small")
        self.question = QPushButton()
        set_class(self.question, "link")
        self.question.setStyleSheet("padding: 0px; text-align: left;")
        self._tip = self.tr("Click to enter it in numbers")
        self.question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.question.clicked.connect(self._answer)
        self._asked: Floats | None = None
        self._versions: tuple[str, ...] = ()
        self._spec, self._blank = "", False
        self.addWidget(self.reading)
        self.addWidget(self.question)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def invite(self) -> None:
        """Say what can be done with the bars, in as many words as fit."""
        self._say(self.tr("Drag to paint, click to select, right-drag to erase"), self.tr("Drag to paint"))

    def read(self, weights: Floats, count: int | None, posterior: Floats | None = None) -> None:
        """Say how likely a count is, and that many or fewer, and what is believed of it after a release."""
        if count is None or count >= len(weights):
            self._say("")
            return
        total = float(weights.sum())
        exactly, below = brief(100 * float(weights[count]) / total), brief(100 * float(weights[: count + 1].sum()) / total)
        long = self.tr("P(count = {count}) = {percent}%, P(count ≤ {count}) = {below}%")
        short = self.tr("P(= {count}) = {percent}%, P(≤ {count}) = {below}%")
        lines = [words.format(count=count, percent=exactly, below=below) for words in (long, short)]
        if posterior is not None and len(posterior) == len(weights):
            after = self.tr("posterior {percent}%").format(percent=brief(100 * float(posterior[count])))
            lines.insert(0, f"{lines[0]}; {after}")
        self._say(*lines)

    def _say(self, *versions: str) -> None:
        self.reading.set_style("error" if self.warning else "small")
        self.reading.setText(*((self.warning,) if self.warning else versions))

    def ask(self, weights: Floats, fitted: bool = False) -> None:
        """Ask whether a shape is meant; of one that was fitted, first which count it made the likeliest."""
        rare, n = rarely_above(weights), len(weights) - 1
        self._asked = None if rare is None else weights.copy()
        if rare is not None:
            count, chance = rare
            sure = min(max(round(100 * (1 - chance)), 1), 99)
            self._spec = f"smooth-quantiles:{interval_quantiles(str(sure), '0', str(count), n)}"
            words: tuple[str, ...] = (
                self.tr("Do you think the count is above {count} with probability 1 in {odds}?"),
                self.tr("1 in {odds} that it is above {count}?"),
            )
            if fitted:
                more = self.tr("So you think {likeliest} is most likely, and above {count} has probability 1 in {odds}?")
                words = (more, self.tr("So you think it is above {count} with probability 1 in {odds}?"), words[1])
            given = {"odds": round(1 / chance), "count": count, "likeliest": int(weights.argmax())}
            self._versions = tuple(text.format(**given) for text in words)
        self.point(False)

    def offer(self, on: bool) -> None:
        """Offer what was there before nothing was left, or no more."""
        self._blank = on
        self.point(False)

    def forget(self, shown: Floats) -> None:
        """Ask no more, unless the shape shown is the one asked about."""
        if self._asked is not None and not alike(shown, self._asked):
            self._asked = None
            self.point(False)

    def point(self, on: bool) -> None:
        """Let the line be read while a bar is pointed at, and ask again after."""
        self.setCurrentIndex(1 if self._blank or (self._asked is not None and not on) else 0)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask in as many words as fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics, versions = self.question.fontMetrics(), self._versions
        if self._blank:
            versions = (self.tr("Nothing is painted. Restore the previous prior"), self.tr("Restore the previous belief"))
        fitting = (text for text in versions if metrics.horizontalAdvance(text) <= self.width() - 4)
        self.question.setText(next(fitting, versions[-1] if versions else ""))
        tip = self.tr("Restore the previous prior, like Esc") if self._blank else self._tip
        self.question.setToolTip(tip)

    @Slot()
    def _answer(self) -> None:
        if self._blank:
            self.restored.emit()
        else:
            self.answered.emit(self._spec)
