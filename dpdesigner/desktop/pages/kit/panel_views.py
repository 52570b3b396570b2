"""Panels as widgets: each shows a panel, and during a drag the next panel of its kind in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from dpdesigner.desktop.base.card import Card, Heading
from dpdesigner.desktop.base.labels import ElidedLabel, SentenceLabel
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class, set_state, theme
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.three_columns import ViewSentence
from dpdesigner.desktop.plots.axis_layer import count_ticks
from dpdesigner.desktop.plots.cost_bars import CostBars, Tiles
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_pictures import PlaneImage
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.plots.plot_layer import FADED, LEAST_PICTURE, colour, fade, font, line, px
from dpdesigner.desktop.plots.plot_stack import PlotStack
from dpdesigner.studies.base import Panel
from dpdesigner.studies.matrices import Matrix, Planes
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Handle
from dpdesigner.studies.table_panels import Pairs, Rank, Ranking, Sentence, Table

_LANE = 70  # pixels at text scale 1 that a lane below the main picture needs
_LEAST, _ROOM = 75, 15  # pixels at text scale 1 that a plot elsewhere needs: a base, and more for each share of the room
_PLANE, _CUT = 160, 100  # the same for planes and their cut
_ROW = 25  # pixels of a row of a table at text scale 1
_MOST_ROWS = 10  # rows of a table visible without scrolling

#: Returns the current place of a handle: the design follows a drag at once, the answer may be late.
Place = Callable[[str], float | None]


class PanelView(QFrame):
    """A widget that shows panels of one kind."""

    flexible: ClassVar[bool] = False  #: whether it accepts any height above its minimum, as a plot does

    moving = Signal(str, object)  #: a handle, point or bar is dragged: its target, and the value that it would take
    moved = Signal(str, object)  #: it was dropped there, or clicked
    cancelled = Signal(str)  #: the drag was cancelled
    told = Signal(str)  #: the sentence about the place pointed at; empty if there is none
    pressed = Signal(str)  #: a key with an action

    def __init__(self) -> None:
        super().__init__()
        self.column = column_of(on=self, gap=4)

    def hasHeightForWidth(self) -> bool:
        """Return whether a layout must assign a height for the width; otherwise a plot would squeeze the texts next to it."""
        return not self.flexible and super().hasHeightForWidth()

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height that texts next to a plot need at the current width."""
        least = super().minimumSizeHint()
        needed = self.column.totalMinimumHeightForWidth(self.width()) if self.flexible else 0
        return QSize(least.width(), max(least.height(), needed))

    def show_panel(self, panel: Any, place: Place) -> None:
        raise NotImplementedError

    def put_handles(self, place: Place) -> None:
        """Move the handles to their current positions."""

    def set_stale(self, on: bool) -> None:
        """Fade the panel while a newer one is being computed."""

    def set_lane(self, number: int) -> None:
        """Take the room of the main picture (0) or of a lane below it (1, 2, ...)."""

    def set_short(self, on: bool) -> None:
        """Show one line of each text, because pictures need the room, or all of it."""


class PlotPanel(PanelView):
    """Curves, with an optional heading and a draggable handle; at their right large numbers, if there are any."""

    flexible = True
    spared = 0  #: pixels of the least height that are left to other parts

    def __init__(self) -> None:
        super().__init__()
        self.heading, self.plot, self.under = Heading(), CurvePlot(), SentenceLabel("small")
        self.caption = ElidedLabel()
        self._room, self._lane = Plot.room, -1  # the lane is -1 outside a column of pictures
        self.under.setAlignment(Qt.AlignmentFlag.AlignTop)
        set_class(self.heading, "heading")
        set_class(self.caption, "muted")
        self.caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.row = row_of(self.heading, (self.caption, 1), gap=8)
        self._beside, self._figures = QWidget(), list[tuple[QLabel, QLabel]]()
        self._side = column_of(None, on=self._beside, gap=2)
        self._beside.hide()
        self.column.addLayout(self.row)
        plots = row_of((self.plot, 5), (self._beside, 3), gap=12)
        plots.setAlignment(self._beside, Qt.AlignmentFlag.AlignVCenter)
        self.column.addLayout(plots, 1)
        self.column.addWidget(self.under)
        self.plot.handleMoving.connect(self.moving)
        self.plot.handleMoved.connect(self.moved)
        self.plot.handleCancelled.connect(self.cancelled)
        theme().follow(self._fit)

    def frame_it(self) -> None:
        """Style the panel as a card."""
        set_class(self, "card")
        self.setProperty("aside", True)
        self.column.setContentsMargins(12, 8, 12, 10)

    @Slot()
    def _fit(self) -> None:
        elsewhere = px(_LEAST + _ROOM * self._room)
        high = {-1: elsewhere, 0: float(LEAST_PICTURE)}.get(self._lane, px(_LANE))
        self.plot.setMinimumHeight(round(high) - self.spared)

    def set_lane(self, number: int) -> None:
        if number != self._lane:
            self._lane = number
            self._fit()

    def set_short(self, on: bool) -> None:
        self.under.set_short(on)

    def show_panel(self, panel: Plot, place: Place) -> None:
        if panel.room != self._room:
            self._room = panel.room
            self._fit()
        self.heading.set_words(translated(panel.title), translated(panel.title))
        self.caption.set_full_text(*map(translated, panel.captions), "")
        self.under.set_sentence("\n".join(map(translated, panel.under)))
        self._show_figures(panel.figures)
        self.plot.show_plot(replace(panel, handles=placed(panel.handles, place)))

    def _show_figures(self, figures: Sequence[Rank]) -> None:
        """Write numbers at the right of the plot."""
        for _ in figures[len(self._figures) :]:
            self._figures.append((styled("muted"), styled("large")))
            for label in self._figures[-1]:
                self._side.addWidget(label)
        self._beside.setVisible(bool(figures))
        for place, labels in enumerate(self._figures):
            for label in labels:
                label.setVisible(place < len(figures))
        for (name, number), row in zip(self._figures, figures, strict=False):
            name.setText(translated(row.shown))
            number.setText(row.text)
            number.setAccessibleName(f"{name.text()}: {row.text}")
            set_state(number, "role", row.role)

    def put_handles(self, place: Place) -> None:
        self.plot.set_handles(placed(self.plot.handles(), place))

    def set_stale(self, on: bool) -> None:
        self.plot.set_stale(on)
        self._beside.setDisabled(bool(on))


LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class PaintedPanel(PanelView):
    """A hand-painted picture with words on the left and columns on the right; keyboard focus draws a frame around it."""

    words: ClassVar[float] = 150.0  #: pixels at text scale 1: the words on the left
    ticks: ClassVar[float] = 18.0  #: the same for the axis below
    panel: Any = None

    def __init__(self) -> None:
        super().__init__()
        self._stale, self._framed = False, False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paint(self, painter: QPainter) -> None:
        raise NotImplementedError

    def set_stale(self, on: bool) -> None:
        self._stale = on
        self.update()

    def area(self) -> QRectF:
        return QRectF(px(self.words), 0, max(self.width() - px(self.words + 4), 1), self.height())

    def lane(self, top: float, foot: float) -> QRectF:
        return QRectF(self.area().left(), top, self.area().width(), foot - top)

    def x_of(self, column: int, size: int) -> float:
        return self.area().left() + (column + 0.5) / size * self.area().width()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.panel is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(FADED if self._stale else 1.0)
        self.paint(painter)
        if self.hasFocus() and self._framed:
            painter.setPen(line("accent", 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(3), px(3))

    def place_at(self, x: float, size: int) -> int:
        area = self.area()
        return min(max(int((x - area.left()) / area.width() * size), 0), size - 1)

    def draw_axis(self, painter: QPainter, size: int) -> None:
        top = self.height() - px(self.ticks) + px(1)
        self.write(painter, top, self.tr("count"), "muted")
        painter.setFont(font(7.5))
        for tick in count_ticks(0, size - 1, max(int(self.area().width() / px(60)), 2)):
            last = self.width() - QFontMetricsF(painter.font()).horizontalAdvance(tick.text) / 2  # where it is not cut
            box = QRectF(min(self.x_of(int(tick.at), size), last) - px(30), top, px(60), px(self.ticks))
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, tick.text)

    def write(self, painter: QPainter, top: float, text: str, ink: str = "text", *, bold: bool = False, indent: int = 0) -> None:
        painter.setFont(font(8.5, bold=bold))
        metrics, room = QFontMetricsF(painter.font()), px(self.words - 8 - indent)
        painter.setPen(colour(ink))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(px(indent), top, room, metrics.height()), LEFT, shown)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._framed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)


class StripsPanel(PanelView):
    """Stacked plots over the same axis."""

    flexible = True

    def __init__(self) -> None:
        super().__init__()
        self.stack = PlotStack()
        self.column.addWidget(self.stack, 1)
        self.stack.moving.connect(self.moving)
        self.stack.moved.connect(self.moved)
        self.stack.cancelled.connect(self.cancelled)
        self.stack.pressed.connect(self.pressed)

    def show_panel(self, panel: Strips, place: Place) -> None:
        plots = tuple(replace(plot, handles=placed(plot.handles, place)) if plot.handles else plot for plot in panel.plots)
        self.stack.show_strips(replace(panel, plots=plots))

    def put_handles(self, place: Place) -> None:
        for plot in self.stack.plots.values():
            plot.set_handles(placed(plot.handles(), place))

    def set_lane(self, number: int) -> None:
        self.stack.set_least(0 if number else LEAST_PICTURE)

    def set_stale(self, on: bool) -> None:
        self.stack.set_stale(on)


