"""The privacy card: a level, its meaning as a bet, and on some pages an expected loss to aim for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton

from dpdesigner.core.delta import risks
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.privacy.control import DeltaRow, PrivacyControl
from dpdesigner.errors import InputError
from dpdesigner.studies.study import Aim, Job

#: The initial value of the link, because an empty box would request nothing.
_FIRST_DELTA = "0.01"


class PrivacyCard(Card):
    """The controls for privacy; requests designs with another `privacy` from the column that contains it.

    Parameters
    ----------
    asking : AskingColumn
        Whose designs have a `privacy`.
    target : bool
        Whether an expected loss can be aimed for; then `targetWanted` is emitted, and `control` is told what can be reached.
    delta : bool
        Whether designs have a `delta`, and a risk can be aimed for.
    """

    targetWanted = Signal(float, bool)  #: an expected loss to reach; whether the drag has ended

    def __init__(self, asking: AskingColumn[Any], target: bool = False, delta: bool = False) -> None:
        super().__init__(self.tr("How private"), self.tr("ε"))
        self._asking = asking
        self._level: PrivacyLevel | None = None
        self.control = control = PrivacyControl(target, delta)
        self._add_delta = QPushButton(self.tr("+ δ"), self)
        self._add_delta.hide()
        if control.delta is not None:
            self._offer_delta(control.delta)
        control.mended = self._mended
        control.changing.connect(self._preview)
        control.changed.connect(self._change)
        control.cancelled.connect(asking.previewCancelled)
        control.target.cancelled.connect(asking.previewCancelled)
        control.target.changing.connect(self._aim)
        control.target.changed.connect(self._aim_finally)
        self.add(control)
        asking.field("target", control.target.set_error)
        for name in ("epsilon", "alpha"):
            asking.field(name, control.show_error)

    def _offer_delta(self, row: DeltaRow) -> None:
        set_class(self._add_delta, "link")
        self._add_delta.setAccessibleName(self.tr("Add delta"))
        self._add_delta.setToolTip(self.tr("Allow a δ that ε does not cover: (ε, δ)-differential privacy"))
        self._add_delta.clicked.connect(self._begin_delta)
        self.header.addWidget(self._add_delta)
        self.header.addWidget(row.more)
        self._add_delta.show()
        row.more.hide()
        row.changed.connect(self._change_delta)
        row.furtherChanged.connect(lambda further: self._asking.change(self.tr("Set further levels"), further=further))
        self._asking.field("privacy", row.show_error)
        self.control.bothTyped.connect(self._change_both)
        self.control.target.riskChanging.connect(lambda risk: self._aim_for_risk(risk, ""))
        self.control.target.riskChanged.connect(lambda risk: self._aim_for_risk(risk, self.tr("Aim for a risk")))
        self._asking.field("delta", row.show_error)
        self._asking.field("aim", self.control.target.set_error)

    def set_delta(
        self, delta: Number | None, further: str | Sequence[tuple[Number, Number]] = (), won: Fraction | float | None = None
    ) -> None:
        """Show delta in its own box, the further guarantees, and the largest probability of winning a bet."""
        self.control.set_delta(delta, won)
        if self.control.delta is not None:
            self.control.delta.show_further(further)
            self.control.delta.more.setHidden(delta is None)
        self._add_delta.setHidden(self.control.delta is None or delta is not None)
        self.set_word(self.tr("ε") if delta is None else self.tr("ε, δ"))
        if self._level is not None and (alpha := self._level.alpha_below):
            ratio, uncovered = 1 / alpha, Fraction(0) if delta is None else exact(delta)
            least, rate = Fraction(1), risks.USUAL_RATE
            self.control.target.set_risks(
                {
                    "found_out": (risks.found_out(ratio, uncovered, rate), risks.found_out(least, uncovered, rate)),
                    "bet": (risks.bet(ratio, uncovered), risks.bet(least, uncovered)),
                    "advantage": (risks.advantage(ratio, uncovered), risks.advantage(least, uncovered)),
                }
            )

    @Slot()
    def _begin_delta(self) -> None:
        self._asking.change(self.tr("Add δ"), delta=_FIRST_DELTA)
        if self.control.delta is not None:
            self.control.delta.box.begin()

    @Slot(object)
    def _change_delta(self, typed: str | None) -> None:
        if typed is None:
            self._asking.change(self.tr("Remove δ"), delta=None)
        else:
            self._asking.change(self.tr("Set δ to {number}").format(number=typed.strip()), delta=typed.strip())

    @Slot(str, str)
    def _change_both(self, epsilon: str, delta: str) -> None:
        label = self.tr("Set ε to {epsilon}, δ to {delta}").format(epsilon=epsilon, delta=delta)
        self._asking.change(label, epsilon=epsilon, delta=delta)

    def _aim_for_risk(self, risk: Fraction, label: str) -> None:
        self._asking.change(label, aim=(self.control.target.risk, str(risk)))

    def set_attained(self, asked: PrivacyLevel, attained: PrivacyLevel | None, of_what: str) -> None:
        """Show the attained privacy in words, and what attains it, if it differs from the requested level."""
        self.control.set_attained(None if attained == asked else attained, of_what)

    def set_level(self, level: PrivacyLevel) -> None:
        """Show a privacy level; clear earlier errors about a level or an aim."""
        self.control.clear_errors()
        self._level = level
        self.control.set_privacy(level)
        self.set_line(level.description)

    def set_costs(self, cost: float, others: Iterable[float]) -> None:
        """Show an expected loss, and let the slider aim between those of other levels, in equal ratios."""
        reached = [other for other in others if 0 < other < math.inf] or [math.nan]
        self.control.target.set_range(min(reached), max(reached), ratios=True)
        self.control.target.set_value(cost)

    def aim_by(self, aiming: Callable[[Any, float, bool], Job], request: Callable[[Job], object]) -> None:
        """Set the job that finds the level, for a design, a target and whether it is final; `reach` takes its result."""

        def aim(target: float, final: bool) -> None:
            if self._asking.design is not None:
                request(aiming(self._asking.design, target, final))

        self.targetWanted.connect(aim)

    def reach(self, aim: Aim) -> None:
        """Request the level found for an aim."""
        label = self.tr("Aim for expected error") if aim.final else ""
        self._asking.change(label, privacy=aim.level)

    def _mended(self, error: InputError) -> InputError:
        """Suggest a level that the current design allows: it may not allow all levels."""
        if self._asking.design is None or not error.suggestion:
            return error
        try:
            self._asking.design.replace(privacy=PrivacyLevel("alpha" if error.field == "alpha" else "epsilon", error.suggestion))
        except InputError as narrower:
            if error.field == "alpha":
                return InputError(str(error), error.field)
            allowed, given = (str(said).rpartition(", got ") for said in (narrower, error))
            return InputError("".join((*allowed[:2], given[2])), error.field, narrower.suggestion)
        return error

    @Slot(object)
    def _preview(self, level: PrivacyLevel) -> None:
        self._asking.change("", privacy=level)

    @Slot(object, str)
    def _change(self, level: PrivacyLevel, label: str) -> None:
        self._asking.change(label, privacy=level)

    @Slot(float)
    def _aim(self, target: float) -> None:
        self.targetWanted.emit(target, False)

    @Slot(float)
    def _aim_finally(self, target: float) -> None:
        self.targetWanted.emit(target, True)
