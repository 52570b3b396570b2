"""Writing a file so that it is always whole: to a temporary name in the same folder, then in the place of the old one.

Whatever happens on the way - a full disk, a kill, a power cut - the name holds either the old contents or the new ones.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from dpdesigner.core.numbers.given import cut
from dpdesigner.errors import InputError, reason

_LONGEST = 150  # characters of a path, in a sentence


def write_atomically(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file as a whole or not at all.

    A link is followed to its target; the permissions of an existing file are kept. Text is written as UTF-8, lines as they are.

    Parameters
    ----------
    path : path-like
        Of the file; its folder must exist.
    data : str or bytes
        The whole contents.

    Raises
    ------
    InputError
        One sentence: why it cannot be written. What was there before is untouched.
    """
    contents = data.encode("utf-8") if isinstance(data, str) else data
    with _one_sentence(path):
        target = Path(os.path.realpath(path))
        _check(target, path)
        _replace(target, contents)


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder, and those above it, unless it is there.

    Raises
    ------
    InputError
        One sentence: why it cannot be made.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"{_shown(path)} must be a folder, but a file is there.", "file") from None
    except (OSError, ValueError, RecursionError) as error:  # a path of thousands of folders is gone through one by one
        raise InputError(f"the folder {_shown(path)} could not be made: {reason(error)}.", "file") from error
    return Path(path)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Make the folder of a file, and refuse before anything is computed what `write_atomically` would refuse afterwards.

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
    """Say why a file could not be written."""
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{_shown(path)} could not be written: {reason(error)}.", "file") from error


def _shown(path: str | os.PathLike[str]) -> str:
    return cut(os.fspath(path), _LONGEST)


def _check(target: Path, path: str | os.PathLike[str]) -> None:
    """Refuse what a replacement would treat differently from a plain write."""
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


def _replace(target: Path, contents: bytes) -> None:
    import secrets  # late: a window opens without it

    temporary = target.with_name(f".{target.name[:40]}.{secrets.token_hex(6)}.part")
    try:
        with open(temporary, "xb") as file:
            if target.exists():
                os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        # There is nothing to remove once it has taken the target's place.
        with contextlib.suppress(OSError):
            temporary.unlink()
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name itself survive a power cut, where the system lets a folder be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
