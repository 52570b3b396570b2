"""HiGHS writes nothing to standard output, which belongs to `solve --json`."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
from dpdesigner.core.program.highs import new_solver, run
from dpdesigner.progress import silent
solver = new_solver()
solver.addVar(0, 1)
run(solver, silent)
print("done")
"""


def test_a_solver_writes_nothing():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr
