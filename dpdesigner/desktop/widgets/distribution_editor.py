"""The editor in which people draw what they believe about a count: bars to paint, a curve to bend, a table to type in."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from dpdesigner.desktop.widgets.distribution_sheet import DistributionSheet
from dpdesigner.desktop.widgets.reshaping import mirrored, replaced, smoothed
from dpdesigner.desktop.widgets.weight_rules import Floats, Rules


class DistributionEditor(DistributionSheet):
    """Shows weights over 0..n and asks for others. Their sum does not matter: the axis shows the shares of it.

    Values that come from outside are shown and emit nothing. Every gesture is previewed by `changing` and ends in one
    `changed`, or in `cancelled`.
    """

    changing = Signal(object)  #: array of weights, at most once a mouse event, while a gesture lasts
    changed = Signal(object, str)  #: array of weights, or a tuple of texts where one was typed; and the words of the undo step
    cancelled = Signal()  #: a gesture was given up, or ended where it began
    presetChosen = Signal(str)  #: a prior by name, such as ``"binomial:0.3"``
    selected = Signal(int)  #: a count was chosen
    hovered = Signal(object)  #: the count under the mouse, or None
    pinRequested = Signal()
    csvRequested = Signal()
    pasted = Signal(str)  #: the text of the clipboard

    def __init__(self) -> None:
        super().__init__()
        self._connect()

    def _connect(self) -> None:
        plot, table, controls = self.plot, self.table, self.controls
        plot.changing.connect(self._preview)
        plot.changed.connect(self._conclude)
        plot.cancelled.connect(self._give_up)
        plot.explained.connect(self._explain)
        plot.pointed.connect(self._point)
        plot.menu_wanted.connect(self._open_menu)
        plot.brush_changed.connect(controls.brush.show_brush)
        table.rows.typed.connect(self._type)
        table.rows.refused.connect(self.error.set_sentence)
        table.stepped.connect(plot.step)
        plot.gesture.watch(table)
        for view in (plot, table):
            view.chosen.connect(self._choose)
            view.lock_wanted.connect(self._toggle_lock)
        self.presets.chosen.connect(self._choose_preset)
        self.presets.refused.connect(self.error.set_error)
        controls.mode_chosen.connect(self.set_mode)
        controls.brush.changed.connect(plot.set_brush)
        controls.smooth_wanted.connect(self.smooth)
        controls.mirror_wanted.connect(self.mirror)
        controls.hold_chosen.connect(self.set_hold_total)
        controls.lock_wanted.connect(self._toggle_selected)
        controls.unlock_wanted.connect(self._unlock)
        controls.pin_wanted.connect(self.pinRequested)
        controls.csv_wanted.connect(self.csvRequested)
        controls.paste_wanted.connect(self.paste)

    @Slot(object)
    def _point(self, count: int | None) -> None:
        if not self.plot.busy:
            self.warning = ""
        self.read_out()
        self.hovered.emit(count)

    @Slot(str)
    def _explain(self, words: str) -> None:
        self.warning = words
        self.read_out()

    @Slot(object)
    def _preview(self, weights: Floats) -> None:
        self.used = True
        if self.stack.currentWidget() is self.table:
            self.table.rows.show_weights(weights, None, self.plot.rules.locked)
        self.changing.emit(weights.copy())

    @Slot(object, str)
    def _conclude(self, weights: Floats, label: str) -> None:
        self.used = True
        self.texts, self.spec = None, ""
        self.refresh()
        self.changed.emit(weights.copy(), label)

    @Slot(object)
    def _give_up(self, weights: Floats) -> None:
        self.refresh()
        self.changing.emit(weights.copy())
        self.cancelled.emit()

    @Slot(int, str)
    def _type(self, count: int, text: str) -> None:
        rows, plot = self.table.rows, self.plot
        label = self.tr("Set count {count} to {text}").format(count=count, text=text)
        found = replaced(plot.weights, count, rows.check(count, text), plot.rules)
        if found.kept is not None or found.stuck or count in plot.rules.locked:
            if found.kept is not None:
                words = self.tr("One count must stay possible, so {count} keeps its weight.")
            else:
                words = self.tr("Count {count} is locked; press L to unlock it.")
            self.error.set_sentence(words.format(count=count))
            return
        self.error.clear()
        if plot.rules.bind:
            plot.commit(found, label)
            return
        texts = rows.with_text(count, text)
        plot.set_weights(found.weights)
        self.texts, self.spec = texts, ""
        self.refresh()
        self.changed.emit(texts, label)

    @Slot(int)
    def _choose(self, count: int) -> None:
        self.used, self.warning = True, ""
        self.set_selected(count)
        self.selected.emit(count)

    @Slot(str)
    def _choose_preset(self, spec: str) -> None:
        self.error.clear()
        self.presetChosen.emit(spec)

    @Slot()
    def smooth(self) -> None:
        """Average each bar with its neighbours."""
        self.plot.commit(smoothed(self.plot.weights, self.plot.rules), self.tr("Smooth prior"))

    @Slot()
    def mirror(self) -> None:
        """Turn the shape round."""
        self.plot.commit(mirrored(self.plot.weights, self.plot.rules), self.tr("Mirror prior"))

    @Slot()
    def paste(self) -> None:
        """Ask for a prior from the numbers on the clipboard."""
        text = QGuiApplication.clipboard().text()
        if text.strip():
            self.error.clear()
            self.pasted.emit(text)
        else:
            self.error.set_sentence(self.tr("There is no text on the clipboard; copy a column of numbers first."))

    @Slot(int, QPoint)
    def _open_menu(self, count: int, at: QPoint) -> None:
        self._choose(count)
        self.controls.open_menu(at)

    @Slot(int)
    def _toggle_lock(self, count: int) -> None:
        self.set_rules(self.plot.rules.toggled(count))

    @Slot()
    def _toggle_selected(self) -> None:
        if self.count is not None:
            self._toggle_lock(self.count)

    @Slot()
    def _unlock(self) -> None:
        self.set_rules(Rules(hold_total=self.plot.rules.hold_total))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste numbers."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        else:
            super().keyPressEvent(event)
