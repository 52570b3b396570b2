"""Where data come from: a table of the user's, and of that one column of numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from dpdesigner.data.columns import number_columns
from dpdesigner.errors import InputError

_TABLES = (".csv", ".tsv", ".txt")


def choose_table(parent: QWidget, title: str) -> str:
    """Ask for a table, and return its path; empty if there is none."""
    kinds = QCoreApplication.translate("Sources", "Tables ({endings})").format(endings=" ".join(f"*{end}" for end in _TABLES))
    path, _ = QFileDialog.getOpenFileName(parent, title, "", kinds)
    return path


def dropped_table(event: QDropEvent) -> str:
    """Return the path of the one local table that is dragged; empty for anything else."""
    urls = event.mimeData().urls()
    path = urls[0].toLocalFile() if len(urls) == 1 else ""
    return path if path.lower().endswith(_TABLES) else ""


def choose_column(
    parent: QWidget,
    title: str,
    question: str,
    chosen: Callable[[str, str], None],
    refused: Callable[[InputError], None],
) -> None:
    """Ask for a table, and which of its columns of numbers is meant where there are several; nothing waits for that answer.

    Parameters
    ----------
    parent : QWidget
    title : str
        Of both dialogs.
    question : str
        Of the second; ``{name}`` stands for the file's name.
    chosen : callable
        Called with the path and the column.
    refused : callable
        Called with what is wrong with the file.
    """
    path = choose_table(parent, title)
    if not path:
        return
    try:
        names = number_columns(path)
    except InputError as error:
        refused(error)
        return
    if len(names) == 1:
        chosen(path, names[0])
        return
    dialog = QInputDialog(parent.window())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(question.format(name=Path(path).name))
    dialog.setComboBoxItems(names)
    dialog.textValueSelected.connect(partial(chosen, path))
    dialog.open()
