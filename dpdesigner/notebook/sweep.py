"""Many designs solved sequentially or in parallel: by threads, processes, or the workers of a cluster.

A design is done by a function of a JSON object that gives texts, so that any `concurrent.futures.Executor` can run it anywhere;
only the caller writes files. Each design's files are written before its line in ``sweep.jsonl`` is, which names their checksums:
a sweep that was stopped begins again where that line is missing or a file is not what it was.

What a sweep has done, on disk: the ledger that a later sweep goes on from, and the summary.

The memory that this takes does not grow with the number of designs: names, and where each line of the ledger stands, are in a
temporary database, and the rows wait for the summary in a temporary file.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sqlite3
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from dpdesigner.core.basics.parsing import cut
from dpdesigner.errors import DpDesignerError, InputError, with_article
from dpdesigner.files.atomic import make_folder, remove_left_over, write_atomically, write_together
from dpdesigner.files.export import export_of
from dpdesigner.files.formatting import file_name
from dpdesigner.files.tables import rows_text
from dpdesigner.notebook.sweep_tables import LongTable, is_mechanism, long_lines
from dpdesigner.studies.findings import as_json, public
from dpdesigner.studies.registry import entry, solve
from dpdesigner.studies.study import Progress, Study, silent

LEDGER, SUMMARY = "sweep.jsonl", "summary.csv"
_TASK = re.compile(rb'"task": "([0-9a-f]{64})"')
_HEADER = ("name", "state", "error", "file", "sha256")


@dataclass(frozen=True)
class Row:
    """One design of a sweep that writes to a folder.

    Attributes
    ----------
    name : str
        Of its files.
    state : {"done", "kept", "failed"}
        Kept is what an earlier sweep has written and is still there.
    findings : mapping
        By key, as JSON values.
    files : mapping of str to str
        Names and checksums.
    error : str
        Why there is nothing.
    """

    name: str
    state: str
    findings: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    error: str = ""


class Record:
    """The ledger and the summary of one folder.

    Parameters
    ----------
    folder : path
        It must exist.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = sqlite3.connect("")  # a temporary file that is deleted on closing
        self._index.execute("create table lines (task text primary key, place integer) without rowid")
        self._index.execute("create table names (name text primary key) without rowid")
        self._index.executemany("insert or replace into lines values (?, ?)", self._lines())
        self._ledger = (folder / LEDGER).open("ab+")
        self._rows = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._keys: dict[str, None] = {}

    def _lines(self) -> Iterator[tuple[str, int]]:
        """Yield the tasks that earlier sweeps recorded as done; truncated lines are ignored."""
        with suppress(OSError), (self._folder / LEDGER).open("rb") as ledger:
            place = 0
            for line in ledger:
                found = _TASK.search(line)
                if found is not None and line.endswith(b"}\n"):
                    yield found[1].decode(), place
                place += len(line)

    def name(self, wanted: str, place: int) -> str:
        """Return a file name for a design that no other design has, and reserve it."""
        name = base = file_name(wanted)
        again = 0
        while self._index.execute("insert or ignore into names values (?)", (name,)).rowcount == 0:
            name = f"{base}-{place}" if not again else f"{base}-{place}-{again + 1}"
            again += 1
        return name

    def before(self, task: str) -> dict[str, Any] | None:
        """Return the ledger's entry for a task if its files are unchanged."""
        found = self._index.execute("select place from lines where task = ?", (task,)).fetchone()
        if found is None:
            return None
        self._ledger.seek(found[0])
        with suppress(ValueError, KeyError, TypeError):
            line = json.loads(self._ledger.readline())
            if all(self._same(str(name), checksum) for name, checksum in line["files"].items()):
                return {"error": "", **line, "findings": dict(line["findings"])}
        return None

    def _same(self, name: str, checksum: str) -> bool:
        path = self._folder / Path(name).name
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == checksum

    def add(self, line: Mapping[str, Any]) -> None:
        """Write a line into the ledger; the files that it names must exist."""
        self._ledger.write(json.dumps(line).encode() + b"\n")
        self._ledger.flush()

    def summarise(self, row: Row) -> None:
        """Keep a row for the summary."""
        self._keys |= dict.fromkeys(row.findings)
        self._rows.write(json.dumps([row.name, row.error, dict(row.files), dict(row.findings)]) + "\n")

    def close(self) -> None:
        """Write the summary, with one line per row."""
        try:
            write_atomically(self._folder / SUMMARY, self._summary())
        finally:
            self._ledger.close()
            self._rows.close()
            self._index.close()

    def _summary(self) -> Iterator[str]:
        yield rows_text([[*_HEADER, *self._keys]], "csv")
        self._rows.seek(0)
        for line in self._rows:
            name, error, files, findings = json.loads(line)
            first = next(iter(files.items()), ("", ""))
            cells = ["" if findings.get(key) is None else str(findings[key]) for key in self._keys]
            yield rows_text([[name, "failed" if error else "done", error, *first, *cells]], "csv")


