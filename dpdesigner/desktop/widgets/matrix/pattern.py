"""The constraint pattern of a mechanism: between each two rows, which privacy constraint binds in which column."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtGui import QColor

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.matrix.colour import Bytes
from dpdesigner.desktop.widgets.plot.plot_layer import colour, mixed
from dpdesigner.errors import InputError
from dpdesigner.studies.matrices import Cells, dense_cells


class Binding(IntEnum):
    """The tight constraints; where several share a pixel, the one with the highest number is shown."""

    ZERO = 0
    DOWN = 1
    UP = 2
    SLACK = 3


GLYPHS = {Binding.DOWN: "↓", Binding.UP: "↑", Binding.SLACK: "S", Binding.ZERO: "Z"}
_LETTERS = {"d": Binding.DOWN, "u": Binding.UP, "S": Binding.SLACK, "Z": Binding.ZERO}


def pattern_source(letters: ArrayLike) -> Cells:
    """Turn a constraint matrix into numbers.

    Parameters
    ----------
    letters : array (n, n+1) of str
        ``"d"``, ``"u"``, ``"S"`` or ``"Z"`` for the constraint between rows i and i+1 in each column.

    Returns
    -------
    Cells
        Of shape (n, n+1), with the number of a `Binding` in each cell.

    Raises
    ------
    InputError
        If there is another letter, or no cell at all.
    """
    return dense_cells(binding_codes(letters))


def binding_codes(letters: ArrayLike) -> Floats:
    """Return the number of the `Binding` that each letter stands for; see `pattern_source`."""
    given = np.asarray(letters, dtype="U1")
    codes = np.full(given.shape, -1.0)
    for letter, binding in _LETTERS.items():
        codes[given == letter] = binding
    if codes.size and codes.min() < 0:
        raise InputError(f"A constraint pattern holds d, u, S or Z, got {str(given[codes < 0][0])!r}.", "pattern")
    return codes


def pattern_colours() -> dict[Binding, QColor]:
    """Return a colour for each binding; they also differ in lightness. Zero is transparent: the hatching below shows."""
    return {
        Binding.ZERO: QColor(0, 0, 0, 0),
        Binding.DOWN: colour("accent"),
        Binding.UP: mixed(colour("accent"), colour("card"), 0.6),
        Binding.SLACK: colour("text"),
    }


def pattern_table() -> Bytes:
    """Return `pattern_colours` as an array (4, 4) of red, green, blue and opacity, by the number of the binding."""
    return np.array([shade.getRgb() for _, shade in sorted(pattern_colours().items())], dtype=np.uint8)


def binding_words(*, short: bool) -> dict[Binding, str]:
    """Return what each binding means, in a word or in a few."""
    if short:
        texts = {"DOWN": tr("down"), "UP": tr("up"), "SLACK": tr("slack"), "ZERO": tr("zero")}
    else:
        texts = {
            "DOWN": tr("falls at the limit"),
            "UP": tr("rises at the limit"),
            "SLACK": tr("slack"),
            "ZERO": tr("both 0"),
        }
    return {Binding[name]: text for name, text in texts.items()}