class MatrixPanel(PanelView):
    """A matrix as a picture, with an optional heading and the constraints that bind."""

    flexible = True

    def __init__(self) -> None:
        super().__init__()
        self.heading, self.view = Heading(), MatrixView()
        set_class(self.heading, "muted")
        self._panel: Matrix | None = None
        self.column.addWidget(self.heading)
        self.column.addWidget(self.view, 1)
        self._lane = -1
        self.view.rowSelected.connect(self._choose)
        theme().follow(self._fit)

    @Slot()
    def _fit(self) -> None:
        self.view.setMinimumHeight(round(px(_PLANE)) if self._lane else LEAST_PICTURE)

    def set_lane(self, number: int) -> None:
        if number != self._lane:
            self._lane = number
            self._fit()

    def show_panel(self, panel: Matrix, place: Place) -> None:
        self._panel = panel
        self.heading.set_words(translated(panel.title), translated(panel.title))
        self.view.set_titles(translated(panel.rows), translated(panel.columns))
        self.view.setAccessibleName(translated(panel.title))
        self.view.set_numbers(panel.numbers)
        self.view.set_pattern(panel.binding)
        self.view.show_matrix(panel)
        if panel.select is not None:
            row, column = self.view.selected()
            self.view.set_selected(panel.selected if panel.selected >= 0 else row, column)

    @Slot(int)
    def _choose(self, row: int) -> None:
        if self._panel is not None and self._panel.select is not None:
            self.moved.emit(self._panel.select.target, self._panel.select.kept(row))

    def set_stale(self, on: bool) -> None:
        self.view.set_stale(on)


class PlanesPanel(PanelView):
    """Planes side by side with one point read in all of them, and the cut through them below."""

    flexible = True

    def __init__(self) -> None:
        super().__init__()
        self._row, self.cut = QHBoxLayout(), CurvePlot()
        self._row.setSpacing(8)
        self.column.setSpacing(10)
        self.column.addLayout(self._row, 3)
        self.column.addWidget(self.cut, 2)
        self.images: list[PlaneImage] = []
        self._panel: Planes | None = None
        theme().follow(self._fit)

    @Slot()
    def _fit(self) -> None:
        """Keep pictures and cut high enough to be legible at this text size; the rest can be scrolled to."""
        for image in self.images:
            image.setMinimumHeight(round(px(_PLANE)))
        self.cut.setMinimumHeight(round(px(_CUT)))

    def _add_image(self, name: str, title: str) -> None:
        image = PlaneImage()
        image.setAccessibleName(f"{title}, {name}")
        image.pointed.connect(self._point)
        self._row.addLayout(column_of(styled("muted", name), (image, 1), gap=2))
        self.images.append(image)

    def show_panel(self, panel: Planes, place: Place) -> None:
        """Show planes, always as many as the first time, and their values along the cut."""
        self._panel = panel
        if not self.images:
            for plane in panel.planes:
                self._add_image(translated(plane.name), translated(panel.title))
            self._fit()
        for image, plane in zip(self.images, panel.planes, strict=True):
            image.show_plane(plane)
        self.cut.show_plot(panel.cut)
        self._point(None)

    @Slot(object)
    def _point(self, at: tuple[float, float] | None) -> None:
        for image in self.images:
            image.set_point(at)
        if self._panel is not None:
            self.cut.set_handles(() if at is None else (Handle(self._panel.along(*at), movable=False),))
            self.told.emit("" if at is None else translated(self._panel.read(*at)))

    def set_stale(self, on: bool) -> None:
        for image in self.images:
            image.set_stale(on)
        self.cut.set_stale(on)


class SentencePanel(PanelView):
    """A sentence, or lines to be followed one by one, which are larger and never cut."""

    def __init__(self) -> None:
        super().__init__()
        self.label, self._short = SentenceLabel("small"), False
        self.column.addWidget(self.label)

    def show_panel(self, panel: Sentence, place: Place) -> None:
        words = translated(panel.text)
        set_class(self.label, "" if "\n" in words else "small")
        self.label.set_sentence(words)
        self.set_short(self._short)

    def set_short(self, on: bool) -> None:
        self._short = on
        self.label.set_short(on and "\n" not in self.label.full_text)


class KeptSentencePanel(PanelView):
    """A sentence that never shrinks, so that no picture moves under the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.label = ViewSentence()
        self.column.addWidget(self.label)

    def show_panel(self, panel: Sentence, place: Place) -> None:
        self.label.say("", translated(panel.text))

    def set_short(self, on: bool) -> None:
        self.label.set_short(on)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the sentence take the height that it needs at the new width."""
        super().resizeEvent(event)
        self.label.forget()


