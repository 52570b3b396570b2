"""The card that asks how private: one level, what it means in a bet, and where a page can, an expected loss to aim for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import Signal, Slot

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.privacy.control import PrivacyControl
from dpdesigner.errors import InputError
from dpdesigner.studies.job import Aim, Job


class PrivacyCard(Card):
    """Asks the column that it is in for designs with another `privacy`.

    Parameters
    ----------
    asking : AskingColumn
        Whose designs have a `privacy`.
    target : bool
        Whether an expected loss can be aimed for; then `targetWanted` is emitted, and `control` is told what can be reached.
    """

    targetWanted = Signal(float, bool)  #: an expected loss to reach; whether the drag has ended

    def __init__(self, asking: AskingColumn[Any], target: bool = False) -> None:
        super().__init__(self.tr("How private"), self.tr("privacy level ε"), foldable=True)
        self._asking = asking
        self.control = control = PrivacyControl(target)
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

    def set_attained(self, asked: PrivacyLevel, attained: PrivacyLevel | None, of_what: str) -> None:
        """Say in words what privacy there really is and in what, where it is not the one asked for."""
        self.control.set_attained(None if attained == asked else attained, of_what)

    def set_level(self, level: PrivacyLevel) -> None:
        """Show a level; what was said of one that was refused, or of an aim, no longer matters."""
        self.control.clear_errors()
        self.control.set_privacy(level)
        self.set_line(level.description)

    def set_costs(self, cost: float, others: Iterable[float]) -> None:
        """Show an expected cost, and let the slider aim between those of other levels, in equal ratios."""
        reached = [other for other in others if 0 < other < math.inf] or [math.nan]
        self.control.target.set_range(min(reached), max(reached), ratios=True)
        self.control.target.set_value(cost)

    def aim_by(self, aiming: Callable[[Any, float, bool], Job], request: Callable[[Job], object]) -> None:
        """Let a job, of a design, a target and whether that is final, look for the level; `reach` takes what it finds."""

        def aim(target: float, final: bool) -> None:
            if self._asking.design is not None:
                request(aiming(self._asking.design, target, final))

        self.targetWanted.connect(aim)

    def reach(self, aim: Aim) -> None:
        """Ask for the level that an aim has led to."""
        label = self.tr("Aim for expected error") if aim.final else ""
        self._asking.change(label, privacy=aim.level)

    def _mended(self, error: InputError) -> InputError:
        """Offer a level that the design in force allows: it may allow fewer than there are."""
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
