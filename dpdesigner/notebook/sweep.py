"""Many designs solved one after another or side by side: by threads, processes, or the workers of a cluster.

A design is done by a function of a JSON object that gives texts, so that any `concurrent.futures.Executor` can run it anywhere;
only the caller writes files. Each design's files are written before its line in ``sweep.jsonl`` is, which names their checksums:
a sweep that was stopped begins again where that line is missing or a file is not what it was.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from dpdesigner.core.numbers.parsing import cut
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.files.atomic import make_folder, remove_left_over, write_atomically, write_together
from dpdesigner.files.export.export import export_of
from dpdesigner.files.export.formatting import file_name
from dpdesigner.files.tables.formats import rows_text
from dpdesigner.studies.findings import as_json, public
from dpdesigner.studies.registry import entry, solve
from dpdesigner.studies.study import Progress, Study, silent

_log = logging.getLogger(__name__)

#: So many designs wait at an executor, so that a hundred thousand tables are not held at once.
_WAITING = 64
_OTHER = "the worker has dpdesigner {worker}, but the sweep was started with {client}; install the same version on every worker."
LEDGER, SUMMARY = "sweep.jsonl", "summary.csv"


@dataclass(frozen=True)
class Swept:
    """One design of a sweep: its outcome, or in one sentence why there is none."""

    design: Study
    outcome: Any = None
    error: str = ""


@dataclass(frozen=True)
class Row:
    """One design of a sweep to a folder.

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


