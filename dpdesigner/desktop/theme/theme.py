"""The look in force: colours, light or dark, of usual or high contrast, and the size of the text, which goes with the system's.

One `Theme` lives for the whole application (`theme()`). Widgets read ``theme().colours`` when they draw and redraw on
``theme().changed``; pyqtgraph ignores `QPalette`, so plots must do this too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication, QStyleHints
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QMainWindow, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.theme.colours import DARK, DARK_HIGH, LIGHT, LIGHT_HIGH, palette
from dpdesigner.desktop.theme.style_sheet import style_sheet

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
    "badge": (TEXT, True),
    "primary": (TEXT, True),
    "main": (TEXT, True),
    "title": (11.5, True),
    "figure": (11.5, True),
}


class Theme(QObject):
    """The look in force. Emits `changed` after the colours or the text size changed."""

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

    @property
    def scale(self) -> float:
        """Enlargement of text and plots in pixels: what was asked for, times that of the system's text over the usual one."""
        return self._factor * self._system[1]

    @property
    def system_scale(self) -> float:
        """The difference between the system's text size and the usual one, in pixels."""
        return self._system[1]

    def follow_system(self) -> None:
        """Go with the system's colours and contrast whenever they change."""
        self._hints.colorSchemeChanged.connect(self.apply)
        self._hints.accessibility().contrastPreferenceChanged.connect(self.apply)

    def set_contrast(self, contrast: Contrast) -> None:
        """Choose high contrast, the usual one, or what the system wants."""
        if contrast != self._contrast:
            self._contrast = contrast
            self.apply()

    def set_scheme(self, scheme: Scheme) -> None:
        """Choose light, dark or what the system uses."""
        if scheme != self._scheme:
            self._scheme = scheme
            self.apply()

    def set_scale(self, scale: float) -> None:
        """Enlarge all text by this factor over the system's."""
        if scale != self._factor:
            self._factor = scale
            self.apply()

    def points(self, size: float) -> float:
        """Font size in points for text that is `size` points at scale 1."""
        return size * self._factor * self._system[0]

    def font(self, size: float, bold: bool = False) -> QFont:
        """Return a font that says only its size, which is `size` points at scale 1, and whether it is bold."""
        font = QFont()
        font.setPointSizeF(self.points(size))
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def apply(self) -> None:
        """Give palette, style sheet and text size to the windows that are open, before there are any to the application."""
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
        """Tell every widget of another palette and another sheet."""
        app.setPalette(palette(self.colours))
        windows = [widget for widget in app.topLevelWidgets() if isinstance(widget, QMainWindow)]
        styled: Sequence[QApplication | QMainWindow] = windows or [app]
        # A new sheet of the application makes Qt restyle every widget once for each of its ancestors; one of a window, once.
        for one in styled:
            one.setStyleSheet(style_sheet(self.colours))

    def _set_letters(self, app: QApplication) -> None:
        """Tell every window, and every widget with letters of its own, of another text size."""
        app.setFont(self.font(TEXT))
        for window in app.topLevelWidgets():  # at once: they hear of the application's font only later
            window.setFont(self.font(TEXT))
        for widget in app.allWidgets():
            letters = _CLASSES.get(widget.property("class"))
            if letters is not None:
                widget.setFont(self.font(*letters))
            if isinstance(widget, QCheckBox | QComboBox):  # they keep sizes that go with the text's
                _polish(widget)
                app.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
        for window in app.topLevelWidgets():
            if window.isVisible() and window.isModal():
                QTimer.singleShot(0, window, partial(_fit, window))  # once all in it has asked for its new size

    def _wants_dark(self) -> bool:
        if self._scheme == "system":
            return self._hints.colorScheme() == Qt.ColorScheme.Dark
        return self._scheme == "dark"

    def _wants_contrast(self) -> bool:
        if self._contrast == "system":
            return self._hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
        return self._contrast == "high"


def _style_hints() -> QStyleHints:
    """Return what the system wishes; what it says of accessibility lives only as long as somebody holds this."""
    return QGuiApplication.styleHints()


def system_text() -> tuple[float, float]:
    """Return how much larger the system's text is than the usual one: in points, and in pixels, which differ on macOS."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    screen, resolved = QGuiApplication.primaryScreen(), QFontInfo(font)
    points = font.pointSizeF() if font.pointSizeF() > 0 else resolved.pointSizeF()
    dots = screen.logicalDotsPerInch() if screen is not None else 96.0
    if not points > 0 or not dots > 0:  # a system that does not say
        return 1.0, 1.0
    return points / TEXT, points * dots / 72 / PIXELS


def _fit(dialog: QWidget) -> None:
    """Give an open dialog the size that it would open with now, and keep it on the screen."""
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
    """Show a widget in a class of the style sheet, such as ``"small"`` or ``"card"``."""
    before = widget.property("class")
    if name != before:
        set_state(widget, "class", name)
        if name in _CLASSES:
            widget.setFont(theme().font(*_CLASSES[name]))
        elif before in _CLASSES:
            widget.setFont(QFont())  # inherited again


def set_state(widget: QWidget, name: str, value: object) -> None:
    """Give a widget a property that the style sheet asks for."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        _polish(widget)


def _polish(widget: QWidget) -> None:
    """Let the style sheet see a widget anew."""
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)
