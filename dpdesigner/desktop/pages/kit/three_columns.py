"""The body of a page: inputs, results and meaning in three columns whose widths the user chooses.

Where the three do not fit, as with large text on a small screen, the last column moves below the first, so that what is given and
what comes out stay beside each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import ViewTabs
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnLayout, row_of, scrolling
from dpdesigner.desktop.base.theme import theme


class ViewsCard(Card):
    """A card with tabs at its top instead of a heading; their contents are added with `add`.

    Parameters
    ----------
    name : str
        What it is called for screen readers.
    """

    viewChosen = Signal(str)  #: the user chose the view with this key

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.tabs = ViewTabs([])
        self.add(self.tabs)

    def offer(self, tabs: Sequence[tuple[str, str, str]], view: str = "", most: int | None = None) -> None:
        """Offer these views (key, text, tooltip) and show one as open, or the first; `most` is as in `ViewTabs`."""
        old, self.tabs = self.tabs, ViewTabs(tabs, most)
        self.tabs.chosen.connect(self.viewChosen)
        self.body.replaceWidget(old, self.tabs)
        self.tabs.lower()  # keeps the tabs first among the card's children when the columns are put in order
        self.tabs.follow(old)
        old.hide()
        old.deleteLater()
        self.tabs.set_current(view)


class ViewSentence(SentenceLabel):
    """The open view in words; it has room for two lines and never shrinks, so that no picture moves under the mouse."""

    def __init__(self) -> None:
        super().__init__("small")
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._said_at = "", 0, 0  # view, width and line height when the last sentence was set
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # for a sentence that comes later, as on a draw
        self.setSizePolicy(policy)

    def say(self, view: str, text: str) -> None:
        """Show a sentence; while the same view is open it keeps at least its previous height."""
        place = view, self.width(), self.fontMetrics().height()
        room = self.minimumHeight() if place == self._said_at else 0
        if view == self._said_at[0]:
            room = max(room, self.heightForWidth(self.width()))  # height of the current text at the new width
        self.set_sentence(text)
        self._said_at = place
        self.forget()
        if self.isVisible() and self.wordWrap() and text:
            self.setMinimumHeight(max(room, self.minimumHeight(), self.heightForWidth(self.width())))

    def set_short(self, on: bool) -> None:
        """Show one line, or all lines that the sentence needs."""
        super().set_short(on)
        self.forget()

    def forget(self) -> None:
        """Reset the height to that of two lines, for another width of the card."""
        self.setMinimumHeight(2 * self.fontMetrics().lineSpacing() if self.wordWrap() else 0)


_HANDLE = 10  # pixels between columns
_CHILDREN = Qt.FindChildOption.FindDirectChildrenOnly


class ThreeColumns(QScrollArea):
    """Three columns, the outer two scrolling, or two with the first scrolling; it scrolls sideways only as a last resort.

    Parameters
    ----------
    name : str
        The object name under which the window remembers the widths.
    columns : tuple of QWidget
        Inputs, result, meaning.
    widths : tuple of int
        Their widths at 1280 pixels; a wider window is shared out in these proportions.
    page : QWidget
        What they are in: it is put together from the outside to the inside, since Qt styles all that is in a widget again
        whenever that is put into another one.
    """

    def __init__(self, name: str, columns: tuple[QWidget, QWidget, QWidget], widths: tuple[int, int, int], page: QWidget) -> None:
        super().__init__(page)
        self._columns, self._widths = columns, widths
        self._sizes = list(widths)  # column widths while all three are side by side, if larger text leaves them so
        self._scale = theme().scale
        self._at_scale: dict[float, list[int]] = {}  # the last sizes at each text size, restored with it
        self.stacked = False  #: whether the last column is below the first
        self._settling = QTimer(self, singleShot=True)  # a window is resized several times before it is shown
        self._settling.timeout.connect(self._arrange)
        self._splitter = splitter = QSplitter(Qt.Orientation.Horizontal)
        self.setWidget(splitter)
        splitter.setObjectName(name)
        splitter.setHandleWidth(_HANDLE)
        left, right = QWidget(), QWidget()
        self._left, self._right = ColumnLayout(left), ColumnLayout(right)
        self._first, self._last = scrolling(left), scrolling(right)
        for place, (widget, width) in enumerate(zip((self._first, columns[1], self._last), widths, strict=True)):
            splitter.addWidget(widget)
            splitter.setStretchFactor(place, 100 * width // sum(widths))  # Qt stretch factors go up to 255
            splitter.setCollapsible(place, False)
        self._left.addWidget(columns[0], 1)
        self._right.addWidget(columns[2], 1)
        self._first.measure()
        self._last.measure()
        splitter.setSizes(list(widths))
        splitter.splitterMoved.connect(self._keep)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.order_focus()

    @Slot()
    def _settle(self) -> None:
        self._settling.start()

    @Slot()
    def _keep(self) -> None:
        if not self.stacked and not self._last.isHidden():
            self._sizes = self._at_scale[theme().scale] = self._splitter.sizes()

    @Slot()
    def _arrange(self) -> None:
        """Put the last column where there is room for it."""
        bar = self.verticalScrollBar().sizeHint().width()
        inputs, result, meaning = (column.minimumSizeHint().width() for column in self._columns)
        stacked = inputs + result + meaning + 2 * (bar + _HANDLE) > self.width()
        another, self._scale = theme().scale != self._scale, theme().scale
        if another:
            self._sizes = self._at_scale.get(self._scale, self._sizes)
        if another and not (stacked or self.stacked):
            self._share_out()
        elif not stacked and not self._pressed():
            self._keep()
        empty = all(part.isHidden() for part in self._columns[2].findChildren(QWidget, options=_CHILDREN))
        if not (stacked or self.stacked) and empty != self._last.isHidden():
            self._last.setVisible(not empty)  # while it is empty, the other columns take its width
            self._share_out()
        if stacked == self.stacked:
            return
        self.stacked = stacked
        (self._left if stacked else self._right).addWidget(self._columns[2], 0 if stacked else 1)
        self.order_focus()
        self._columns[2].show()  # the layout shows new widgets only later, and a tour may start before then
        self._last.setVisible(not (stacked or empty))
        for area in (self._first, self._last):
            area.measure()
        QTimer.singleShot(0, self, self._share_out)  # once the columns know their minimum widths

    def _pressed(self) -> bool:
        """Return whether a column has only its minimum width."""
        columns = (self._first, self._columns[1], self._last)
        return any(column.width() <= column.minimumSizeHint().width() for column in columns)

    def order_focus(self) -> None:
        """Make Tab go through the columns in reading order, whatever was created or added first."""
        here, widgets = self.window(), chain.from_iterable(column.findChildren(QWidget) for column in self._columns)
        stops = [widget for widget in widgets if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.window() is here]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    @Slot()
    def _share_out(self) -> None:
        inputs, result, meaning = self._widths if self.stacked else self._sizes
        self._splitter.setSizes([inputs, result + meaning * self._last.isHidden(), meaning])  # the inputs keep their width

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._settle()
        super().resizeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrange the columns again when they need other widths."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self._splitter:
            self._settle()
        return super().eventFilter(watched, event)


def order_focus_around(part: QWidget) -> None:
    """Make Tab go through the columns around a part in the same order, including widgets added to it since."""
    around: QWidget | None = part
    while around is not None and not isinstance(around, ThreeColumns):
        around = around.parentWidget()
    if around is not None:
        around.order_focus()


def lay_out_columns(page: QWidget, name: str, columns: tuple[QWidget, QWidget, QWidget], widths: tuple[int, int, int]) -> None:
    """Fill a page without a layout with its `ThreeColumns`, which are made with the other arguments."""
    row_of(ThreeColumns(name, columns, widths, page), on=page, margins=(12, 10, 12, 10))