_log = logging.getLogger(__name__)

#: The most designs queued at an executor, so that a hundred thousand tables are not in memory at once.
_WAITING = 64
#: Called after each design solved here; returns an executor for the remaining designs, or None.
Later = Callable[[], Executor | None]
_OTHER = "the worker has dpdesigner {worker}, but the sweep was started with {client}; install the same version on every worker."


@dataclass(frozen=True)
class Swept:
    """One design of a sweep: its outcome, or one sentence on why there is none."""

    design: Study
    outcome: Any = None
    error: str = ""


def sweep(designs: Iterable[Study], executor: Executor | None = None, progress: Progress = silent) -> list[Swept]:
    """Solve many designs; report those that fail and solve the rest.

    Parameters
    ----------
    designs : iterable of Study
        Of any kinds.
    executor : concurrent.futures.Executor, optional
        Such as a ``ProcessPoolExecutor``, or a Dask client's ``get_executor()``; by default this process does it. Up to some
        hundred designs of n = 100 that is the fastest: solving one takes less time than handing it over.
    progress : Progress
        Told how far it is; may cancel, which leaves what waits undone.

    Returns
    -------
    list of Swept
        In the order of the designs.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> swept = dp.sweep(dp.CountDesign(n=5, epsilon=epsilon) for epsilon in ("1/2", 1, "ln 2"))
    >>> [round(each.outcome.value, 3) for each in swept]
    [1.061, 0.627, 0.896]
    """
    given, swept = list(designs), []
    for design, _, (outcome, error, _) in _run(solve, ((design, None) for design in given), executor):
        swept.append(Swept(design, outcome, error))
        progress(len(swept) / len(given), f"{len(swept)} of {len(given)} designs")
    return swept


def sweep_to(
    folder: str | Path,
    designs: Iterable[Mapping[str, Any]],
    formats: Sequence[str] = ("csv",),
    executor: Executor | None = None,
    progress: Progress = silent,
    *,
    table: str | Path | None = None,
    later: Later | None = None,
) -> Generator[Row]:
    """Solve many designs and write their proved tables; yield each row, in order, as soon as its tables are written.

    When all are done, or the caller stops, ``summary.csv`` has a line for each that is done. The memory that this takes does not
    grow with the number of designs.

    Parameters
    ----------
    folder : path
        Made if it is not there. What an earlier sweep has written there is not made again.
    designs : iterable of mapping
        JSON objects, each with a name; see `dpdesigner.notebook.sweep_tables.Designs`. With a ``len``, progress tells the time
        that is left.
    formats : sequence of str
        The files of each design: of those of ``dpdesigner export``, and no others beside them. May be empty.
    executor, progress
        As for `sweep`.
    table : path, optional
        One long table of all designs, ``.csv`` or ``.parquet``: name, true result, released result, probability. It gets its name
        when all designs are done.
    later : callable, optional
        Asked after each design that was solved here; the executor that it returns does the rest.

    Raises
    ------
    InputError
        If the folder or the table cannot be written to.
    """
    where = make_folder(folder)
    remove_left_over(where)
    try:
        record = Record(where)
    except OSError as error:
        raise InputError(f"{cut(where / LEDGER)} could not be written: {cut(error)}.", "file") from error
    try:
        long = None if table is None else LongTable(table)
        try:
            yield from _swept(record, long, where, designs, tuple(formats), executor, progress, later)
            if long is not None:
                long.finish()
        finally:
            if long is not None:
                long.close()
    finally:
        record.close()


