"""The example for Spark gives the rows of the tables that the program itself writes."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner import resources

SCRIPT = resources.path("spark", "long_table.py")


def expected(design: dp.CountDesign) -> set[tuple[str, int, int, str]]:
    header, *rows = [line.split(",") for line in dp.solve(design).table().splitlines()]
    pairs = [(row, list(zip(header[1:], row[1:], strict=True))) for row in rows]
    return {(design.name, int(row[0]), int(released), entry) for row, cells in pairs for released, entry in cells}


KENT = dp.CountDesign(8, epsilon="1", prior=list(range(1, 10)), name="Kent")
ESSEX = dp.CountDesign(5, epsilon="ln 2", name="Essex")
DESIGNS = "name,n,epsilon,prior\nKent,8,1,1 2 3 4 5 6 7 8 9\nEssex,5,ln 2,uniform\n"


def test_its_rows_are_those_of_the_tables() -> None:
    pandas = pytest.importorskip("pandas")
    spec = importlib.util.spec_from_file_location("long_table", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    columns = {"name": ["Kent", "Essex"], "n": [8, 5], "epsilon": ["1", "ln 2"], "prior": ["1 2 3 4 5 6 7 8 9", "uniform"]}
    made = pandas.concat(module.long_rows(iter([pandas.DataFrame(columns)])))
    assert set(made.itertuples(index=False, name=None)) == expected(KENT) | expected(ESSEX)
    module.VERSION = "0.0.9"
    with pytest.raises(RuntimeError, match="but the driver has"):
        next(module.long_rows(iter([])))


@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None or shutil.which("java") is None, reason="needs Spark and Java")
def test_spark_runs_it(tmp_path: Path) -> None:
    (tmp_path / "designs.csv").write_text(DESIGNS, "utf-8")
    root = str(Path(dp.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["PYSPARK_SUBMIT_ARGS"] = "--master local[1] --conf spark.ui.enabled=false --driver-memory 600m pyspark-shell"
    words = [sys.executable, SCRIPT, tmp_path / "designs.csv", tmp_path / "long.parquet"]
    found = subprocess.run(list(map(str, words)), env=environment, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stderr[-2000:]
    parquet = pytest.importorskip("pyarrow.parquet")
    made = parquet.read_table(tmp_path / "long.parquet").to_pylist()
    assert {tuple(row.values()) for row in made} == expected(KENT) | expected(ESSEX)
    assert f"{len(made)} probabilities" in found.stdout
