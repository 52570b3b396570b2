"""Colours, palettes and the style sheet, light and dark.

One `Theme` lives for the whole application (`theme()`). Widgets read ``theme().colours`` when they draw and redraw on
``theme().changed``; pyqtgraph ignores `QPalette`, so plots must do this too.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Template
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QMainWindow
from shiboken6 import isValid

from dpdesigner import resources

Scheme = Literal["system", "light", "dark"]


@dataclass(frozen=True)
class Colours:
    """The named colours of one scheme, as ``#rrggbb``."""

    ground: str  #: behind the cards
    card: str
    hairline: str  #: borders and grid lines
    text: str
    muted: str  #: secondary text, axes (at least 4.5:1 on card)
    accent: str  #: bars, curves, the one primary button
    accent_soft: str  #: background of what is chosen
    on_accent: str  #: text on accent
    selected: str  #: the warm colour of what is selected
    proved: str  #: green, only for what is proved
    proved_soft: str
    warning: str  #: errors and what is outside a theorem
    field: str  #: background of text fields
    quiet: str  #: bars of lesser interest


LIGHT = Colours(
    ground="#f3f4f6",
    card="#ffffff",
    hairline="#e0e3e8",
    text="#14181f",
    muted="#5f6672",
    accent="#1f6feb",
    accent_soft="#e4eefd",
    on_accent="#ffffff",
    selected="#c2620a",
    proved="#15803d",
    proved_soft="#e2f3e8",
    warning="#b42318",
    field="#f7f8fa",
    quiet="#6b7280",
)
DARK = Colours(
    ground="#15171b",
    card="#1e2126",
    hairline="#333840",
    text="#e8eaed",
    muted="#a3a9b3",
    accent="#58a6ff",
    accent_soft="#22344d",
    on_accent="#0d1117",
    selected="#ffb04d",
    proved="#4cc38a",
    proved_soft="#1c3329",
    warning="#ff8b80",
    field="#16181c",
    quiet="#9097a3",
)


class Theme(QObject):
    """The look in force. Emits `changed` after the colours or the text size changed."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scheme: Scheme = "system"
        self._scale = 1.0
        self._applied = False
        self.colours = LIGHT

    @property
    def scheme(self) -> Scheme:
        """What was asked for: ``"system"``, ``"light"`` or ``"dark"``."""
        return self._scheme

    @property
    def scale(self) -> float:
        """Enlargement of text and plots over the normal size (presenting)."""
        return self._scale

    def set_scheme(self, scheme: Scheme) -> None:
        """Choose light, dark or what the system uses."""
        self._scheme = scheme
        self.apply()

    def set_scale(self, scale: float) -> None:
        """Enlarge all text by this factor."""
        self._scale = scale
        self.apply()

    def points(self, size: float) -> float:
        """Font size in points for text that is `size` points at scale 1."""
        return size * self._scale

    def apply(self) -> None:
        """Give palette, font size and style sheet to the windows that are open, before there are any to the application."""
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            return
        before, self.colours = self.colours, DARK if self._wants_dark() else LIGHT
        if self.colours is not before or not self._applied:  # every widget is told of a palette
            app.setPalette(_palette(self.colours))
        self._applied = True
        sheet = _style_sheet(self.colours, self._scale)
        # A new sheet of the application makes Qt restyle every widget once for each of its ancestors; one of a window, once.
        windows = [widget for widget in app.topLevelWidgets() if isinstance(widget, QMainWindow)]
        for window in windows:
            window.setStyleSheet(sheet)
        if not windows:
            app.setStyleSheet(sheet)
        self.changed.emit()

    def _wants_dark(self) -> bool:
        if self._scheme == "system":
            return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._scheme == "dark"


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


def _palette(c: Colours) -> QPalette:
    palette = QPalette()
    roles = QPalette.ColorRole
    for role, colour in {
        roles.Window: c.ground,
        roles.WindowText: c.text,
        roles.Base: c.card,
        roles.AlternateBase: c.field,
        roles.Text: c.text,
        roles.Button: c.card,
        roles.ButtonText: c.text,
        roles.ToolTipBase: c.card,
        roles.ToolTipText: c.text,
        roles.Highlight: c.accent,
        roles.HighlightedText: c.on_accent,
        roles.Link: c.accent,
        roles.PlaceholderText: c.muted,
        roles.Mid: c.hairline,
        roles.Midlight: c.hairline,
        roles.Dark: c.hairline,
        roles.Light: c.card,
        roles.Shadow: c.hairline,
        roles.Accent: c.accent,
    }.items():
        palette.setColor(role, QColor(colour))
    for role in (roles.Text, roles.WindowText, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(c.hairline if c is LIGHT else c.quiet).darker(125))
    return palette


#: Style by dynamic property: a QFrame with class="card", a QLabel with class="muted", "heading", "error", "badge", "figure";
#: a QPushButton or QToolButton with class="primary", "chip" or "tab".
_STYLE = Template(
    """
* { font-size: ${normal}pt; }
QMainWindow, QDialog { background: $ground; }
QToolTip { background: $card; color: $text; border: 1px solid $hairline; padding: 4px; }
QFrame[class="card"] { background: $card; border: 1px solid $hairline; border-radius: 8px; }
QFrame[class="bar"] { background: $card; border: none; border-bottom: 1px solid $hairline; }
QLabel { background: transparent; color: $text; }
QLabel[class="heading"] { font-weight: 600; }
QLabel[class="title"] { font-weight: 600; font-size: ${large}pt; }
QLabel[class="figure"] { font-weight: 600; font-size: ${large}pt; }
QLabel[class="muted"] { color: $muted; }
QLabel[class="small"] { color: $muted; font-size: ${small}pt; }
QLabel[class="error"] { color: $warning; font-size: ${small}pt; }
QLabel[class="badge"] { background: $proved_soft; color: $proved; border: 1px solid $proved; border-radius: 10px;
    padding: 2px 10px; font-weight: 600; }