def sweep(designs: Iterable[Study], executor: Executor | None = None, progress: Progress = silent) -> list[Swept]:
    """Solve many designs; one that fails is told and the rest are done.

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
    given = list(designs)
    swept_by_place: dict[int, Swept] = {}
    for done, (place, outcome, error) in enumerate(_run(solve, given, executor), 1):
        swept_by_place[place] = Swept(given[place], outcome, error)
        progress(done / len(given), f"{done} of {len(given)} designs")
    return [swept_by_place[place] for place in range(len(given))]


def sweep_to(
    folder: str | Path,
    designs: Sequence[Mapping[str, Any]],
    formats: Sequence[str] = ("csv",),
    executor: Executor | None = None,
    progress: Progress = silent,
) -> Generator[Row]:
    """Solve many designs and write the tables of each, proved; yield each row as soon as its files are there.

    When all are done, or the caller stops, ``summary.csv`` has a line for each that is done.

    Parameters
    ----------
    folder : path
        Made if it is not there. What an earlier sweep has written there is not made again.
    designs : sequence of mapping
        JSON objects, each with a name; see `dpdesigner.notebook.design_tables.designs_of`.
    formats : sequence of str
        As for ``dpdesigner export``.
    executor, progress
        As for `sweep`.

    Raises
    ------
    InputError
        If the folder cannot be written to.
    """
    where = make_folder(folder)
    remove_left_over(where)
    names, known = _names(designs), _ledger(where)
    tasks = [_Task(name, dict(data), tuple(formats), _version()) for name, data in zip(names, designs, strict=True)]
    rows = {task.name: row for task in tasks if (row := _kept(task, known, where)) is not None}
    waiting = [task for task in tasks if task.name not in rows]
    yield from list(rows.values())
    try:
        with (where / LEDGER).open("a", encoding="utf-8") as ledger:
            for place, made, error in _run(_solve, waiting, executor):
                task = waiting[place]
                if not error and executor is not None:
                    error = _refusal(task, made)
                row = rows[task.name] = Row(task.name, "failed", error=error) if error else _written(task, made, where)
                if row.state == "done":
                    line = {"name": row.name, "task": task.checksum, "findings": row.findings, "files": row.files}
                    ledger.write(json.dumps(line) + "\n")
                    ledger.flush()
                progress(len(rows) / len(tasks), f"{len(rows)} of {len(tasks)} designs")
                yield row
    except OSError as error:
        raise InputError(f"{cut(where / LEDGER)} could not be written: {cut(error)}.", "file") from error
    finally:
        write_atomically(where / SUMMARY, _summary([rows[name] for name in names if name in rows]))


@dataclass(frozen=True)
class _Task:
    name: str
    data: Mapping[str, Any]
    formats: tuple[str, ...]
    version: str  #: of the program whose sweep it is; a worker with another one refuses it

    @property
    def checksum(self) -> str:
        """Of all that decides what the files hold, the version of the program included."""
        text = json.dumps([self.name, self.data, self.formats, self.version], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


class _Solved(NamedTuple):
    """Findings as JSON values, and names and texts of files."""

    findings: Mapping[str, Any]
    files: tuple[tuple[str, str], ...]
    version: str


def _version() -> str:
    """Of the program as it runs here."""
    version: str = sys.modules["dpdesigner"].__version__
    return version


def _solve(task: _Task) -> _Solved:
    """Solve one design and make its files as texts; runs anywhere."""
    if task.version != _version():
        raise InputError(_OTHER.format(worker=_version(), client=task.version), "workers")
    solved = export_of(entry(task.data.get("kind")).study_class().from_json(task.data))
    solved.check(task.formats)
    files = tuple((file.name, file.text) for file in solved.files(task.name, task.formats))
    return _Solved({key: as_json(finding) for key, finding in public(solved.outcome.findings).items()}, files, _version())


def _refusal(task: _Task, made: _Solved) -> str:
    """Why what a worker made is not taken, in one sentence; empty if its version is ours and its tables pass our own check."""
    version = getattr(made, "version", "another")
    if version != task.version:
        return _OTHER.format(worker=version, client=task.version)
    known = entry(task.data.get("kind"))
    try:
        study = known.study_class().from_json(task.data)
        for name, text in made.files:
            known.export_class().verify_again(study, name, text)
    except DpDesignerError as error:
        return str(error)
    return ""


def _tried(work: Callable[[Any], Any], task: Any) -> tuple[Any, str]:
    """Return what comes of a task, or why nothing does."""
    try:
        return work(task), ""
    except (DpDesignerError, ArithmeticError, MemoryError, TypeError, ValueError) as error:
        return None, _sentence(error)


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, DpDesignerError) else f"{type(error).__name__}: {cut(error)}"


def _run(work: Callable[[Any], Any], tasks: Sequence[Any], executor: Executor | None) -> Iterator[tuple[int, Any, str]]:
    """Yield place, result and error of each task as they come; no more wait at the executor than a few. A worker may die."""
    if executor is None:
        yield from ((place, *_tried(work, task)) for place, task in enumerate(tasks))
        return
    left = iter(enumerate(tasks))
    waiting: dict[Future[Any], int] = {}
    logged: set[str] = set()
    try:
        while True:
            for place, task in islice(left, _WAITING - len(waiting)):
                waiting[executor.submit(_tried, work, task)] = place
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                place = waiting.pop(future)
                try:
                    result = future.result()
                except Exception as error:  # whatever ends a worker: the rest is done all the same
                    if (sentence := cut(_sentence(error))) not in logged:  # a pool that broke says the same of every design
                        logged.add(sentence)
                        _log.warning("a worker failed: %s", sentence)
                    result = None, f"its worker stopped ({cut(_sentence(error))})."
                yield place, *result
    except RuntimeError as error:  # a pool that has lost a process takes nothing more
        raise InputError(
            f"the workers are gone ({cut(error)}); finished designs are kept, so start the sweep again to continue.", "workers"
        ) from error
    finally:
        for future in waiting:
            future.cancel()


def _written(task: _Task, made: _Solved, where: Path) -> Row:
    """Write the files of one design, all or none; its findings are told where that worked."""
    try:
        write_together((where / name, text) for name, text in made.files)
    except InputError as error:
        return Row(task.name, "failed", error=str(error))
    checksums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in made.files}
    return Row(task.name, "done", made.findings, checksums)


def _names(designs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of files, each once."""
    names: dict[str, None] = {}
    for place, data in enumerate(designs, 1):
        name = file_name(str(data.get("name", "")))
        names[name if name not in names else f"{name}-{place}"] = None
    if len(names) < len(designs):
        raise InputError("the names of the designs must be distinct, got some twice.", "name")
    return list(names)


def _ledger(where: Path) -> dict[str, dict[str, Any]]:
    """What earlier sweeps say they have written, by checksum of the task; a line that was cut off says nothing."""
    lines = {}
    with suppress(OSError):
        for line in (where / LEDGER).read_text("utf-8", errors="replace").splitlines():
            with suppress(ValueError, KeyError, TypeError):
                data = json.loads(line)
                lines[str(data["task"])] = {key: dict(data[key]) for key in ("findings", "files")}
    return lines


def _kept(task: _Task, known: Mapping[str, dict[str, Any]], where: Path) -> Row | None:
    """What an earlier sweep has made of the same task, if its files are still the same."""
    if (before := known.get(task.checksum)) is None:
        return None
    for name, checksum in before["files"].items():
        path = where / Path(str(name)).name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != checksum:
            return None
    return Row(task.name, "kept", before["findings"], before["files"])


def _summary(rows: Sequence[Row]) -> str:
    keys = list(dict.fromkeys(key for row in rows for key in row.findings))
    lines = [["name", "state", "error", "file", "sha256", *keys]]
    for row in rows:
        first = next(iter(row.files.items()), ("", ""))
        cells = ["" if row.findings.get(key) is None else str(row.findings[key]) for key in keys]
        lines.append([row.name, "failed" if row.error else "done", row.error, *first, *cells])
    return rows_text(lines, "csv")
