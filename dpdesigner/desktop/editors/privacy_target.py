"""The reverse direction: a target for the expected loss or a risk, from which the page computes epsilon."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QWidget

from dpdesigner.core.basics.level import Risk
from dpdesigner.core.basics.parsing import exact, nearest
from dpdesigner.core.basics.rounding import figure, rounded_down
from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import column_of, flow_of
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import tr
from dpdesigner.errors import InputError

_STEPS = 400
_LEAST_SLIDER = 110  # least width of the slider in pixels, with the gaps
_PLACES = 7  # decimals of a loss below 1 in the box, at most; below 0.0001 it has an exponent
_LARGEST_RISK = 99.0  # the largest risk on the slider, out of 100


@dataclass
class _Scale:
    """The range of the slider, from the value at its right end to that at its left, and the current value."""

    best: float = math.nan
    worst: float = math.nan
    ratios: bool = False
    value: float = math.nan
    digits: int = 4  #: of the value in the box
    squared: bool = False  #: whether values are squares, of which the box has the root

    def shown(self, value: float) -> float:
        return math.sqrt(value) if self.squared and value > 0 else value

    def cost(self, shown: float) -> float:
        return shown * abs(shown) if self.squared else shown

    @property
    def usable(self) -> bool:
        return math.isfinite(self.best) and math.isfinite(self.worst) and self.best != self.worst


class PrivacyTarget(QWidget):
    """A box and a slider for the expected loss; right is more accurate, as on the slider of epsilon.

    Parameters
    ----------
    risks : bool
        Whether a menu offers risks to aim for instead, in people of 100.
    """

    changing = Signal(float)  #: a target expected loss, during a slider drag
    changed = Signal(float)  #: the target at the end of a drag, or from the box
    riskChanging = Signal(object)  #: a target risk, as a Fraction, during a slider drag
    riskChanged = Signal(object)  #: the target at the end of a drag, or from the box
    cancelled = Signal()

    def __init__(self, risks: bool = False) -> None:
        super().__init__()
        self._sought = math.nan  # the last target, as the box has it
        self._noun = tr("error")
        self.risk: Risk | None = None  #: the target risk; None: the target is an expected loss
        self._scales: dict[Risk | None, _Scale] = {None: _Scale()}
        self._menu = self._kinds_menu() if risks else None
        self._label: QLabel | QPushButton = QLabel(_versions(None, self._noun)[0])
        if self._menu is not None:
            self._label = QPushButton(_versions(None, self._noun)[0], autoDefault=False)
            set_class(self._label, "link")
            self._label.clicked.connect(self._open_menu)
        self.box = ValueBox("0.083334")
        self.slider = GestureSlider(_STEPS, fine=2, coarse=_STEPS // 10)
        self.message = ErrorLine()
        self._name_parts()
        column_of(flow_of(self._label, self.box, self.slider), self.message, on=self, gap=4)
        self.slider.says = self.box.text
        self.slider.moving.connect(self._preview)
        self.slider.moved.connect(self._settle)
        self.slider.cancelled.connect(self._give_up)
        self.box.committed.connect(self._read)
        self.box.abandoned.connect(self.message.clear)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the label if box and slider need the room."""
        super().resizeEvent(event)
        self._fit_label()

    def set_range(self, best: float, worst: float, ratios: bool = False) -> None:
        """Set the least and the largest expected loss attainable at some epsilon; the row is disabled while there is none.

        The slider goes from one to the other in equal steps, or in equal ratios, where both losses are positive.
        """
        scale = self._scales[None]
        scale.best, scale.worst, scale.ratios = best, worst, ratios
        self._refresh()

    def set_value(self, value: float, digits: int = 5, squared: bool = False) -> None:
        """Show the current expected loss, rounded up to `digits`, or to two before an exponent; for a mean square, its root."""
        if not self.slider.busy:
            scale = self._scales[None]
            scale.value, scale.squared, scale.digits = value, squared, 4 if squared else digits
            if 0 < (shown := scale.shown(value)) < 1:
                scale.digits = max(2, min(scale.digits, _PLACES + math.floor(math.log10(shown))))
            self._refresh()

    def set_risks(self, risks: Mapping[Risk, tuple[Fraction, Fraction]]) -> None:
        """Show the current risks, and the least possible value of each; probabilities."""
        if not self.slider.busy:
            for risk, (value, least) in risks.items():
                self._scales[risk] = _Scale(_LARGEST_RISK, 100 * nearest(least), False, 100 * nearest(value))
            self._refresh()

    def set_error(self, error: InputError) -> None:
        """Show an error, for example that the target loss cannot be reached, in roots where the box has one."""
        if self._scale.squared and error.suggestion:
            target, root = self.box.text().strip(), math.sqrt(float(error.suggestion))
            nearest = f"{rounded_down(root, 4):f}" if self._sought > root else figure(root, 4)
            words = self.tr("No allowed ε gives an error of {target}; {nearest} is possible.")
            error = InputError(words.format(target=target, nearest=nearest), error.field, nearest)
        self.message.set_error(error, self.box)

    def name_errors(self, on: bool) -> None:
        """Call what is aimed for an error, or if it is another loss, a loss."""
        self._noun = tr("error") if on else tr("loss")
        self._name_parts()
        self._fit_label()

    def aim_for(self, risk: Risk | None) -> None:
        """Change the target to the expected loss or another risk."""
        self.risk = risk
        self.message.clear()
        self._name_parts()
        self._fit_label()
        self._refresh()

    @property
    def _scale(self) -> _Scale:
        return self._scales.get(self.risk) or _Scale()

    def _kinds_menu(self) -> QMenu:
        menu = QMenu(self)
        kinds: tuple[Risk | None, ...] = (None, "found_out", "bet", "advantage")
        for kind in kinds:
            menu.addAction(_titles()[kind]).triggered.connect(lambda checked=False, kind=kind: self.aim_for(kind))
        return menu

    @Slot()
    def _open_menu(self) -> None:
        if self._menu is not None:
            self._menu.popup(self._label.mapToGlobal(self._label.rect().bottomLeft()))

    def _fit_label(self) -> None:
        room = self.width() - self.box.sizeHint().width() - _LEAST_SLIDER
        sign = "" if self._menu is None else " ▾"
        versions = [f"{text}{sign}" for text in _versions(self.risk, self._noun)]
        fitting = (text for text in versions if self._label.fontMetrics().horizontalAdvance(text) <= room)
        self._label.setText(next(fitting, versions[-1]))

    def _name_parts(self) -> None:
        about = self.tr("Enter a target for the expected {noun}, or drag the slider; epsilon follows.").format(noun=self._noun)
        box = self.tr("Expected {noun} to aim for").format(noun=self._noun)
        slider = self.tr("Target for the expected {noun}; further right is more accurate and less private")
        slider = slider.format(noun=self._noun)
        if self.risk is not None:
            title = _titles()[self.risk]
            about = self.tr(
                "Of 100, at most. The attacker knows everybody else. Enter a number or drag the slider; epsilon follows."
            )
            box, slider = title, self.tr("{risk}; further right is more accurate and less private").format(risk=title)
        self.box.setAccessibleName(box)
        self.slider.setAccessibleName(slider)
        if isinstance(self._label, QLabel):
            self._label.setBuddy(self.box)
        else:
            self._label.setAccessibleName(self.tr("Aim for: {title}").format(title=_titles()[self.risk]))
        for widget in (self._label, self.box, self.slider):
            widget.setToolTip(about)

    def _refresh(self) -> None:
        scale = self._scale
        for widget in (self.box, self.slider) if self._menu is not None else (self,):  # the kind of target can still be chosen
            widget.setEnabled(scale.usable)
        value = scale.value
        self.box.show_value(figure(scale.shown(value), scale.digits) if math.isfinite(value) else "")
        if scale.usable and math.isfinite(value):
            part = (scale.worst - value) / (scale.worst - scale.best)
            if scale.ratios:
                part = math.log(scale.worst / value) / math.log(scale.worst / scale.best) if value > 0 else 1.0
            self.slider.show_value(round(_STEPS * min(1.0, max(0.0, part))))

    def _at(self, step: int) -> float:
        scale, share = self._scale, min(step, _STEPS - 1) / _STEPS  # no epsilon reaches the best
        exactly = scale.worst + (scale.best - scale.worst) * share
        if scale.ratios:
            exactly = scale.worst * (scale.best / scale.worst) ** share
        low, high = sorted((scale.shown(scale.best), scale.shown(scale.worst)))
        return min(high, max(low, float(f"{scale.shown(exactly):.4g}")))

    def _emit(self, value: float, final: bool) -> None:
        if self.risk is None:
            self._sought = value
            (self.changed if final else self.changing).emit(self._scale.cost(value))
        else:
            (self.riskChanged if final else self.riskChanging).emit(Fraction(repr(value)) / 100)

    @Slot(int)
    def _preview(self, step: int) -> None:
        value = self._at(step)
        self.message.clear()
        self.box.show_value(figure(value, 4))
        self._emit(value, False)

    @Slot(int)
    def _settle(self, step: int) -> None:
        value = self._at(step)
        self._scale.value = self._scale.cost(value)
        self._emit(value, True)

    @Slot()
    def _give_up(self) -> None:
        self._refresh()
        self.cancelled.emit()

    @Slot(str)
    def _read(self, text: str) -> None:
        try:
            what = self.tr("the expected {noun}") if self.risk is None else self.tr("the risk, of 100,")
            value = exact(text, what.format(noun=self._noun))
        except InputError as error:
            self.message.set_error(error, self.box)
            return
        self.message.clear()
        if self.risk is None:
            self._emit(nearest(value), True)
        else:
            self.riskChanged.emit(value / 100)


def _titles() -> dict[Risk | None, str]:
    return {
        None: tr("Expected error"),
        "found_out": tr("People found out, at 1 false alarm in 100"),
        "bet": tr("50 : 50 bets won, of 100"),
        "advantage": tr("Lead over chance, of 100"),
    }


def _versions(risk: Risk | None, noun: str) -> tuple[str, ...]:
    """Return the versions of the label, from long to short."""
    if risk is None:
        long, short = tr("Aim for expected {noun}"), tr("Aim for {noun}")
        return long.format(noun=noun), short.format(noun=noun), tr("Aim for")
    words = {"found_out": tr("Found out, of 100"), "bet": tr("Bets won, of 100"), "advantage": tr("Lead, of 100")}
    return words[risk], tr("Aim for")