QLabel[class="badge"][state="open"] { background: $field; color: $text; border-color: $muted; }
QLabel[class="badge"][state="stale"] { background: $field; color: $muted; border-color: $hairline; }
QPushButton, QToolButton[class="chip"] { background: $card; color: $text; border: 1px solid $hairline; border-radius: 5px;
    padding: 3px 9px; }
QPushButton:hover, QToolButton[class="chip"]:hover { border-color: $accent; }
QPushButton:focus, QToolButton[class="chip"]:focus { border-color: $accent; }
QPushButton:pressed, QToolButton[class="chip"]:pressed { background: $accent_soft; }
QPushButton:checked, QToolButton[class="chip"]:checked { background: $accent_soft; color: $accent; border-color: $accent; }
QPushButton:disabled, QToolButton[class="chip"]:disabled { color: $muted; background: $field; }
QToolButton[class="chip"] { padding: 3px 6px; }
QToolButton[class="chip"]::menu-indicator { image: none; }
QPushButton[class="primary"] { background: $accent; color: $on_accent; border-color: $accent;
    padding: 5px 14px; font-weight: 600; }
QPushButton[class="primary"]:focus { border-color: $text; }
QToolButton[class="tab"] { background: transparent; color: $muted; border: 1px solid transparent; border-radius: 5px;
    padding: 4px 7px; }
QToolButton[class="tab"]:hover { color: $text; }
QToolButton[class="tab"]:focus { color: $text; border-color: $accent; }
QToolButton[class="tab"]:checked { background: $accent_soft; color: $accent; font-weight: 600; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit { background: $field; color: $text; border: 1px solid $hairline;
    border-radius: 5px; padding: 3px 6px; selection-background-color: $accent; selection-color: $on_accent; }
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { border-left: 4px solid $field; border-right: 4px solid $field; border-top: 5px solid $muted; width: 0;
    height: 0; margin-right: 6px; }
QComboBox QAbstractItemView { background: $card; color: $text; border: 1px solid $hairline;
    selection-background-color: $accent_soft; selection-color: $text; }
QAbstractSpinBox QLineEdit { border: none; padding: 0 0 0 4px; background: transparent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border-color: $accent; }
QLineEdit[invalid="true"] { border-color: $warning; }
QCheckBox::indicator { width: ${mark}px; height: ${mark}px; background: $field; border: 1px solid $muted; border-radius: 3px; }
QCheckBox::indicator:focus, QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$icons/check-$scheme.svg"); }
QCheckBox::indicator:disabled { border-color: $hairline; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { background: transparent; border: none; width: ${mark}px; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url("$icons/arrow-up.svg"); width: ${arrow}px; height: ${arrow}px; }
QAbstractSpinBox::down-arrow { image: url("$icons/arrow-down.svg"); width: ${arrow}px; height: ${arrow}px; }
QTableView, QListView, QTreeView { background: $card; color: $text; border: 1px solid $hairline; gridline-color: $hairline; }
QTableView::item { padding: 3px 4px; }
QHeaderView::section { background: $field; color: $muted; border: none; border-bottom: 1px solid $hairline; padding: 3px 6px; }
QListView::item:selected { background: $accent_soft; color: $text; }
QDockWidget { color: $muted; }
QDockWidget::title { background: $card; padding: 8px 12px; border-bottom: 1px solid $hairline; }
QMainWindow::separator { width: 1px; height: 1px; background: $hairline; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $hairline; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
QStatusBar { background: $card; color: $muted; border-top: 1px solid $hairline; }
QStatusBar QLabel { color: $muted; font-size: ${small}pt; }
QStatusBar::item { border: none; }
QMenuBar { background: $card; color: $text; border-bottom: 1px solid $hairline; }
QMenuBar::item { padding: 4px 10px; background: transparent; }
QMenuBar::item:selected { background: $accent_soft; }
QToolBar { background: $card; border: none; padding: 0; spacing: 2px; }
QToolBar::separator { background: $hairline; width: 1px; margin: 4px 6px; }
QToolBar QToolButton { background: transparent; border: none; border-radius: 4px; padding: 1px 4px; }
QToolBar QToolButton:hover { background: $field; }
QToolBar QToolButton:pressed, QToolBar QToolButton:checked { background: $accent_soft; }
QMenu { background: $card; color: $text; border: 1px solid $hairline; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 20px; border-radius: 4px; }
QMenu::item:selected { background: $accent_soft; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $hairline; margin: 4px 8px; }
QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 9px; margin: 0; }
QScrollBar::handle:vertical { background: $hairline; border-radius: 4px; min-height: 24px; }
QScrollBar:horizontal { background: transparent; height: 9px; margin: 0; }
QScrollBar::handle:horizontal { background: $hairline; border-radius: 4px; min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QSlider::groove:horizontal { height: 4px; background: $hairline; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { background: $accent; width: 16px; height: 16px; margin: -6px 0; border-radius: 8px; }
QSlider::handle:horizontal:focus { border: 2px solid $text; width: 12px; height: 12px; }
QProgressBar { background: $hairline; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
"""
)


def _style_sheet(c: Colours, scale: float) -> str:
    sizes = {"small": f"{8 * scale:g}", "normal": f"{9 * scale:g}", "large": f"{11.5 * scale:g}"}
    pixels = {"mark": str(round(14 * scale)), "arrow": str(round(9 * scale))}
    pictures = {"icons": resources.path("icons").as_posix(), "scheme": "dark" if c is DARK else "light"}
    return _STYLE.substitute(vars(c), **sizes, **pixels, **pictures)
