"""The Qt binding in use is a sound one: PySide6 6.12.0 loses a reference to None at every call that returns nothing."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from PySide6.QtCore import QObject, QPointF

thing, point = QObject(), QPointF()
before = sys.getrefcount(None)
for _ in range(200_000):
    thing.setObjectName("a")
    point.setX(1.0)
after = sys.getrefcount(None)
print(before, after)
# Where None is immortal (Python 3.12 and later) its count never moves.
sys.exit(0 if after > before - 1000 else 1)
"""


def test_none_survives_400_000_calls_that_return_nothing():
    found = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