def _swept(
    record: Record,
    long: LongTable | None,
    where: Path,
    designs: Iterable[Mapping[str, Any]],
    formats: tuple[str, ...],
    executor: Executor | None,
    progress: Progress,
    later: Later | None,
) -> Iterator[Row]:
    def tasks() -> Iterator[tuple[_Task, Row | None]]:
        for place, data in enumerate(designs, 1):
            task = _Task(record.name(str(data.get("name", "")), place), dict(data), formats, long is not None, _version())
            yield task, _kept(record.before(task.checksum), task, long)

    clock = _Clock(len(designs) if isinstance(designs, Sized) else None, progress)
    for task, row, (made, error, settled) in _run(_solve, tasks(), executor, later, _refusal):
        if row is None:
            row = Row(task.name, "failed", error=error) if error else _written(task, made, where)
            if row.state == "done" or settled:
                line: dict[str, Any] = {"name": row.name, "task": task.checksum, "findings": row.findings, "files": row.files}
                if row.error:
                    line["error"] = row.error
                elif long is not None:
                    line["lines"] = long.add(long_lines(task.title, made.table, not long.parquet))
                record.add(line)
            clock.solved += 1
        record.summarise(row)
        clock.tell()
        yield row


def sweep_lines(
    designs: Iterable[Mapping[str, Any]],
    executor: Executor | None = None,
    progress: Progress = silent,
    later: Later | None = None,
) -> Iterator[tuple[Row, str]]:
    """Solve many designs; yield each row with its lines of the long table, which are not written to any file.

    Parameters
    ----------
    designs, executor, progress, later
        As for `sweep_to`.
    """
    tasks = (_Task(str(data.get("name", place)), dict(data), (), True, _version()) for place, data in enumerate(designs, 1))
    clock = _Clock(len(designs) if isinstance(designs, Sized) else None, progress)
    for task, _, (made, error, _) in _run(_solve, ((task, None) for task in tasks), executor, later, _refusal):
        clock.solved += 1
        clock.tell()
        row = Row(task.name, "failed", error=error) if error else Row(task.name, "done", made.findings)
        yield row, "" if error else long_lines(task.name, made.table)


class _Clock:
    """Progress report with the number of finished designs and the remaining time."""

    def __init__(self, total: int | None, progress: Progress) -> None:
        self._total, self._progress = total, progress
        self._began = time.monotonic()
        self._seen = self.solved = 0

    def tell(self) -> None:
        """Count one more design."""
        self._seen += 1
        if self._total is None:
            self._progress(None, f"{self._seen} designs")
            return
        left = (self._total - self._seen) * (time.monotonic() - self._began) / max(self.solved, 1)
        words = f", {_duration(left)} left" if self.solved and left >= 1 else ""
        self._progress(self._seen / max(self._total, 1), f"{self._seen} of {self._total} designs{words}")


def _duration(seconds: float) -> str:
    """``40 s``, ``12 min``, ``3 h 20 min``."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


@dataclass(frozen=True)
class _Task:
    name: str
    data: Mapping[str, Any]
    formats: tuple[str, ...]
    long: bool  #: whether its table also goes into the long one
    version: str  #: of the program that started the sweep; workers with another version refuse the task

    @property
    def title(self) -> str:
        """The design's name as given, unless another design has the same."""
        given = str(self.data.get("name", ""))
        return given if given and file_name(given) == self.name else self.name

    @property
    def checksum(self) -> str:
        """A checksum of everything that decides what the files contain, the version of the program included."""
        text = json.dumps([self.name, self.data, self.formats, self.long, self.version], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


class _Solved(NamedTuple):
    """Findings as JSON values, and files as names and texts."""

    findings: Mapping[str, Any]
    files: tuple[tuple[str, str], ...]
    version: str
    table: str = ""  #: for the long table


def _version() -> str:
    """The version of the running program."""
    version: str = sys.modules["dpdesigner"].__version__
    return version


def _solve(task: _Task) -> _Solved:
    """Solve one design and return its files as texts; runs in any process."""
    if task.version != _version():
        raise InputError(_OTHER.format(worker=_version(), client=task.version), "workers")
    solved = export_of(entry(task.data.get("kind")).study_class().from_json(task.data))
    wanted = (*task.formats, *(("csv",) if task.long and "csv" not in task.formats else ()))
    solved.check(wanted)
    made = [(file.name, file.text) for file in solved.files(task.name, wanted)]
    table = next((text for name, text in made if name.endswith(".csv") and is_mechanism(text)), "") if task.long else ""
    if task.long and not table:
        problem = "has no table of true and released results, so it has no lines in a long table"
        raise InputError(f"{with_article(solved.study.kind)} design {problem}.", "format")
    files = tuple((name, text) for name, text in made if name.rpartition(".")[2] in task.formats)
    findings = {key: as_json(finding) for key, finding in public(solved.outcome.findings).items()}
    return _Solved(findings, files, _version(), table)


def _refusal(task: _Task, made: _Solved) -> str:
    """Return why a worker's result is rejected, in one sentence; empty if its version is ours and its tables pass our check."""
    version = getattr(made, "version", "another")
    if version != task.version:
        return _OTHER.format(worker=version, client=task.version)
    known = entry(task.data.get("kind"))
    try:
        study = known.study_class().from_json(task.data)
        for name, text in (*made.files, *(((f"{task.name}.csv", made.table),) if made.table else ())):
            known.export_class().verify_again(study, name, text)
    except DpDesignerError as error:
        return str(error)
    return ""


def _tried(work: Callable[[Any], Any], task: Any) -> tuple[Any, str, bool]:
    """Return a task's result, or why it failed, and whether the same would happen again."""
    try:
        return work(task), "", True
    except InputError as error:
        return None, _sentence(error), error.field != "workers"
    except (DpDesignerError, ArithmeticError, MemoryError, TypeError, ValueError) as error:
        return None, _sentence(error), False


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, DpDesignerError) else f"{type(error).__name__}: {cut(error)}"


