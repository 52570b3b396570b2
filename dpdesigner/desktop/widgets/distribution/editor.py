"""The editor in which people draw what they believe about a count: bars to paint, a curve to bend, a table to type in."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from dpdesigner.core.numbers.parsing import exact, nearest
from dpdesigner.desktop.widgets.base.number_text import brief
from dpdesigner.desktop.widgets.distribution.editor_view import EditorView
from dpdesigner.desktop.widgets.distribution.reshaping import mirrored, replaced, smoothed
from dpdesigner.desktop.widgets.distribution.weight_rules import Floats, Rules, alike, checked, drawable
from dpdesigner.errors import InputError


class DistributionEditor(EditorView):
    """Shows weights over 0..n and asks for others. Their sum does not matter: the axis shows the shares of it.

    Values that come from outside are shown and emit nothing. Every gesture is previewed by `changing` and ends in one
    `changed`, or in `cancelled`.
    """

    changing = Signal(object)  #: array of weights, at most once a mouse event, while a gesture lasts
    changed = Signal(object, str)  #: array of weights, or a tuple of texts where one was typed; and the words of the undo step
    cancelled = Signal()  #: a gesture was given up, or ended where it began
    emptied = Signal(bool)  #: whether everything was erased; nothing else is asked for then
    presetChosen = Signal(str)  #: a prior by name, such as ``"binomial:0.3"``
    selected = Signal(int)  #: a count was chosen
    hovered = Signal(object)  #: the count under the mouse, or None
    pinRequested = Signal()
    csvRequested = Signal()
    pasted = Signal(str)  #: the text of the clipboard

    def __init__(self) -> None:
        super().__init__()
        self._wanted = ""  # the name and parameters asked for last
        self.set_distribution(np.ones(1))
        self._connect()

    def set_distribution(self, weights: ArrayLike, *, texts: tuple[str, ...] | None = None, spec: str = "") -> None:
        """Show a prior and emit nothing; a gesture under way goes on if these are the weights that it has reached.

        Parameters
        ----------
        weights : array (n + 1,)
            Finite, at or above 0, not all 0. They need not sum to 1.
        texts : tuple of str, optional
            The weights as the user gave them, for the table. Without them, the table shows probabilities.
        spec : str
            The name and the parameters of a prior that has a name, such as ``"binomial:0.3"``.

        Raises
        ------
        InputError
            If the weights cannot be a prior, or the texts are not as many. What was shown stays.
        """
        shown = checked(weights, None if texts is None else len(texts))
        if self.plot.busy and alike(shown, self.plot.weights):
            return
        self.texts, self.spec, self.asking.warning = texts, spec, ""
        fitted, self._wanted = bool(spec) and spec == self._wanted, ""
        another = len(shown) != len(self.plot.weights)
        self.plot.set_weights(drawable(shown, given=texts is not None))
        if another:
            self.plot.unlock()
        self.error.clear()
        self.asking.forget(self.plot.weights)
        if fitted and spec.startswith("smooth-quantiles"):
            self.asking.ask(self.plot.weights, fitted)
        self.refresh()

    def _connect(self) -> None:
        plot, table, controls = self.plot, self.table, self.controls
        plot.changing.connect(self._preview)
        plot.changed.connect(self._conclude)
        plot.cancelled.connect(self._give_up)
        plot.explained.connect(self._explain)
        plot.pointed.connect(self._point)
        plot.menu_wanted.connect(self._open_menu)
        plot.rules_changed.connect(self.refresh)
        plot.blanked.connect(self.asking.offer)
        plot.blanked.connect(self.read_out)
        plot.blanked.connect(self.emptied)
        self.asking.restored.connect(self.bring_back)
        self.asking.answered.connect(self._say_in_numbers)
        plot.brush_changed.connect(controls.brush.show_brush)
        table.rows.typed.connect(self._type)
        table.rows.shared.connect(self._type_share)
        table.rows.refused.connect(self.error.set_sentence)
        table.stepped.connect(plot.step)
        plot.gesture.watch(table)
        for view in (plot, table):
            view.chosen.connect(self._choose)
            view.lock_wanted.connect(plot.toggle_lock)
        self.presets.chosen.connect(self.error.clear)
        self.presets.chosen.connect(self._choose_preset)
        self.presets.refused.connect(self.error.set_error)
        controls.mode_chosen.connect(self.set_mode)
        controls.brush.changed.connect(plot.set_brush)
        controls.smooth_wanted.connect(self.smooth)
        controls.mirror_wanted.connect(self.mirror)
        controls.hold_chosen.connect(plot.set_hold_total)
        controls.lock_wanted.connect(plot.toggle_selected)
        controls.unlock_wanted.connect(plot.unlock)
        controls.pin_wanted.connect(self.pinRequested)
        controls.csv_wanted.connect(self.csvRequested)
        controls.paste_wanted.connect(self.paste)

    @Slot(object)
    def _point(self, count: int | None) -> None:
        if not self.plot.busy:
            self.asking.warning = ""
        self.asking.point(count is not None)
        self.read_out()
        self.hovered.emit(count)

    @Slot(str)
    def _explain(self, words: str) -> None:
        self.asking.warning = words
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
        self.asking.ask(weights)
        self.changed.emit(weights.copy(), label)

    @Slot(str)
    def _say_in_numbers(self, spec: str) -> None:
        """Open the form that says what the shape says; the shape stays until something else is typed there."""
        self.presets.show_quantiles(spec, len(self.plot.weights) - 1)

    @Slot(str)
    def _choose_preset(self, spec: str) -> None:
        self._wanted = spec
        self.presetChosen.emit(spec)

    @Slot(object)
    def _give_up(self, weights: Floats) -> None:
        self.refresh()
        self.changing.emit(weights.copy())
        self.cancelled.emit()

    @Slot(int, str)
    def _type(self, count: int, text: str) -> None:
        rows, plot = self.table.rows, self.plot
        label = self.tr("Set count {count} to {text}").format(count=count, text=text)
        settled = replaced(plot.weights, count, self._drawn(rows.check(count, text)), plot.rules)
        why_not = plot.why_not(count, settled)
        self.error.set_sentence(why_not)
        if why_not:
            return
        if plot.rules.bind:
            plot.commit(settled, label)
        else:
            self._take_texts(rows.with_text(count, text), settled.weights, label)

    def _drawn(self, weight: float) -> float:
        """Return a typed weight on the scale of the bars, on which very large and very small ones are probabilities."""
        highest = float(self.plot.weights.max())
        largest = highest if self.texts is None else max(nearest(exact(text)) for text in self.texts)
        return weight if largest == highest else weight / largest * highest

    @Slot(int, object)
    def _type_share(self, count: int, share: Fraction) -> None:
        """Give a count a share of the total; the others share the rest."""
        plot, percent = self.plot, brief(float(100 * share))
        label = self.tr("Set count {count} to {percent}%").format(count=count, percent=percent)
        if plot.rules.locked:
            value = float(share) * float(plot.weights.sum())
            plot.commit(replaced(plot.weights, count, value, Rules(plot.rules.locked, True)), label)
            return
        try:
            texts = self.table.rows.with_share(count, share)
        except InputError as error:
            self.error.set_error(error)
            return
        self.error.clear()
        self._take_texts(texts, drawable(checked([nearest(exact(text)) for text in texts]), given=True), label)

    def _take_texts(self, texts: tuple[str, ...], weights: Floats, label: str) -> None:
        """Show weights that were typed, and ask for them as they are written."""
        self.plot.set_weights(weights)
        self.texts, self.spec = texts, ""
        self.refresh()
        self.changed.emit(texts, label)

    @Slot(int)
    def _choose(self, count: int) -> None:
        self.used, self.asking.warning = True, ""
        self.set_selected(count)
        self.selected.emit(count)

    @Slot()
    def bring_back(self) -> None:
        """Show again what was there before everything was erased."""
        self.plot.set_blank(False)
        self.plot.setFocus()

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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste numbers."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        else:
            super().keyPressEvent(event)
