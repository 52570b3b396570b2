"""The style sheet: what Qt's palette does not say of frames, buttons and fields.

Text has neither size nor weight here, nor has anything a size that goes with the text's: fonts say that (`theme`), since Qt
styles every widget anew for another sheet, and only lays out for another font.
"""

from __future__ import annotations

from string import Template

from dpdesigner import resources
from dpdesigner.desktop.theme.colours import Colours

#: Style by dynamic property: a QFrame with class="card", a QLabel with class="muted", "heading", "error", "badge", "figure";
#: a QPushButton or QToolButton with class="primary" (one in a window), "main" (the first of a card), "chip", "link" or "tab". The
#: outline of the focus is for the keyboard: what was clicked has clicked="true" and shows none (`click_focus`).
_STYLE = Template(
    """
QMainWindow, QDialog { background: $ground; }
QToolTip { background: $card; color: $text; border: 1px solid $hairline; padding: 4px; }
QFrame[class="card"] { background: $card; border: 1px solid $hairline; border-radius: 8px; }
QFrame[class="card"]:focus { border-color: $accent; }
QFrame[class="bar"] { background: $card; border: none; border-bottom: 1px solid $hairline; }
QFrame[class="notice"] { background: $card; border: none; border-top: 1px solid $hairline; }
QFrame[class="pinned"] { background: $card; border: 1px dashed $muted; border-radius: 11px; }
QLabel { background: transparent; color: $text; }
QLabel[class="muted"] { color: $muted; }
QLabel[class="small"] { color: $muted; }
QLabel[class="error"] { color: $warning; }
QLabel[class="proved"] { color: $proved; }
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
QToolButton[class="chip"] { padding: 4px 6px; }
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
QToolButton[class="chip"]:focus { padding: 3px 5px; }
QPushButton[class="link"]:focus { padding: 3px -1px; }
QToolButton[class="link"]:focus { padding: 3px 4px; }
QPushButton[class="primary"]:focus { border: 2px solid $text; padding: 4px 13px; }
QPushButton[clicked="true"]:focus, QToolButton[class="chip"][clicked="true"]:focus { border: 1px solid $rest; padding: 4px 9px; }
QToolButton[class="chip"][clicked="true"]:focus { padding: 4px 6px; }
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
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { border-left: 4px solid $paper; border-right: 4px solid $paper; border-top: 5px solid $muted; width: 0;
    height: 0; margin-right: 6px; }
QComboBox QAbstractItemView { background: $card; color: $text; border: 1px solid $hairline;
    selection-background-color: $accent_soft; selection-color: $text; }
QAbstractSpinBox QLineEdit { border: none; padding: 0 0 0 4px; background: transparent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid $accent; padding: 2px 5px; }
QComboBox:focus { padding-right: 19px; }
QLineEdit[invalid="true"] { border-color: $warning; }
QCheckBox::indicator { width: 1em; height: 1em; background: $field; border: 1px solid $edge; border-radius: 3px; }
QCheckBox::indicator:focus, QCheckBox::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$icons/check-$scheme.svg"); }
QCheckBox::indicator:disabled { border-color: $quiet; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { background: transparent; border: none; width: 1em; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url("$icons/arrow-up.svg"); width: 0.6em; height: 0.6em; }
QAbstractSpinBox::down-arrow { image: url("$icons/arrow-down.svg"); width: 0.6em; height: 0.6em; }
QTableView, QListView, QTreeView { background: $card; color: $text; border: 1px solid $hairline; gridline-color: $hairline; }
QTableView::item { padding: 3px 4px; }
QHeaderView::section { background: $field; color: $muted; border: none; border-bottom: 1px solid $hairline; padding: 3px 6px; }
QListView::item:selected { background: $accent_soft; color: $text; }
QMainWindow::separator { width: 1px; height: 1px; background: $hairline; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $hairline; }
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
QScrollBar::handle:vertical { background: $edge; border-radius: 4px; min-height: 24px; }
QScrollBar:horizontal { background: transparent; height: 9px; margin: 0; }
QScrollBar::handle:horizontal { background: $edge; border-radius: 4px; min-width: 24px; }
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
        {"rest": c.edge, "rest_on_ground": c.edge, "rest_main": c.accent}
        if c.high
        else {"rest": c.button, "rest_on_ground": c.card, "rest_main": c.accent_soft}
    )
    return _STYLE.substitute(
        vars(c), icons=icons, scheme="dark" if c.dark else "light", paper=c.field if c.dark else c.card, **rest
    )
