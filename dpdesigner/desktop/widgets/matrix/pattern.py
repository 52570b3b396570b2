"""The constraint pattern of a mechanism: between each two rows, which privacy constraint binds in which column."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor

from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.matrix.colour import Bytes
from dpdesigner.desktop.widgets.plot.plot_layer import colour, mixed
from dpdesigner.studies.matrices import Binding

GLYPHS = {Binding.DOWN: "↓", Binding.UP: "↑", Binding.SLACK: "S", Binding.ZERO: "Z"}


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
