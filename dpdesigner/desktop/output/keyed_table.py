"""A private table in keys, in the format of a statistics office: its file is chosen, written, read back and verified."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QWidget

from dpdesigner.core.inspection.keys import keyed_table
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.background.waiting import waited
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.errors import Cancelled, DpDesignerError
from dpdesigner.files.atomic import write_atomically
from dpdesigner.files.export.keyed import office_text


def save_keyed_table(parent: QWidget, count: Any, form: str, keys: int) -> str:
    """Ask where to save the table of a count design in this many keys, and return what was done; empty if nothing was."""
    path, _ = QFileDialog.getSaveFileName(parent, tr("Save a table in keys"), "private.csv", tr("Tables (*.csv *.txt)"))
    if not path:
        return ""
    try:
        loss = waited(partial(_write, count, form, keys, Path(path)), tr("Looking for a table in keys"), parent)
    except Cancelled:
        return ""
    except (DpDesignerError, OSError) as error:
        return str(error)
    text = tr("{name} is saved, read back and verified: ε = {epsilon}, needs {keys} keys, expected error {loss}.")
    values = {"epsilon": count.privacy.description, "keys": keys, "loss": figure(loss, 4), "name": Path(path).name}
    note = tr("In this format a count of 0 stays 0, which is not private.") if form == "keys" else ""
    return f"{text.format(**values)} {note}".rstrip()


def _write(count: Any, form: str, keys: int, path: Path) -> float:
    """Write a table in keys once its text was read back and verified; return what it costs."""
    made = keyed_table(count.privacy, count.prior, count.loss, keys)
    write_atomically(path, office_text(made, form))
    return made.value