def _run(
    work: Callable[[Any], Any],
    tasks: Iterable[tuple[Any, Row | None]],
    executor: Executor | None,
    later: Later | None = None,
    refusal: Callable[[Any, Any], str] = lambda task, made: "",
) -> Iterator[tuple[Any, Row | None, tuple[Any, str, bool]]]:
    """Yield each task and the result of `_tried`, in order; a task with a row needs no work.

    No more wait at the executor than a few. A worker may die. What another process made is not taken if there is a `refusal`.
    """
    left = iter(tasks)
    if executor is None:
        for task, row in left:
            yield task, row, (None, "", False) if row is not None else _tried(work, task)
            if row is None and later is not None and (executor := later()) is not None:
                break
        else:
            return
    waiting: deque[tuple[Any, Row | None, Future[Any] | None]] = deque()
    logged: set[str] = set()
    try:
        while True:
            for task, row in islice(left, _WAITING - len(waiting)):
                waiting.append((task, row, executor.submit(_tried, work, task) if row is None else None))
            if not waiting:
                return
            task, row, future = waiting.popleft()
            try:
                result = (None, "", False) if future is None else _fetched(executor, work, task, future)
                if future is not None and not result[1] and (problem := refusal(task, result[0])):
                    result = None, problem, False
            except Exception as error:  # the sweep goes on whatever stops a worker
                if (sentence := cut(_sentence(error))) not in logged:  # a broken pool reports the same error for every design
                    logged.add(sentence)
                    _log.warning("a worker failed: %s", sentence)
                result = None, f"its worker stopped ({cut(_sentence(error))}).", False
            yield task, row, result
    except BrokenExecutor as error:  # a pool that has lost a process accepts no more work
        raise InputError(
            f"the workers are gone ({cut(error)}); finished designs are kept, so start the sweep again to continue.", "workers"
        ) from error
    finally:
        for _, _, future in waiting:
            if future is not None:
                future.cancel()


def _fetched(executor: Executor, work: Callable[[Any], Any], task: Any, future: Future[Any]) -> tuple[Any, str, bool]:
    """Return what a worker made, asking once more if it was lost.

    A Dask executor may raise an ``AttributeError`` in place of a result that is there already when its worker dies.
    """
    try:
        result: tuple[Any, str, bool] = future.result()
    except BrokenExecutor:
        raise
    except Exception:  # a worker that died, or whatever its executor says of it
        result = executor.submit(_tried, work, task).result()
    return result


def _written(task: _Task, made: _Solved, where: Path) -> Row:
    """Write all files of one design or none; return the findings if that succeeded."""
    try:
        write_together((where / name, text) for name, text in made.files)
    except InputError as error:
        return Row(task.name, "failed", error=str(error))
    checksums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in made.files}
    return Row(task.name, "done", made.findings, checksums)


def _kept(before: Mapping[str, Any] | None, task: _Task, long: LongTable | None) -> Row | None:
    """The result of an earlier sweep for the same task, if it is complete."""
    if before is None:
        if long is not None:
            long.keep(None)
        return None
    if before["error"]:
        return Row(task.name, "failed", error=str(before["error"]))
    if long is not None and not long.keep(before.get("lines")):
        return None
    return Row(task.name, "kept", before["findings"], before["files"])
