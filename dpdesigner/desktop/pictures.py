"""Pictures of a mechanism without a window, for the command line and for machines without a screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QApplication

from dpdesigner.core.mechanism import Mechanism, RemappedGeometric
from dpdesigner.desktop.figures import save_figure
from dpdesigner.desktop.theme import theme
from dpdesigner.desktop.widgets.matrix_view import MatrixView
from dpdesigner.studies.count import CountOutcome

_SIZE = QSize(900, 840)
_NUMBERS_UP_TO = 12


def draw_outcome(outcome: CountOutcome, path: Path | str, mechanism: Mechanism | None = None) -> None:
    """Draw the matrix of a solved count design in the light colours.

    Without a Qt application one is made; the environment decides on which platform (QT_QPA_PLATFORM=offscreen needs no screen).

    Parameters
    ----------
    outcome : CountOutcome
    path : Path or str
        Ends in ``.png``, ``.svg`` or ``.pdf``.
    mechanism : Mechanism, optional
        What to draw; by default the induced mechanism of the outcome.

    Raises
    ------
    InputError
        If the ending is another, or the file cannot be written.
    """
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication([os.fspath(path)])
        application.setStyle("Fusion")
        theme().set_scheme("light")
    shown = outcome.induced if mechanism is None else mechanism
    view = MatrixView()
    view.set_matrix(shown.matrix, texts=_fractions(shown))
    view.set_numbers(shown.n <= _NUMBERS_UP_TO)
    view.setAccessibleName(outcome.study.name or QCoreApplication.translate("pictures", "Mechanism"))
    save_figure(view, path, _SIZE, light=True)
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _fractions(mechanism: Mechanism) -> Callable[[int, int], str] | None:
    """Exact texts for the cells of a small table where alpha is rational."""
    alpha = mechanism.privacy.exact_alpha
    if alpha is None or mechanism.n > _NUMBERS_UP_TO or not isinstance(mechanism, RemappedGeometric):
        return None
    rows = list(mechanism.exact_rows(alpha))
    return lambda i, r: str(rows[i][r])
