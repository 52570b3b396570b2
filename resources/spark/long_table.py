"""One long table of proved probabilities for many counts, made by Spark.

    spark-submit resources/spark/long_table.py DESIGNS.csv LONG.parquet

DESIGNS.csv has the columns name, n, epsilon and prior (weights with blanks between them, or a name such as uniform). The result
has a line for each true and released result: name, true, released, probability. The probabilities are the texts that were proved.
Every worker needs the package dpdesigner, in the version of the driver.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import dpdesigner as dp

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "name string, true int, released int, probability string"
VERSION = dp.__version__


def long_rows(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Solve the designs of each batch on a worker, and yield the rows of their proved tables, for ``mapInPandas``."""
    import pandas as pd

    import dpdesigner as worker

    if worker.__version__ != VERSION:
        raise RuntimeError(f"a worker has dpdesigner {worker.__version__}, but the driver has {VERSION}")
    for batch in batches:
        for name, n, epsilon, prior in zip(batch["name"], batch["n"], batch["epsilon"], batch["prior"], strict=True):
            weights = prior.split() if " " in prior else prior
            table = worker.solve(worker.CountDesign(int(n), epsilon=str(epsilon), prior=weights, name=name)).table()
            header, *lines = [line.split(",") for line in table.splitlines()]
            rows = [
                (name, int(true), int(released), entry)
                for true, *entries in lines
                for released, entry in zip(header[1:], entries, strict=True)
            ]
            yield pd.DataFrame(rows, columns=["name", "true", "released", "probability"])


def main(source: str, target: str) -> None:
    """Read the designs, solve them on the workers, and write one long table."""
    from pyspark.sql import SparkSession

    spark: Any = SparkSession.builder.appName("dpdesigner").getOrCreate()
    designs = spark.read.csv(source, header=True, schema="name string, n int, epsilon string, prior string")
    many = max(spark.sparkContext.defaultParallelism * 4, 1)  # some counts take longer than others
    designs.repartition(many).mapInPandas(long_rows, SCHEMA).write.mode("overwrite").parquet(target)
    print(f"{target}: {spark.read.parquet(target).count()} probabilities")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:3])
