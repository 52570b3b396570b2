"""The theme: palette, style sheet and text size of all windows, and focus by clicks.

One `Theme` lives for the whole application (`theme()`). Widgets read ``theme().colours`` when they draw and redraw on
``theme().changed``; pyqtgraph ignores `QPalette`, so plots must do this too.

The style sheet: what Qt's palette does not say of frames, buttons and fields.

Text has neither size nor weight here, nor has anything a size that goes with the text's: fonts say that (`theme`), since Qt
styles every widget anew for another sheet, and only lays out for another font.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from string import Template
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication, QStyleHints
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QComboBox, QMainWindow, QWidget
from shiboken6 import isValid

from dpdesigner import resources
from dpdesigner.desktop.base.colours import DARK, DARK_HIGH, LIGHT, LIGHT_HIGH, Colours, palette

#: Style by dynamic property: a QFrame with class="card", a QLabel with class="muted", "heading", "error", "badge", "figure",
#: "large"; a QPushButton or QToolButton with class="primary" (one in a window), "main" (the first of a card), "chip", "link",
#: "tab". The outline of the focus is for the keyboard: what was clicked has clicked="true" and shows none (`ClickFocus`).
_STYLE = Template(
    """
QMainWindow, QDialog { background: $ground; }
QToolTip { background: $card; color: $text; border: 1px solid $hairline; padding: 4px; }
QFrame[class="card"] { background: $card; border: 1px solid $hairline; border-radius: 8px; }
QFrame[class="card"][aside="true"] { border-color: $rest_edge; }
QFrame[class="card"]:focus { border-color: $accent; }
QFrame[class="bar"] { background: $card; border: none; border-bottom: 1px solid $hairline; }
QFrame[class="notice"] { background: $card; border: none; border-top: 1px solid $hairline; }
QFrame[class="pinned"] { background: $card; border: 1px dashed $muted; border-radius: 11px; }
QLabel { background: transparent; color: $text; }
QLabel[class="muted"], QLabel:disabled { color: $muted; }
QLabel[class="small"] { color: $muted; }
QLabel[class="error"], QLabel[class="caution"] { color: $warning; }
QLabel[class="proved"] { color: $proved; }
QLabel[class="answer"], QLabel[class="large"][role="main"] { color: $accent; }
QLabel[class="large"]:disabled { color: $muted; }
QLabel[class="badge"] { background: $proved_soft; color: $proved; border: 1px solid $proved; border-radius: 10px;
    padding: 2px 10px; }
QLabel[class="badge"][state="open"] { background: $field; color: $text; border-color: $muted; }
QLabel[class="badge"][state="refuted"] { background: $card; color: $warning; border-color: $warning; }
QLabel[class="badge"][state="stale"] { background: $field; color: $muted; border-color: $hairline; }
QPushButton, QToolButton[class="chip"] { background: $button; color: $text; border: 1px solid $rest; border-radius: 5px;
    padding: 4px 9px; }
QPushButton[on="ground"], QDialog QPushButton, QDialog QToolButton[class="chip"] { background: $card;
    border-color: $rest_on_ground; }
QPushButton:pressed, QToolButton[class="chip"]:pressed { background: $accent_soft; }
QPushButton[class="main"], QDialog QPushButton[class="main"] { background: $accent_soft; color: $accent;
    border-color: $rest_main; }
QPushButton:checked, QToolButton[class="chip"]:checked { background: $accent_soft; color: $accent; border-color: $chosen; }
QPushButton:hover, QToolButton[class="chip"]:hover, QPushButton[class="main"]:hover { border-color: $quiet; }
QPushButton:disabled, QToolButton[class="chip"]:disabled, QPushButton[class="main"]:disabled { color: $muted;
    background: $field; }
QToolButton[class="chip"] { padding: 3px 6px 2px 6px; }
QToolButton[class="chip"]::menu-indicator { image: none; }
QPushButton[class="primary"] { background: $accent; color: $on_accent; border-color: $accent; padding: 5px 14px; }
QPushButton[class="primary"]:hover { border-color: $text; }
QPushButton[class="link"] { background: transparent; color: $accent; border: 1px solid transparent; padding: 4px 0px;
    text-align: left; }
QToolButton[class="link"] { background: transparent; color: $accent; border: 1px solid transparent; border-radius: 5px;
    padding: 4px 5px; }
QPushButton[class="link"]:hover, QToolButton[class="link"]:hover { border-color: $quiet; }
QPushButton:focus, QToolButton[class="chip"]:focus, QPushButton[class="main"]:focus, QPushButton[class="link"]:focus,
    QToolButton[class="link"]:focus { border: 2px solid $accent; }
