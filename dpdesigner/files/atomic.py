"""Writing files completely or not at all: to temporary names in the same folder, then in place of the old files.

Whatever happens on the way - a full disk, a kill, a power cut - a name holds either the old contents or the new ones. Files that
belong together take their names only when all of them are there.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from dpdesigner.core.basics.parsing import cut
from dpdesigner.errors import InputError, passing_over, reason
from dpdesigner.progress import Progress, silent

_LONGEST = 150  # characters of a path, in a sentence
#: This machine in the names of temporary files: in a shared folder, the processes of other machines are unknown.
_HERE = f"{zlib.crc32(platform.node().encode()):08x}"
_TEMPORARY = re.compile(r"\..+\.([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{12}\.(?:part|old)")


def write_atomically(path: str | os.PathLike[str], data: str | bytes | Iterable[str]) -> None:
    """Write a file completely or not at all.

    A link is followed to its target; the permissions of an existing file are kept. Text is written as UTF-8, lines as they are.

    Parameters
    ----------
    path : path-like
        Of the file; its folder must exist.
    data : str, bytes or iterable of str
        The whole contents, or its parts one after another.

    Raises
    ------
    InputError
        One sentence: why it cannot be written. What was there before is untouched.
    """
    write_together([(path, data)])


def write_together(files: Iterable[tuple[str | os.PathLike[str], str | bytes | Iterable[str]]]) -> None:
    """Write several files, or none of them; each as `write_atomically` writes one.

    Parameters
    ----------
    files : iterable of (path, contents)
        They may be made one by one: whatever is raised on the way, the last of them included, leaves everything as it was. They
        take their names in this order. Where one cannot, since another program holds the file, the others are put back, except on
        file systems without hard links.

    Raises
    ------
    InputError
        One sentence: which cannot be written, and why.
    """
    ready: list[_Ready] = []
    try:
        for path, data in files:
            with _one_sentence(path):
                ready.append(_Ready(path))
                ready[-1].fill([data] if isinstance(data, (str, bytes)) else data)
        for file in ready:
            with _one_sentence(file.path):
                file.take_place(alone=len(ready) == 1)
    except BaseException:
        for file in ready:
            with passing_over(f"putting back {file.target}", OSError):
                file.give_back()
        raise
    finally:
        for file in ready:
            for left in (file.temporary, file.former):
                with passing_over(f"removing {left}", OSError):
                    left.unlink(missing_ok=True)
    for folder in {file.target.parent for file in ready}:
        _sync_folder(folder)


def remove_left_over(folder: str | os.PathLike[str]) -> None:
    """Remove temporary files left in a folder by processes of this machine that were killed while writing."""
    with passing_over(f"looking through {folder}", OSError):
        for path in Path(folder).iterdir():
            found = _TEMPORARY.fullmatch(path.name)
            if found is not None and found[1] == _HERE and not _runs(int(found[2])):
                with passing_over(f"removing {path}", OSError):
                    path.unlink()


def _runs(process: int) -> bool:
    """Return whether a process is running; True if the system has no harmless way to check."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder and its parents, unless it exists.

    Raises
    ------
    InputError
        One sentence: why it cannot be made.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{_shown(path)} must be a folder, but a file is there.", "file") from None
    except (OSError, ValueError, RecursionError) as error:  # paths of thousands of folders are created recursively
        raise InputError(f"the folder {_shown(path)} could not be created: {reason(error)}.", "file") from error
    return Path(path)


@contextlib.contextmanager
def folder_for(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Make a folder as `make_folder` does, to write files into; on failure, remove the new folders again."""
    folder = Path(path)
    missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    try:
        yield make_folder(folder)
    except BaseException:
        for place in missing:
            with passing_over(f"removing {place}", OSError, ValueError):  # another program has put something there
                place.rmdir()
        raise


def write_into(folder: str | os.PathLike[str], files: Iterable[tuple[str, bytes]], progress: Progress = silent) -> list[Path]:
    """Write files into a folder, which is made if it is not there, and return their paths; all of them are written, or none.

    Parameters
    ----------
    folder : path
    files : iterable of (name, contents)
        They may be made one by one.
    progress : Progress
        Called with the name of each.

    Raises
    ------
    InputError
        If one cannot be written.
    """
    written: list[Path] = []
    with folder_for(folder) as where:

        def placed() -> Iterator[tuple[Path, bytes]]:
            for name, contents in files:
                progress(None, name)
                written.append(where / name)
                yield where / name, contents

        write_together(placed())
    return written


def check_writable(path: str | os.PathLike[str]) -> None:
    """Make the folder of a file, and refuse in advance whatever `write_atomically` would refuse after the computation.

    Raises
    ------
    InputError
        One sentence: why the file could not be written.
    """
    make_folder(Path(path).parent)
    with _one_sentence(path):
        _check(Path(os.path.realpath(path)), path)


@contextlib.contextmanager
def _one_sentence(path: str | os.PathLike[str]) -> Iterator[None]:
    """Return one sentence on why a file could not be written."""
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{_shown(path)} could not be written: {reason(error)}.", "file") from error


def _shown(path: str | os.PathLike[str]) -> str:
    return cut(os.fspath(path), _LONGEST)


def _check(target: Path, path: str | os.PathLike[str]) -> None:
    """Refuse targets that a replacement would treat differently from a plain write."""
    given = _shown(path)
    if not target.parent.is_dir():
        raise InputError(f"{given} could not be written: the folder {_shown(target.parent)} does not exist.", "file")
    if target.is_symlink():
        raise InputError(f"{given} could not be written: its links lead in a circle.", "file")
    if not target.exists():
        return
    if target.is_dir():
        raise InputError(f"{given} could not be written: it is a folder.", "file")
    if not target.is_file():
        raise InputError(f"{given} could not be written: it is not an ordinary file.", "file")
    if not os.access(target, os.W_OK):
        raise InputError(f"{given} could not be written: the file is read-only.", "file")


class _Ready:
    """A file under a temporary name, ready to replace its target."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        import secrets  # imported late: a window opens without it

        self.path, self.target = path, Path(os.path.realpath(path))
        _check(self.target, path)
        stem = f".{self.target.name[:40]}.{_HERE}-{os.getpid()}-{secrets.token_hex(6)}"
        self.temporary, self.former = self.target.with_name(f"{stem}.part"), self.target.with_name(f"{stem}.old")
        self._new = self._placed = False

    def fill(self, parts: Iterable[str | bytes]) -> None:
        """Write the file, with the permissions of the file that it will replace."""
        with open(self.temporary, "xb") as file:
            if self.target.exists():
                os.chmod(self.temporary, stat.S_IMODE(self.target.stat().st_mode))
            for part in parts:
                file.write(part.encode("utf-8") if isinstance(part, str) else part)
            file.flush()
            os.fsync(file.fileno())

    def take_place(self, alone: bool) -> None:
        """Replace the target; keep the old file under another name, unless this file is written alone."""
        self._new = not self.target.exists()
        if not alone and not self._new:
            with passing_over(f"keeping {self.target}", OSError):
                os.link(self.target, self.former)
        os.replace(self.temporary, self.target)
        self._placed = True

    def give_back(self) -> None:
        """Restore the file that was replaced."""
        if self._placed and self._new:
            self.target.unlink()
        elif self._placed and self.former.exists():
            os.replace(self.former, self.target)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, if the system allows a folder to be synced."""
    with passing_over(f"syncing {folder}", OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def json_text(data: object) -> str:
    """Return JSON values as the text of a file."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
