"""``dpdesigner sweep``: the tables of many designs, computed by one process, several, or a cluster."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from typing import Any

from dpdesigner.cli import streams
from dpdesigner.cli.output import Output
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.core.basics.parsing import cut, parse_integer
from dpdesigner.data.grid import STANDARD
from dpdesigner.errors import InputError
from dpdesigner.files.tables import FORMATS
from dpdesigner.notebook.sweep import SUMMARY, Row, sweep_lines, sweep_to
from dpdesigner.notebook.sweep_tables import HEADER, Designs, LongTable

#: Other processes are started only if the remaining work takes longer than this (seconds).
_WORTHWHILE = 10.0
_MOST_WORKERS = 256
_MOST_ERRORS = 20  # that are reported
#: How long a scheduler may take to answer, in seconds.
_PATIENCE = 5


def sweep_command(
    path: str,
    folder: str,
    formats: str | None,
    table: str | None,
    workers: str | None,
    cluster: str | None,
    timeout: str | None = None,
) -> Output:
    """Write the tables of many designs and one summary.

    Parameters
    ----------
    path : str
        A table, a grid or a project; see `dpdesigner.notebook.sweep_tables`.
    folder : str
        Where to. A sweep that was stopped goes on where it was. ``-``: the long table goes to standard output.
    formats : str or None
        Names with commas between them: the files of each design. None: CSV, or none if there is a `table`.
    table : str or None
        One long table of all designs, a .csv or .parquet file.
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
    wanted = _formats(formats if formats is not None else "" if table or folder == STANDARD else "csv", formats is not None)
    if folder == STANDARD and (table or wanted):
        raise InputError("--to - writes the long table to standard output, and no files; remove --formats and --table.", "file")
    count = None if workers is None else parse_integer(workers, "the number of workers", 1, _MOST_WORKERS)
    if timeout is not None and cluster is None:
        raise InputError("--timeout is the time to wait for the workers of a --cluster; give --cluster too.", "timeout")
    patience = None if timeout is None else parse_integer(timeout, "the timeout, in seconds,", 1, 10**6, "timeout")
    designs = Designs(path)
    if folder != STANDARD and table:
        LongTable.check(table)
    with ProgressLine() as tell, ExitStack() as stack:
        crew = _Crew(stack, len(designs), count, cluster, patience)
        if folder == STANDARD:
            streams.write(HEADER)
            for row, text in sweep_lines(designs, crew.executor, tell, crew.later):
                crew.count(row)
                streams.write(text)
            return Output([], None, 2 if crew.failed else 0, crew.warnings(), "")
        for row in sweep_to(folder, designs, wanted, crew.executor, tell, table=table, later=crew.later):
            crew.count(row)
    words = f"{crew.states['done']} done, {crew.states['kept']} unchanged, {crew.states['failed']} failed"
    summary = os.path.join(folder, SUMMARY)
    lines = [f"{summary}: {len(designs)} designs by {crew.how}: {words}", *([table] if table else [])]
    data = {**crew.states, "summary": summary, **({"table": table} if table else {})}
    return Output(lines, data, 2 if crew.failed else 0, crew.warnings())


def _formats(text: str, given: bool) -> list[str]:
    wanted = [name.strip().lower() for name in text.split(",") if name.strip()]
    unknown = next((name for name in wanted if name not in FORMATS), None)
    if unknown is not None or (given and not wanted):
        raise InputError(f"the formats of a sweep must be among {','.join(FORMATS)}, got {cut(unknown or 'none')}.", "format")
    return wanted


class _Crew:
    """The workers of a sweep, and their results."""

    def __init__(self, stack: ExitStack, total: int, count: int | None, cluster: str | None, patience: int | None) -> None:
        self.states = {"done": 0, "kept": 0, "failed": 0}
        self.executor: Executor | None = None
        self.later: Callable[[], Executor | None] | None = None
        self._stack, self._total, self._began, self._errors = stack, total, time.monotonic(), list[str]()
        self.how = "one process"
        if cluster is not None:
            self.how, self.executor = f"the cluster at {cut(cluster)}", stack.enter_context(_cluster(cluster, patience))
        elif count is None:
            self.later = self._others
        elif count > 1:
            self.how, self.executor = f"{count} processes", stack.enter_context(_processes(count))

    @property
    def failed(self) -> int:
        """The number of failed designs."""
        return self.states["failed"]

    def count(self, row: Row) -> None:
        """Count a finished design."""
        self.states[row.state] += 1
        if row.error and len(self._errors) < _MOST_ERRORS:
            self._errors.append(f"{row.name}: {row.error}")

    def warnings(self) -> list[str]:
        """Return the first few reasons why designs failed."""
        more = self.failed - len(self._errors)
        return [*self._errors, *([f"{more} more designs failed; {SUMMARY} has the reasons."] if more else [])]

    def _others(self) -> Executor | None:
        """Return further processes if the rest would take this one too long."""
        processors, solved = os.cpu_count() or 1, self.states["done"] + self.states["failed"]
        each = (time.monotonic() - self._began) / max(solved, 1)
        if processors > 1 and solved and (self._total - sum(self.states.values())) * each > _WORTHWHILE:
            self.how = f"{processors} processes"
            return self._stack.enter_context(_processes(processors))
        self.how = f"one process, the fastest choice for designs of {each:.2g} s each"
        return None


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
    """Wait until a scheduler has a worker; report after a few seconds that it has none, and give up after `patience`."""
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