QPushButton:focus { padding: 3px 8px; }
QToolButton[class="chip"]:focus { padding: 2px 5px 1px 5px; }
QPushButton[class="link"]:focus { padding: 3px -1px; }
QToolButton[class="link"]:focus { padding: 3px 4px; }
QPushButton[class="primary"]:focus { border: 2px solid $text; padding: 4px 13px; }
QPushButton[clicked="true"]:focus, QToolButton[class="chip"][clicked="true"]:focus { border: 1px solid $rest; padding: 4px 9px; }
QToolButton[class="chip"][clicked="true"]:focus { padding: 3px 6px 2px 6px; }
QPushButton[class="main"][clicked="true"]:focus { border-color: $rest_main; }
QPushButton[clicked="true"]:focus:hover, QToolButton[class="chip"][clicked="true"]:focus:hover { border-color: $quiet; }
QPushButton[clicked="true"]:focus:checked, QToolButton[class="chip"][clicked="true"]:focus:checked { border-color: $chosen; }
QPushButton[class="primary"][clicked="true"]:focus { border: 1px solid $accent; padding: 5px 14px; }
QPushButton[class="link"][clicked="true"]:focus { border: 1px solid transparent; padding: 4px 0px; }
QToolButton[class="link"][clicked="true"]:focus { border: 1px solid transparent; padding: 4px 5px; }
QToolButton[class="tab"] { background: transparent; color: $muted; border: 1px solid transparent; border-radius: 5px;
    padding: 4px 7px; }