class RankingPanel(PanelView):
    """A card of bars."""

    def __init__(self) -> None:
        super().__init__()
        self.card, self.bars, self.note = Card(" "), CostBars(), SentenceLabel("small")
        self.card.add(self.bars)
        self.card.add(self.note)
        self.column.addWidget(self.card)
        self.bars.picked.connect(self.moved)

    def show_panel(self, panel: Ranking, place: Place) -> None:
        self.card.set_heading(capital(translated(panel.title)))
        self.bars.setAccessibleName(translated(panel.title))
        self.bars.show_ranking(panel)
        self.note.set_sentence(translated(panel.note))

    def set_stale(self, on: bool) -> None:
        self.bars.set_stale(on)


class TablePanel(PanelView):
    """A card with a table of cells that can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self.card, self.grid, self.note = Card(" "), QTableWidget(), SentenceLabel("small")
        self.grid.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.grid.verticalHeader().hide()
        self.card.add(self.grid)
        self.card.add(self.note)
        self.column.addWidget(self.card, 0, Qt.AlignmentFlag.AlignTop)
        theme().follow(self._measure)

    def show_panel(self, panel: Table, place: Place) -> None:
        self.card.set_heading(translated(panel.title))
        self.grid.setAccessibleName(translated(panel.title))
        self.grid.setRowCount(len(panel.rows))
        self.grid.setColumnCount(len(panel.header))
        self.grid.setHorizontalHeaderLabels([translated(text) for text in panel.header])
        for i, row in enumerate(panel.rows):
            for r, text in enumerate(row):
                self.grid.setItem(i, r, QTableWidgetItem(translated(text)))
        self.note.set_sentence(translated(panel.note))
        self._measure()

    def set_stale(self, on: bool) -> None:
        fade(on, self.grid.viewport(), self.note)

    @Slot()
    def _measure(self) -> None:
        """Measure the height of a row."""
        self.grid.verticalHeader().setDefaultSectionSize(round(px(_ROW)))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit)  # once the table has its width

    @Slot()
    def _fit(self) -> None:
        """Fit the columns to their contents, the last one to what is left, and the height to the rows, up to ten of them."""
        rows, header, columns = min(self.grid.rowCount(), _MOST_ROWS), self.grid.horizontalHeader(), self.grid.columnCount()
        bar = self.grid.verticalScrollBar().sizeHint().width() if rows < self.grid.rowCount() else 0
        spare = self.grid.width() - 2 * self.grid.frameWidth() - bar
        for column in range(columns):
            wide = max(self.grid.sizeHintForColumn(column), header.sectionSizeHint(column))
            header.resizeSection(column, wide if column < columns - 1 else max(wide, spare))
            spare -= wide
        high = 0 if spare >= 0 else self.grid.horizontalScrollBar().sizeHint().height()
        high += sum(self.grid.rowHeight(row) for row in range(rows)) + header.sizeHint().height()
        self.grid.setFixedHeight(high + 2 * self.grid.frameWidth())


class TilesPanel(PanelView):
    """A title, what is said, and tiles."""

    flexible = True

    def __init__(self) -> None:
        super().__init__()
        self.heading, self.head, self.grid, self.note = styled("heading"), styled("muted"), Tiles(), SentenceLabel("small")
        self.column.setSpacing(10)
        self.column.addLayout(row_of((self.heading, 1), self.head))
        self.column.addWidget(self.note)
        self.column.addWidget(self.grid, 1)
        self.grid.picked.connect(self.moved)

    def show_panel(self, panel: Pairs, place: Place) -> None:
        self.heading.setText(translated(panel.title))
        self.head.setText(" → ".join(map(translated, panel.header)))
        self.grid.show_pairs(panel)
        self.note.set_sentence(translated(panel.note))

    def set_stale(self, on: bool) -> None:
        self.grid.set_stale(on)
        self.note.setDisabled(on)


_VIEWS: dict[type[Panel], type[PanelView]] = {
    Plot: PlotPanel,
    Strips: StripsPanel,
    Matrix: MatrixPanel,
    Planes: PlanesPanel,
    Sentence: SentencePanel,
    Ranking: RankingPanel,
    Table: TablePanel,
    Pairs: TilesPanel,
}


def view_of(kind: type[Panel]) -> PanelView:
    """Return a widget for panels of a class, or of its nearest base class that has one."""
    return next(_VIEWS[each] for each in kind.__mro__ if each in _VIEWS)()


def placed(handles: Sequence[Handle], place: Place) -> tuple[Handle, ...]:
    """Return handles at the values of the design; the same objects where nothing has moved."""
    now = [(handle, place(handle.target)) for handle in handles]
    return tuple(handle if at is None or at == handle.place else _moved(handle, at) for handle, at in now)


def _moved(handle: Handle, place: float) -> Handle:
    return replace(handle, place=place, height=None, text=handle.text if handle.says is None else handle.says(place))
