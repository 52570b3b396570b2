"""Types of numpy arrays, for annotations.

Shapes stand in the docstrings: ``(n + 1,)``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]
