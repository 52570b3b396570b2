"""The editor in which people draw a prior over 0..n: paint, curve, table, named shapes."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from dpdesigner.desktop.widgets.brush import Brush, smoothed
from dpdesigner.desktop.widgets.preset_row import PresetRow
from dpdesigner.desktop.widgets.prior_plot import PriorPlot
from dpdesigner.desktop.widgets.prior_table import PriorModel, PriorTable
from dpdesigner.desktop.widgets.sentence_label import SentenceLabel

Floats = NDArray[np.float64]

_WIDTHS = (1, 3, 5, 9)


class DistributionEditor(QWidget):
    """Shows weights over 0..n and asks for others; their sum does not matter, the axis shows probabilities."""

    changing = Signal(object)  #: ndarray of weights, while a gesture lasts
    changed = Signal(object, str)  #: ndarray of weights, or a tuple of texts where one was typed; and the words of the undo step
    cancelled = Signal()  #: a gesture was given up
    presetChosen = Signal(str)  #: a named prior, such as ``"binomial:0.3"``
    pinRequested = Signal()
    csvRequested = Signal()
    pasted = Signal(str)
    selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot = PriorPlot()
        self._model = PriorModel()
        self.table = PriorTable(self._model)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.plot)
        self._stack.addWidget(self.table)
        self.presets = PresetRow()
        self._error = SentenceLabel("error")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.presets)
        layout.addWidget(self._error)
        layout.addLayout(self._button_row())
        self.setMinimumHeight(130)
        self._connect()

    def _connect(self) -> None:
        self.plot.changing.connect(self.changing)
        self.plot.changed.connect(self._take)
        self.plot.cancelled.connect(self.cancelled)
        self.plot.selected.connect(self.selected)
        self._model.edited.connect(self._take_text)
        self._model.refused.connect(self._error.set_sentence)
        self.presets.chosen.connect(self.presetChosen)
        self.presets.refused.connect(self._error.set_sentence)

    def _button_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self.modes: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        for mode, text, tip in (
            ("paint", self.tr("Paint"), self.tr("Drag over the bars; Shift: straight line, right button: erase, wheel: nudge")),
            ("curve", self.tr("Curve"), self.tr("Drag the handles; a double click adds one, the right button removes one")),
            ("table", self.tr("Table"), self.tr("Type weights: 0.2, 1/3 or 20%")),
        ):
            button = self._chip(text, tip)
            button.setCheckable(True)
            button.clicked.connect(partial(self.set_mode, mode))
            group.addButton(button)
            row.addWidget(button)
            self.modes[mode] = button
        self.modes["paint"].setChecked(True)
        preset = self._chip(self.tr("Preset ▾"), self.tr("Named shapes"))
        menu = QMenu(preset)
        self.presets.fill(menu)
        preset.setMenu(menu)
        preset.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        more = self._chip("⋯", self.tr("Smooth, mirror, brush, locks, files"))
        more.setAccessibleName(self.tr("More"))
        more.setMenu(self._more_menu(more))
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        for widget in (preset, more):
            row.addWidget(widget)
        row.addStretch(1)
        return row

    def _chip(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        button.setProperty("class", "chip")
        return button

    def _more_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        menu.addAction(self.tr("Smooth")).triggered.connect(self._smooth)
        menu.addAction(self.tr("Mirror")).triggered.connect(self._mirror)
        widths = menu.addMenu(self.tr("Brush width"))
        for width in _WIDTHS:
            widths.addAction(str(width)).triggered.connect(partial(self._set_width, width))
        self._soft = self._switch(menu, self.tr("Soft brush"), True)
        self._hold = self._switch(menu, self.tr("Hold total"), False)
        menu.addAction(self.tr("Lock or unlock the selected bar (L)")).triggered.connect(self._lock)
        menu.addSeparator()
        menu.addAction(self.tr("Pin this prior for comparison")).triggered.connect(self.pinRequested)
        menu.addAction(self.tr("From a CSV column of counts…")).triggered.connect(self.csvRequested)
        menu.addAction(self.tr("Paste numbers")).triggered.connect(self._paste)
        return menu

    def _switch(self, menu: QMenu, text: str, on: bool) -> QAction:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(on)
        action.toggled.connect(self._set_brush)
        return action

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_distribution(self, weights: Floats, *, texts: tuple[str, ...] | None = None, spec: str = "") -> None:
        """Show a prior and emit nothing.

        Parameters
        ----------
        weights : ndarray
            (n + 1,): not negative, not all zero; they need not sum to 1.
        texts : tuple of str, optional
            The weights as the user gave them, for the table.
        spec : str
            Its name and parameters, if it has a name.
        """
        self._error.set_sentence("")
        if not self.plot.busy:
            self.plot.set_weights(weights)
            self.presets.show_spec(spec, len(weights) - 1)
        if self._stack.currentWidget() is self.table or len(weights) != len(self._model.weights):
            self._model.set_weights(weights, texts)
        else:
            self._model.weights, self._model.texts = weights, texts

    def set_pinned(self, pinned: list[tuple[str, Floats]]) -> None:
        """Draw earlier priors as dashed outlines."""
        self.plot.bars.pinned = [probabilities for _, probabilities in pinned]
        self.plot.bars.update()

    def set_posterior(self, probabilities: Floats | None) -> None:
        """Draw what would be believed after a release as a thin outline."""
        self.plot.bars.posterior = probabilities
        self.plot.bars.update()

    def set_selected(self, count: int | None) -> None:
        """Mark a count and emit nothing."""
        self.plot.set_selected(count)

    def weights(self) -> Floats:
        """Return the weights shown."""
        return self.plot.weights

    def figure(self) -> PriorPlot:
        """Return the part that is saved as a picture."""
        return self.plot

    def set_mode(self, mode: str, checked: bool = True) -> None:
        """Show the bars to paint, the curve or the table."""
        self.modes[mode].setChecked(True)
        self._stack.setCurrentWidget(self.table if mode == "table" else self.plot)
        if mode == "table":
            self._model.set_weights(self.plot.weights, self._model.texts)
        else:
            self.plot.set_mode("curve" if mode == "curve" else "paint")

    # Intents -----------------------------------------------------------------------------------------------------------

    @Slot(object, str)
    def _take(self, weights: Floats, words: str) -> None:
        self._model.texts = None
        self.changed.emit(weights, words)

    @Slot(int, str)
    def _take_text(self, count: int, text: str) -> None:
        texts = [self._model.text(place) for place in range(len(self._model.weights))]
        texts[count] = text
        self._error.set_sentence("")
        self.changed.emit(tuple(texts), self.tr("Type prior"))

    @Slot()
    def _smooth(self) -> None:
        self._take(smoothed(self.plot.weights, self.plot.brush), self.tr("Smooth prior"))

    @Slot()
    def _mirror(self) -> None:
        self._take(self.plot.weights[::-1].copy(), self.tr("Mirror prior"))

    @Slot()
    def _lock(self) -> None:
        if self.plot.bars.selected is not None:
            self.plot.toggle_lock(self.plot.bars.selected)

    @Slot()
    def _paste(self) -> None:
        self.pasted.emit(QGuiApplication.clipboard().text())

    def _set_width(self, width: int, checked: bool = False) -> None:
        brush = self.plot.brush
        self.plot.brush = Brush(width, brush.soft, brush.hold_total, brush.locked)

    @Slot()
    def _set_brush(self) -> None:
        brush = self.plot.brush
        self.plot.brush = Brush(brush.width, self._soft.isChecked(), self._hold.isChecked(), brush.locked)
