"""The "Why?" panel: the reasons for the answer shown, in plain words, with formulas one click away and sources named."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QShowEvent, QTextDocumentFragment
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from dpdesigner.desktop.base.labels import announce
from dpdesigner.desktop.base.layouts import column_of, row_of, sign, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.studies.panels import Plot

WIDTH, HEIGHT = 348, 170  #: width of the panel and height of a picture in it, at normal text size
PAGE = 1180  #: a page keeps at least this width beside the panel; in a narrower window the panel covers its right
LEAST, NARROWEST = 0.4, 0.7  #: the share of a page that is never covered; the share of its width that the panel always keeps
FOLLOWS = 60  #: how long a change may wait before it is explained (milliseconds)


class WhyPanel(QFrame):
    """Covers the right of the page, or sits next to it if there is room.

    Parameters
    ----------
    host : PageHost
        Whose shown page is explained.
    covered : QWidget
        What the panel covers in part: the host, or what holds it.
    around : QLayout
        The layout of what is covered; it gets a margin where the panel stands beside it.
    """

    shownChanged = Signal(bool)  #: whether it is open
    helpRequested = Signal(str)  #: a help page to open

    def __init__(self, host: PageHost, covered: QWidget, around: QLayout) -> None:
        super().__init__(covered.parentWidget())
        self._host, self._around, self._covered = host, around, covered
        self._explanation: Explanation | None = None
        self._before: QWidget | None = None
        set_class(self, "card")
        self.setAccessibleName(self.tr("Why?"))
        self._build()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._renew)
        self._placing = QTimer(self, singleShot=True)  # placed once for all moves in one turn of the event loop
        self._placing.timeout.connect(self._place)
        host.summaryChanged.connect(self._follow)
        covered.installEventFilter(self)
        theme().changed.connect(self._place)
        self.hide()

    def _build(self) -> None:
        self.title = styled("title", wrapped=True)
        self.plain, self.formula, self.sources, self.under = _text(), _text(), _text(), _text()
        self.picture = CurvePlot()
        self.picture.hide()
        self.under.hide()
        self.expander = QToolButton()
        self.expander.setText(self.tr("Formulas and numbers"))
        set_class(self.expander, "chip")
        self.expander.setCheckable(True)
        self.expander.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.expander.setArrowType(Qt.ArrowType.RightArrow)
        self.expander.toggled.connect(self._expand)
        self.formula.hide()
        column = QWidget()
        parts = (self.plain, self.expander, self.picture, self.under, self.formula, self.sources)
        inside = column_of(*parts, None, on=column, margins=(16, 0, 12, 8), gap=4)
        inside.setAlignment(self.expander, Qt.AlignmentFlag.AlignLeft)
        self.area = QScrollArea()
        self.area.setAccessibleName(self.tr("Explanation"))
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(column)
        self.area.viewport().setAutoFillBackground(False)
        column.setAutoFillBackground(False)
        column_of(self._header(), (self.area, 1), self._footer(), on=self, margins=(1, 8, 1, 8), gap=8)

    def _header(self) -> QHBoxLayout:
        self.close_button = sign("✕", self.tr("Close"), self.tr("Close (F1)"), self.leave)
        row = row_of((self.title, 1), self.close_button, margins=(16, 0, 8, 0))
        row.setAlignment(self.close_button, Qt.AlignmentFlag.AlignTop)
        return row

    def _footer(self) -> QHBoxLayout:
        self.copy_button, self.help_button = QPushButton(self.tr("Copy text")), QPushButton(self.tr("Open help"))
        self.copy_button.setToolTip(self.tr("Copy the whole explanation, with formulas and sources"))
        self.help_button.setToolTip(self.tr("Read more; all help is on this computer"))
        self.copy_button.clicked.connect(self._copy)
        self.help_button.clicked.connect(self._open_help)
        return row_of(self.copy_button, self.help_button, None, margins=(16, 0, 16, 0))

    @Slot(bool)
    def set_open(self, on: bool) -> None:
        """Open with the keyboard focus inside, or close."""
        if on == self.isVisible():
            return
        if not on:
            self.leave()
            return
        self._before = QApplication.focusWidget()
        self._explain()
        self._place()
        self.show()
        self.raise_()
        self.plain.setFocus(Qt.FocusReason.OtherFocusReason)
        self.area.verticalScrollBar().setValue(0)
        announce(self, self.as_text(formulas=False))

    @Slot()
    def leave(self) -> None:
        """Close and return the focus."""
        self.hide()
        before, self._before = self._before, None
        if before is not None and isValid(before):
            before.setFocus()

    def as_text(self, formulas: bool = True) -> str:
        """Return the explanation as plain text: with formulas to be copied, without secret numbers; or as it is read out."""
        if self._explanation is None:
            return ""
        explanation = self._explanation
        copied = (explanation.copied or explanation.plain, explanation.formula, explanation.sources)
        texts = map(_plain, copied if formulas else (explanation.plain,))
        return "\n\n".join([explanation.title, *(text for text in texts if text)])

    @Slot()
    def _follow(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start(FOLLOWS)

    @Slot()
    def _renew(self) -> None:
        page = self._host.page
        if page is not None and (page.answer is not None or page.failed) and page.explanation() is None:
            self.leave()  # there is nothing to explain, as in the gallery of papers or without an input
        else:
            self._explain()

    @Slot()
    def _explain(self) -> None:
        """Show the explanation of the page's current answer, or that there is none yet."""
        page = self._host.page
        explanation = page.explanation() if page is not None else None
        if explanation is None:
            explanation = Explanation(self.tr("Why?"), self.tr("<p>There is no answer to explain yet.</p>"))
        if explanation == self._explanation:
            return
        self._explanation = explanation
        for label, text in (
            (self.title, explanation.title),
            (self.plain, explanation.plain),
            (self.formula, explanation.formula),
        ):
            kept = text.replace("\u202f", "\u00a0")  # Qt would break lines within numbers
            if label.text() != kept:
                label.setText(kept)
                label.setAccessibleName(_plain(text))
        sources = self.tr("<p><b>Sources and corrections</b></p>") + explanation.sources if explanation.sources else ""
        if self.sources.text() != sources:
            self.sources.setText(sources)
        self._show_picture(explanation.picture)
        self.expander.setVisible(bool(explanation.formula))
        self._expand(self.expander.isChecked())

    def _show_picture(self, plot: Plot | None) -> None:
        if plot is not None:
            title = f"<b>{translated(plot.title)}.</b> "
            self.under.setText(title + " ".join(map(translated, plot.under)))
            self.under.setAccessibleName(_plain(self.under.text()))
            self.picture.show_plot(plot)
            self.picture.setFixedHeight(round(HEIGHT * theme().scale))

    @Slot(bool)
    def _expand(self, on: bool) -> None:
        self.expander.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        shown = self._explanation or Explanation("", "")
        self.formula.setVisible(on and bool(shown.formula))
        for part in (self.picture, self.under):
            part.setVisible(on and shown.picture is not None)

    @Slot()
    def _open_help(self) -> None:
        if self._explanation is not None:
            self.helpRequested.emit(self._explanation.help)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.as_text())
        announce(self, self.tr("Copied."))

    # Place -------------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the right of the page, starting at the edge of a column."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self._placing.start()
        return super().eventFilter(watched, event)

    @Slot()
    def _place(self) -> None:
        page = self._covered.geometry()
        room = page.width() + self._around.contentsMargins().right()
        scale = theme().scale
        width = min(round(WIDTH * scale), 2 * room // 5)
        beside = room - width >= PAGE * scale
        self._around.setContentsMargins(0, 0, width if beside and not self.isHidden() else 0, 0)
        left = room - width - 6 if beside else self._left(room, room - width - 6)
        self.setGeometry(page.left() + left, page.top() + 6, room - 6 - left, page.height() - 12)

    def _left(self, room: int, normal: int) -> int:
        """The left edge of the panel: that of a column, if one is near, so that no column is cut."""
        splitters = self._covered.findChildren(QSplitter)
        lines = []
        for column in (splitter.widget(place) for splitter in splitters for place in range(1, splitter.count())):
            if column is not None:
                column.installEventFilter(self)
                lines.append(column.mapTo(self._covered, QPoint()).x() if column.isVisible() else room)
        return max((line for line in lines if room * LEAST <= line <= room - NARROWEST * (room - normal)), default=normal)

    def showEvent(self, event: QShowEvent) -> None:
        """Make room, and announce that the panel is open."""
        super().showEvent(event)
        self._place()
        self.shownChanged.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Give the room back, and announce that the panel is closed, unless only the window is hidden."""
        super().hideEvent(event)
        if self.isHidden():
            self._place()
            self.shownChanged.emit(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)


def _text() -> QLabel:
    """Return a rich-text label that can be selected with the mouse or Ctrl+A, and has no text cursor."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return label


def _plain(html: str) -> str:
    """Return rich text as plain text that still marks indices and powers: ``x_(i r)``, ``a^(k)``."""
    marked = html
    for tag, mark in (("sub", "_"), ("sup", "^")):
        marked = marked.replace(f"<{tag}>", f"<{tag}>{mark}(").replace(f"</{tag}>", f")</{tag}>")
    return QTextDocumentFragment.fromHtml(marked).toPlainText().strip()
