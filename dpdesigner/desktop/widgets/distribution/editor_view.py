"""What the editor of a distribution shows: the line above, bars or table, the form of a named prior, an error, the buttons."""

from __future__ import annotations

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import QStackedWidget

from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget
from dpdesigner.desktop.widgets.distribution.controls import DistributionControls
from dpdesigner.desktop.widgets.distribution.plot import DistributionPlot
from dpdesigner.desktop.widgets.distribution.preset_form import PresetForm
from dpdesigner.desktop.widgets.distribution.question import AskingLine, described
from dpdesigner.desktop.widgets.distribution.table import DistributionTable

_LEAST_HEIGHT = 122  # pixels of the bars with their axis, at text scale 1


class EditorView(FittedWidget):
    """The parts of the editor, each up to date with the others; nothing is asked for here."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: tuple[str, ...] | None = None  #: the weights as they were given
        self.spec = ""  #: the name and parameters of the shape, if it has a name
        self.used = False  #: whether the user has found out what to do here
        self._presenting = False
        self.asking, self.error = AskingLine(), ErrorLine()
        self.plot, self.table = DistributionPlot(), DistributionTable()
        self.presets = PresetForm()
        self.presets.follows = self.plot
        self.controls = DistributionControls(self.presets)
        self.setAccessibleName(self.tr("Prior"))
        self.plot.setAccessibleName(self.tr("Prior: how likely each count is"))
        self.stack = QStackedWidget()
        for view in (self.plot, self.table):
            self.stack.addWidget(view)
        theme().changed.connect(self._restyle)
        self._restyle()
        column_of(self.asking, (self.stack, 1), self.presets, self.error, self.controls, on=self, gap=4)

    @Slot()
    def _restyle(self) -> None:
        self.stack.setMinimumHeight(round(_LEAST_HEIGHT * theme().scale))

    @property
    def count(self) -> int | None:
        """The selected count."""
        return self.plot.bars.selected

    def set_selected(self, count: int | None) -> None:
        """Mark a count and emit nothing."""
        self.plot.set_selected(count)
        self.table.show_count(count)
        self.controls.show_rules(self.plot.rules, count)
        self.read_out()

    def figure(self) -> DistributionPlot:
        """Return the part that is saved as a picture."""
        return self.plot

    @Slot(str)
    def set_mode(self, mode: str) -> None:
        """Show the bars to paint (``"paint"``), the curve to bend (``"curve"``) or the ``"table"``."""
        self.plot.cancel()
        self.plot.set_blank(False)
        self.controls.show_mode(mode)
        self.error.clear()
        self.asking.warning = ""
        if mode == "table":
            self._fill_table()
        else:
            self.plot.set_mode("curve" if mode == "curve" else "paint")
        self.stack.setCurrentWidget(self.table if mode == "table" else self.plot)
        self.refresh()

    def set_presenting(self, on: bool) -> None:
        """Leave the buttons and the boxes away, for an audience."""
        self.controls.setVisible(not on)
        self._presenting = on
        self.refresh()

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height for the least plot and the rows of buttons at the width in force."""
        least, layout = super().minimumSizeHint(), self.layout()
        return QSize(least.width(), least.height() if layout is None else layout.minimumHeightForWidth(self.width()))

    @Slot()
    def refresh(self) -> None:
        """Bring everything beside the bars up to date."""
        if self.stack.currentWidget() is self.table:
            self._fill_table()
        self.presets.show_spec("" if self._presenting else self.spec, len(self.plot.weights) - 1)
        self.controls.show_rules(self.plot.rules, self.count)
        self.read_out()

    def _fill_table(self) -> None:
        self.table.rows.show_weights(self.plot.weights, self.texts, self.plot.rules.locked)
        self.table.show_count(self.count)

    @Slot()
    def read_out(self) -> None:
        """Say how likely the count under the mouse is, else the selected one, and describe the selected one."""
        weights, place = self.plot.weights, self.plot.hovered_count
        self.plot.setAccessibleDescription(described(weights, self.count))
        if place is None and not self.used and not self._presenting and self.stack.currentWidget() is self.plot:
            self.asking.invite()
        else:
            self.asking.read(weights, self.count if place is None else place, self.plot.posterior)