QToolButton[class="tab"]:hover { color: $text; }
QToolButton[class="tab"]:focus { color: $text; border: 2px solid $accent; padding: 3px 6px; }
QToolButton[class="tab"][clicked="true"]:focus { border: 1px solid transparent; padding: 4px 7px; }
QToolButton[class="tab"]:checked { background: $accent_soft; color: $accent; font-weight: 600; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit { background: $paper; color: $text; border: 1px solid $line;
    border-bottom-color: $edge; border-radius: 5px; padding: 3px 6px; selection-background-color: $accent;
    selection-color: $on_accent; }
QComboBox { padding-right: 20px; combobox-popup: 0; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { border-left: 4px solid $paper; border-right: 4px solid $paper; border-top: 5px solid $muted; width: 0;
    height: 0; margin-right: 6px; }
QComboBox QAbstractItemView { background: $card; color: $text; border: 1px solid $hairline;
    selection-background-color: $accent_soft; selection-color: $text; outline: none; }
QComboBox QAbstractItemView::item { padding: 4px 6px; }
QAbstractSpinBox QLineEdit { border: none; padding: 0 0 0 4px; background: transparent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid $accent; padding: 2px 5px; }
QComboBox:focus { padding-right: 19px; }
QLineEdit[invalid="true"] { border-color: $warning; }
QCheckBox::indicator, QListView::indicator { width: 1em; height: 1em; background: $field; border: 1px solid $edge;
    border-radius: 3px; }
QCheckBox::indicator:focus, QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QListView::indicator:checked { background: $accent; border-color: $accent;
    image: url("$icons/check-$scheme.svg"); }
QCheckBox::indicator:disabled { border-color: $quiet; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { background: transparent; border: none; width: 1em; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url("$icons/arrow-up.svg"); width: 0.6em; height: 0.6em; }
QAbstractSpinBox::down-arrow { image: url("$icons/arrow-down.svg"); width: 0.6em; height: 0.6em; }
QTableView, QListView, QTreeView { background: $card; color: $text; border: 1px solid $hairline; gridline-color: $hairline; }
QTableView::item { padding: 3px 4px; }
QListView::indicator { width: 0.8em; height: 0.8em; }
QHeaderView::section { background: $field; color: $muted; border: none; border-bottom: 1px solid $hairline; padding: 3px 6px; }
QListView::item:selected { background: $accent_soft; color: $text; }
QMainWindow::separator { width: 1px; height: 1px; background: $hairline; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $hairline; margin: 0 4px; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
QStatusBar { background: $card; color: $muted; border-top: 1px solid $hairline; }
QStatusBar::item { border: none; }
QMenuBar { background: $card; color: $text; border-bottom: 1px solid $hairline; }
QMenuBar::item { padding: 4px 10px; background: transparent; }
QMenuBar::item:selected { background: $accent_soft; }
QToolBar { background: $card; border: none; padding: 0; spacing: 2px; }
QToolBar::separator { background: $hairline; width: 1px; margin: 4px 6px; }
QToolBar QToolButton { background: transparent; border: none; border-radius: 4px; padding: 4px 4px; }
QToolBar QToolButton:hover { background: $field; }
QToolBar QToolButton:pressed, QToolBar QToolButton:checked { background: $accent_soft; }
QMenu { background: $card; color: $text; border: 1px solid $hairline; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 20px; border-radius: 4px; }
QMenu::item:selected { background: $accent_soft; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $hairline; margin: 4px 8px; }
QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 9px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 9px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 2px; }
QScrollBar::handle:vertical { margin: 0 2px 0 3px; min-height: 24px; }
QScrollBar::handle:horizontal { margin: 3px 0 2px 0; min-width: 24px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $edge; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QSlider::groove:horizontal { height: 3px; background: $line; border-radius: 1px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 1px; }
QSlider::handle:horizontal { background: $accent; width: 15px; height: 15px; margin: -6px 0; border-radius: 7px; }
QSlider::handle:horizontal:focus { border: 2px solid $text; width: 11px; height: 11px; }
QProgressBar { background: $edge; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
"""
)


def style_sheet(c: Colours) -> str:
    """Return the sheet of a scheme."""
    icons = resources.path("icons").as_posix()
    rest = (
        {"rest": c.edge, "rest_on_ground": c.edge, "rest_main": c.accent, "rest_edge": c.hairline}
        if c.high
        else {"rest": c.button, "rest_on_ground": c.card, "rest_main": c.accent_soft, "rest_edge": c.card}
    )
    return _STYLE.substitute(
        vars(c), icons=icons, scheme="dark" if c.dark else "light", paper=c.field if c.dark else c.card, **rest
    )


Scheme = Literal["system", "light", "dark"]
Contrast = Literal["system", "normal", "high"]

#: Text size in points at scale 1 where the system's own text is of that size, which is so many pixels high; size and boldness in
#: the classes of the style sheet that differ from it.
TEXT, PIXELS = 9.0, 12
_CLASSES = {
    "small": (8.0, False),
    "error": (8.0, False),
    "heading": (TEXT, True),
    "proved": (TEXT, True),
    "answer": (TEXT, True),
    "badge": (TEXT, True),
    "primary": (TEXT, True),
    "main": (TEXT, True),
    "title": (11.5, True),
    "figure": (11.5, True),
    "large": (17.0, True),
}


class Theme(QObject):
    """The current look. Emits `changed` after the colours or the text size change."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)  # fonts are inherited
        self._hints = _style_hints()
        self._scheme: Scheme = "system"
        self._contrast: Contrast = "system"
        self._factor = 1.0
        self._system = (1.0, 1.0)
        self._applied = False
        self.colours = LIGHT

    def follow(self, fit: Callable[[], object]) -> None:
        """Call a method now, and again after every change."""
        self.changed.connect(fit)
        fit()

    @property
    def scale(self) -> float:
        """Enlargement of text and plots in pixels: the chosen factor times the system's text size relative to the normal one."""
        return self._factor * self._system[1]

    @property
    def system_scale(self) -> float:
        """The ratio of the system's text size to the normal one, in pixels."""
        return self._system[1]

    def follow_system(self) -> None:
        """Follow the system's colours and contrast whenever they change."""
        self._hints.colorSchemeChanged.connect(self.apply)
        self._hints.accessibility().contrastPreferenceChanged.connect(self.apply)

    def set_contrast(self, contrast: Contrast) -> None:
        """Choose high contrast, normal contrast, or the system's setting."""
        if contrast != self._contrast:
            self._contrast = contrast
            self.apply()

    def set_scheme(self, scheme: Scheme) -> None:
        """Choose light, dark, or the system's setting."""
        if scheme != self._scheme:
            self._scheme = scheme
            self.apply()

    def set_scale(self, scale: float) -> None:
        """Enlarge all text by this factor relative to the system's."""
        if scale != self._factor:
            self._factor = scale
            self.apply()

    def points(self, size: float) -> float:
        """Font size in points for text that is `size` points at scale 1."""
        return size * self._factor * self._system[0]

    def font(self, size: float, bold: bool = False) -> QFont:
        """Return a font with only its size, `size` points at scale 1, and its weight set."""
        font = QFont()
        font.setPointSizeF(self.points(size))
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def apply(self) -> None:
        """Apply palette, style sheet and text size to the open windows, or if there are none yet, to the application."""
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            return
        self._system = system_text()
        both = (DARK, DARK_HIGH) if self._wants_dark() else (LIGHT, LIGHT_HIGH)
        before, self.colours = self.colours, both[self._wants_contrast()]
        if self.colours is not before or not self._applied:
            self._set_colours(app)
        if self.points(TEXT) != app.font().pointSizeF() or not self._applied:
            self._set_letters(app)
        self._applied = True
        self.changed.emit()

    def _set_colours(self, app: QApplication) -> None:
        """Apply another palette and style sheet to every widget."""
        app.setPalette(palette(self.colours))
        windows = [widget for widget in app.topLevelWidgets() if isinstance(widget, QMainWindow)]
        styled: Sequence[QApplication | QMainWindow] = windows or [app]
        # A new application style sheet restyles every widget once per ancestor; one on a window, only once.
        for one in styled:
            one.setStyleSheet(style_sheet(self.colours))

    def _set_letters(self, app: QApplication) -> None:
        """Apply another text size to every window, and to every widget with its own font."""
        app.setFont(self.font(TEXT))
        for window in app.topLevelWidgets():  # now, because windows receive the application's font only later
            window.setFont(self.font(TEXT))
        for widget in app.allWidgets():
            letters = _CLASSES.get(widget.property("class"))
            if letters is not None:
                widget.setFont(self.font(*letters))
            if isinstance(widget, QCheckBox | QComboBox):  # their sizes depend on the text size
                _polish(widget)
                app.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
        for window in app.topLevelWidgets():
            if window.isVisible() and window.isModal():
                QTimer.singleShot(0, window, partial(_fit, window))  # once all its widgets have requested their new sizes

    def _wants_dark(self) -> bool:
        if self._scheme == "system":
            return self._hints.colorScheme() == Qt.ColorScheme.Dark
        return self._scheme == "dark"

    def _wants_contrast(self) -> bool:
        if self._contrast == "system":
            return self._hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
        return self._contrast == "high"


def _style_hints() -> QStyleHints:
    """Return the system's style hints; their accessibility part lives only as long as a reference to them."""
    return QGuiApplication.styleHints()


def system_text() -> tuple[float, float]:
    """Return how much larger the system's text is than normal: in points, and in pixels, which differ on macOS."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    screen, resolved = QGuiApplication.primaryScreen(), QFontInfo(font)
    points = font.pointSizeF() if font.pointSizeF() > 0 else resolved.pointSizeF()
    dots = screen.logicalDotsPerInch() if screen is not None else 96.0
    if not points > 0 or not dots > 0:  # a system that does not report them
        return 1.0, 1.0
    return points / TEXT, points * dots / 72 / PIXELS


def _fit(dialog: QWidget) -> None:
    """Give an open dialog the size that it would have if opened now, and keep it on the screen."""
    dialog.adjustSize()
    room, frame = dialog.screen().availableGeometry(), dialog.frameGeometry()
    inside = QPoint(min(frame.left(), room.right() + 1 - frame.width()), min(frame.top(), room.bottom() + 1 - frame.height()))
    dialog.move(max(inside.x(), room.left()), max(inside.y(), room.top()))


def theme() -> Theme:
    """Return the application's theme, made on first use and owned by the application."""
    global _theme
    if _theme is None or not isValid(_theme):  # it dies with its application
        app = QApplication.instance()
        if app is None:
            raise RuntimeError("theme() needs a QApplication")
        _theme = Theme(app)
    return _theme


_theme: Theme | None = None


def set_class(widget: QWidget, name: str) -> None:
    """Assign a widget to a class of the style sheet, like ``"small"`` or ``"card"``."""
    before = widget.property("class")
    if name != before:
        set_state(widget, "class", name)
        if name in _CLASSES:
            widget.setFont(theme().font(*_CLASSES[name]))
        elif before in _CLASSES:
            widget.setFont(QFont())  # inherited again


def set_state(widget: QWidget, name: str, value: object) -> None:
    """Set a property of a widget that the style sheet uses."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        _polish(widget)


def _polish(widget: QWidget) -> None:
    """Make the style sheet re-evaluate a widget."""
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)


_CLICKED = "clicked"


class ClickFocus(QObject):
    """A filter that marks a button focused by a click until it is focused by a key."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._last: QWidget | None = None
        application.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is None or new is self._last:  # another program came to the front, or this one returned
            return
        self._last = new
        clicked = bool(QGuiApplication.mouseButtons())
        if isinstance(new, QAbstractButton) and bool(new.property(_CLICKED)) != clicked:
            set_state(new, _CLICKED, clicked)


def outlined(button: QAbstractButton) -> bool:
    """Return whether a button that paints itself should show its focus."""
    return button.hasFocus() and not button.property(_CLICKED)
