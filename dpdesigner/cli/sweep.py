"""``dpdesigner sweep``: the tables of many designs, by one process, several, or a cluster."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from typing import Any

from dpdesigner.cli import streams
from dpdesigner.cli.output import Output
from dpdesigner.cli.progress_line import ProgressLine
from dpdesigner.core.numbers.parsing import cut, parse_integer
from dpdesigner.errors import InputError
from dpdesigner.files.tables.formats import FORMATS
from dpdesigner.notebook.design_tables import designs_of
from dpdesigner.notebook.sweep import SUMMARY, Row, sweep_to

#: What is left must take longer than this (seconds) for other processes to be worth their start.
_WORTHWHILE = 10.0
_MOST_WORKERS = 256
#: How long a scheduler may take to answer, in seconds.
_PATIENCE = 5


def sweep_command(
    path: str, folder: str, formats: str, workers: str | None, cluster: str | None, timeout: str | None = None
) -> Output:
    """Write the tables of many designs and one summary.

    Parameters
    ----------
    path : str
        A table, a grid or a project; see `dpdesigner.notebook.design_tables`.
    folder : str
        Where to. A sweep that was stopped goes on where it was.
    formats : str
        Names with commas between them.
    workers : str or None
        How many processes; None: as many as there are processors where that pays.
    cluster : str or None
        The address of a Dask scheduler.
    timeout : str or None
        How many seconds to wait for its first worker; None: for ever. After five it is said that there is none yet.

    Returns
    -------
    Output
        Status 2 if a design failed; the others are done all the same.
    """
    wanted = [name.strip().lower() for name in formats.split(",") if name.strip()]
    unknown = next((name for name in wanted if name not in FORMATS), None)
    if unknown is not None or not wanted:
        raise InputError(f"the formats of a sweep must be among {','.join(FORMATS)}, got {cut(unknown or 'none')}.", "format")
    count = None if workers is None else parse_integer(workers, "the number of workers", 1, _MOST_WORKERS)
    if timeout is not None and cluster is None:
        raise InputError("--timeout is the time to wait for the workers of a --cluster; give --cluster too.", "timeout")
    patience = None if timeout is None else parse_integer(timeout, "the timeout, in seconds,", 1, 10**6, "timeout")
    designs = designs_of(path)
    with ProgressLine() as tell, ExitStack() as stack:
        if cluster is not None:
            how, executor = f"the cluster at {cut(cluster)}", stack.enter_context(_cluster(cluster, patience))
            rows = list(sweep_to(folder, designs, wanted, executor, tell))
        elif count is not None:
            how = f"{count} processes" if count > 1 else "one process"
            rows = list(sweep_to(folder, designs, wanted, stack.enter_context(_processes(count)) if count > 1 else None, tell))
        else:
            how, rows = _where_it_pays(folder, designs, wanted, tell, stack)
    return _output(rows, how, folder)


def _where_it_pays(
    folder: str, designs: Sequence[Mapping[str, Any]], formats: Sequence[str], tell: ProgressLine, stack: ExitStack
) -> tuple[str, list[Row]]:
    """Do one design after another for a moment; if the rest would take long, other processes do it."""
    processors = os.cpu_count() or 1
    began, rows = time.monotonic(), []
    alone = sweep_to(folder, designs, formats, None, tell)
    for row in alone:
        rows.append(row)
        made = sum(each.state != "kept" for each in rows)
        left = (len(designs) - len(rows)) * (time.monotonic() - began) / made if made else 0.0
        if left > _WORTHWHILE and processors > 1:
            alone.close()
            executor = stack.enter_context(_processes(processors))
            done = {each.name: each for each in rows}
            again = {each.name: each for each in sweep_to(folder, designs, formats, executor, tell)}
            return f"{processors} processes", [done.get(name, each) for name, each in again.items()]
    each = (time.monotonic() - began) / max(len(rows), 1)
    return f"one process, the fastest choice for designs of {each:.2g} s each", rows


def _output(rows: Sequence[Row], how: str, folder: str) -> Output:
    counted = {state: sum(row.state == state for row in rows) for state in ("done", "kept", "failed")}
    words = f"{counted['done']} done, {counted['kept']} unchanged, {counted['failed']} failed"
    lines = [f"{os.path.join(folder, SUMMARY)}: {len(rows)} designs by {how}: {words}"]
    warnings = [f"{row.name}: {row.error}" for row in rows if row.error]
    data = [{"name": row.name, "state": row.state, "error": row.error, "files": dict(row.files)} for row in rows]
    return Output(lines, {**counted, "designs": data}, 2 if warnings else 0, warnings)


@contextmanager
def _processes(count: int) -> Iterator[Executor]:
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(cancel_futures=True)
            raise


@contextmanager
def _cluster(address: str, patience: int | None) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError as error:
        if getattr(sys, "frozen", False):
            problem = "this bundle has no Dask, so it cannot use a cluster; install the package with Python's pip for that"
            raise InputError(f"{problem}, or use --workers.", "cluster") from error
        raise InputError("a cluster needs Dask: pip install 'dpdesigner[cluster]'.", "cluster") from error
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"no Dask scheduler answers at {cut(address)}: {cut(error)}.", "cluster") from error
    with client:
        _wait_for_a_worker(client, cut(address), patience)
        yield client.get_executor(pure=False, retries=3)


def _wait_for_a_worker(client: Any, address: str, patience: int | None) -> None:
    """Wait until a scheduler has a worker; say after a few seconds that it has none yet, and give up after `patience`."""
    began, said = time.monotonic(), False
    while True:
        waited = time.monotonic() - began
        left = _PATIENCE if patience is None else max(patience - waited, 0.01)
        try:
            client.wait_for_workers(1, timeout=min(left, _PATIENCE))
            return
        except TimeoutError:
            if patience is not None and time.monotonic() - began >= patience:
                problem = f"the scheduler at {address} has no workers after {patience} s"
                raise InputError(f"{problem}; start some with: dask worker {address}.", "cluster") from None
        if not said:
            said = True
            streams.warn(f"dpdesigner: the scheduler at {address} has no workers yet; waiting for one.")
