"""A large matrix by its errors: released minus true across, so that its diagonal stands upright and fills the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.desktop.widgets.base.number_text import group_thousands
from dpdesigner.desktop.widgets.plot.plot_ticks import Tick, count_ticks
from dpdesigner.studies.matrices import Cells, dense_cells

FEWEST_ROWS = 101  #: a smaller matrix has room for all its cells

_FAINT = 1e-3  # of the largest cell: errors at which every cell is below are left out
_ROUND = 5  # the reach is a multiple, so that it stands while a level is dragged


@dataclass(frozen=True, eq=False)
class Band:
    """A matrix whose column k holds, in row i, the cell (i, i + k - reach); 0 where there is none.

    Attributes
    ----------
    cells : Cells
        Of 2 reach + 1 columns.
    reach : int
        The largest error shown on either side.
    columns : int
        Those of the matrix itself.
    """

    cells: Cells
    reach: int
    columns: int

    def across(self, row: int | None, column: int | None) -> int | None:
        """Return where a cell of the matrix stands in its row here; None where it is not in view."""
        if row is None or column is None:
            return None
        place = column - row + self.reach
        return place if 0 <= place <= 2 * self.reach else None

    def column(self, row: int, place: int) -> int:
        """Return the column of the matrix that stands here in a row, or the nearest there is."""
        return min(max(row + place - self.reach, 0), self.columns - 1)

    def ticks(self, low: float, high: float, at_most: int) -> list[Tick]:
        """Return ticks at errors, with their signs."""
        ticks = count_ticks(low - self.reach, high - self.reach, at_most)
        return [Tick(tick.at + self.reach, error_text(round(tick.at))) for tick in ticks]


def error_text(error: int) -> str:
    """Return an error with its sign."""
    return f"+{group_thousands(error)}" if error > 0 else f"−{group_thousands(-error)}" if error < 0 else "0"


def band_of(cells: Cells) -> Band | None:
    """Return a matrix by its errors, as far as they are not faint; None where it is small, not square or not held."""
    values = cells.dense
    if values is None or cells.rows != cells.columns or cells.rows < FEWEST_ROWS:
        return None
    sizes = np.abs(values) if cells.signed else values
    strong = sizes > _FAINT * float(sizes.max())
    places, some = np.arange(cells.rows), strong.any(axis=1)
    first, last = strong.argmax(axis=1), cells.columns - 1 - strong[:, ::-1].argmax(axis=1)
    furthest = int(np.max(np.maximum(places - first, last - places), where=some, initial=1))
    reach = min(-(-furthest // _ROUND) * _ROUND, cells.columns - 1)
    columns = places[:, None] + np.arange(-reach, reach + 1)
    inside = (columns >= 0) & (columns < cells.columns)
    shifted = np.where(inside, values[places[:, None], np.clip(columns, 0, cells.columns - 1)], 0.0)
    return Band(dense_cells(shifted, signed=cells.signed), reach, cells.columns)
