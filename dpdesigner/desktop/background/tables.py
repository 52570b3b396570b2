"""Text tables, chosen and read without blocking the window: pages access no files.

What reads raises `Cancelled` where the user gives it up, and `InputError` where the file cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFileDialog, QInputDialog, QListView, QWidget

from dpdesigner.data.columns import (
    all_columns,
    bit_columns,
    count_columns,
    number_columns,
    read_counts,
    resolved,
    text_columns,
)
from dpdesigner.data.data_files import readable_endings
from dpdesigner.data.grid import OLDER, lines, read_text
from dpdesigner.data.mechanism_tables import read_loss_matrix
from dpdesigner.data.options import ROWS_READ, Contents, categories_of, contents_of, options_of, table_of
from dpdesigner.desktop.background.waiting import waited
from dpdesigner.desktop.base.preferences import settings
from dpdesigner.desktop.base.theme import theme

Value = TypeVar("Value")

_FOLDER = "data/folder"  # in the settings: where data were opened last time
_BIDS = [re.compile(rf"(?i)(?<![a-z])({names})(?![a-z])") for names in ("bids?|offers?", "wtp|willing.*|pay", "prices?|values?")]
_TEXT = (".csv", ".tsv", ".txt", ".csv.gz")


def chosen_table(title: str, parent: QWidget, folder: str | Path = "", more: str = "") -> str:
    """Ask for a table, in the folder used last time or otherwise this one; return its path, empty if none was chosen."""
    return _chosen(title, parent, folder, _tr("Tables (*.csv *.tsv *.txt{more})").format(more=more))


def chosen_data(title: str, parent: QWidget, folder: str | Path = "") -> str:
    """Ask for a file with columns, of any kind that can be read here; see `chosen_table`."""
    endings = " ".join(f"*{ending}" for ending in data_endings())
    return _chosen(title, parent, folder, _tr("Data ({endings})").format(endings=endings))


def _chosen(title: str, parent: QWidget, folder: str | Path, kinds: str) -> str:
    path = QFileDialog.getOpenFileName(parent, title, str(settings().value(_FOLDER, str(folder))), kinds)[0]
    if path:
        settings().setValue(_FOLDER, str(Path(path).parent))
    return path


def data_endings() -> tuple[str, ...]:
    """Return the extensions of files whose columns can be read here."""
    return (*_TEXT, *readable_endings())


def holds_columns(path: str | Path) -> bool:
    """Return whether a file is one with columns, judged by its extension."""
    return str(path).lower().endswith(data_endings())


def is_older(path: str) -> bool:
    """Return whether a table was read as Windows-1252."""
    return str(resolved(path)) in OLDER


def columns_of(path: str, parent: QWidget) -> list[str]:
    """Return the columns of numbers; see `number_columns`."""
    return _read(lambda: number_columns(resolved(path)), parent)


def bid_columns_of(path: str, parent: QWidget) -> list[str]:
    """Return the columns of numbers, those first that are called bid, offer, willingness to pay, price or value."""
    likely = lambda name: next((place for place, names in enumerate(_BIDS) if names.search(name)), len(_BIDS))  # noqa: E731
    return sorted(columns_of(path, parent), key=likely)


def count_columns_of(path: str, parent: QWidget) -> list[str]:
    """Return the columns of numbers, likely counts first; see `count_columns`."""
    return _read(lambda: count_columns(resolved(path)), parent)


def texts_of(path: str, parent: QWidget) -> list[str]:
    """Return all columns; see `text_columns`."""
    return _read(lambda: text_columns(resolved(path)), parent)


def all_columns_of(path: str, parent: QWidget) -> list[str]:
    """Return all columns, likely counts first; see `all_columns`."""
    return _read(lambda: all_columns(resolved(path)), parent)


def bits_of_file(path: str, parent: QWidget) -> dict[str, str]:
    """Return all columns, those of two values first, and why each of the others is none; see `bit_columns`."""
    reason = _tr("more than two values")
    return {name: "" if fits else reason for name, fits in _read(lambda: bit_columns(resolved(path)), parent).items()}


def categories_of_file(path: str, parent: QWidget) -> tuple[str, ...]:
    """Return the categories that a file lists; see `categories_of`."""
    return _read(lambda: categories_of(read_text(path)), parent)


def choose_column(
    parent: QWidget,
    title: str,
    question: str,
    chosen: Callable[[str, str], None],
    offered: Callable[[str, QWidget], Collection[str]],
    path: str = "",
) -> None:
    """Ask for a table, unless there is one, and for one of several columns; the call does not wait for that answer.

    Parameters
    ----------
    parent : QWidget
    title : str
        Of both dialogs.
    question : str
        Of the second; ``{name}`` stands for the file's name.
    chosen : callable
        Called with the path and the column.
    offered : callable
        The columns to choose from, by name, with the reason why one cannot be chosen, if any.
    path : str
        The table, where it was dropped.
    """
    path = path or chosen_data(title, parent)
    names = offered(path, parent) if path else ()
    reasons = names if isinstance(names, dict) else dict.fromkeys(names, "")
    if len(names) == 1:
        chosen(path, *names)
    elif names:
        dialog = _asking(parent, title, question.format(name=Path(path).name))
        labels = {f"{name}: {reason}" if reason else name: name for name, reason in reasons.items()}
        dialog.setComboBoxItems(list(labels))
        (model,) = (box.model() for box in dialog.findChildren(QComboBox))
        assert isinstance(model, QStandardItemModel)
        for place, reason in enumerate(reasons.values()):
            model.item(place).setEnabled(not reason)
        dialog.textValueSelected.connect(lambda label: chosen(path, labels[label]))
        dialog.open()


def choose_contents(
    parent: QWidget, title: str, question: str, chosen: Callable[[str, str], None], path: str, only: Sequence[str] = ()
) -> None:
    """Ask for a column by what it holds, or for one of these; see `choose_column`. The first is proposed, or a likely count."""
    columns = _read(lambda: contents_of(resolved(path)), parent)
    columns = {name: held for name, held in columns.items() if not only or name in only}
    if len(columns) == 1:
        chosen(path, *columns)
        return
    dialog = _asking(parent, title, question.format(name=Path(path).name))
    if any(held.rows == ROWS_READ for held in columns.values()):
        first = _tr("The list describes the first {rows} rows.").format(rows=f"{ROWS_READ:,}".replace(",", "\u202f"))
        dialog.setLabelText(f"{dialog.labelText()}\n{first}")
    dialog.setOption(QInputDialog.InputDialogOption.UseListViewForComboBoxItems)
    names = {f"{name} · {_contents(held)}": name for name, held in columns.items()}
    dialog.setComboBoxItems(list(names))
    (view,) = (view for view in dialog.findChildren(QListView) if view.parent() is dialog)
    model, size = view.model(), QSize(72, 22) * theme().scale
    assert isinstance(model, QStandardItemModel)
    view.setIconSize(size)
    view.setAccessibleName(title)
    for place, held in enumerate(columns.values()):
        model.item(place).setIcon(_bars(held.bars, size, view.devicePixelRatioF()))
    likely = (only or all_columns_of(path, parent))[0]
    dialog.setTextValue(next(label for label, name in names.items() if name == likely))
    view.activated.connect(dialog.accept)
    dialog.textValueSelected.connect(lambda label: chosen(path, names[label]))
    dialog.resize(QSize(560, 340) * theme().scale)
    dialog.open()


def _asking(parent: QWidget, title: str, question: str) -> QInputDialog:
    dialog = QInputDialog(parent.window())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(question)
    return dialog


def _contents(held: Contents) -> str:
    """Return in a few words what a column holds."""
    if held.ends is not None:
        low, high = (f"{end:.10g}" for end in held.ends)
        words = _tr("numbers {low} to {high}") if low != high else _tr("always {low}")
        words += _tr(", and {others} cells that are no numbers") if held.others else ""
        return words.format(low=low, high=high, others=held.others)
    if not held.values:
        return _tr("empty")
    if held.different and held.rows > 1:
        return _tr("a different value in each row")
    some = ", ".join(held.values[:3]) + " …" * (len(held.values) > 3)
    return _tr("{count} values: {some}").format(count=len(held.values), some=some) if len(held.values) > 1 else some


def _bars(heights: Sequence[int], size: QSize, ratio: float) -> QIcon:
    """Return a small bar chart."""
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter, wide = QPainter(picture), size.width() / max(6, len(heights))
    for place, height in enumerate(heights):
        high = max(1.0, 0.85 * size.height() * height / max(heights)) if height else 0.0
        painter.fillRect(QRectF(place * wide, size.height() - high, wide - 1, high), QColor(theme().colours.accent))
    painter.end()
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon


def counts_of(path: str, column: str, parent: QWidget) -> tuple[list[int], int]:
    """Return a column of counts, and the number of blank cells left out; see `read_counts`."""
    cells = _read(partial(read_counts, path, column, -1), parent)
    counts = [count for count in cells if count >= 0]
    return counts, len(cells) - len(counts)


def utilities_of(path: str, parent: QWidget) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...] | None]:
    """Return a table of utilities and the names of its options, if it has any; see `table_of`."""
    return _read(lambda: table_of([line.cells for line in lines(read_text(path), path)]), parent)


def pasted_options(text: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Return names, if there are any, and utilities from a pasted text; see `options_of`."""
    return options_of(text)


def losses_of(path: str, parent: QWidget) -> tuple[tuple[str, ...], ...]:
    """Return a loss matrix; see `read_loss_matrix`."""
    return _read(partial(read_loss_matrix, path), parent)


def cells_of(path: str, parent: QWidget) -> tuple[tuple[str, ...], ...]:
    """Return every cell of a table as written there."""
    return _read(lambda: tuple(tuple(line.cells) for line in lines(read_text(path), path)), parent)


def _read(call: Callable[[], Value], parent: QWidget) -> Value:
    return waited(call, _tr("Reading the file"), parent)


def _tr(text: str) -> str:
    return QCoreApplication.translate("tables", text)
