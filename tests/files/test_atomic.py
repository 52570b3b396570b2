"""A file is replaced as a whole or not at all, and every refusal is one sentence."""

from __future__ import annotations

import errno
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpdesigner.errors import Cancelled, InputError
from dpdesigner.files.atomic import check_writable, folder_for, make_folder, write_atomically, write_together

posix_only = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX systems")


def only(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_writes_text_as_it_is_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "häufig.csv"
    write_atomically(path, "α,1\r\nβ,2\n")
    assert path.read_bytes() == "α,1\r\nβ,2\n".encode()
    write_atomically(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert only(tmp_path) == ["häufig.csv"]


@posix_only
def test_keeps_permissions_and_gives_new_files_the_usual_ones(tmp_path):
    path = tmp_path / "a"
    mask = os.umask(0o027)
    try:
        write_atomically(path, "1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write_atomically(path, "2")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert path.read_text() == "2"


@posix_only
def test_follows_links_to_their_target(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "file", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "real" / "later")
    write_atomically(dangling, "made")
    assert (tmp_path / "real" / "later").read_text() == "made"


def test_files_that_belong_together_are_written_all_or_none(tmp_path, monkeypatch):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("old")
    real, calls = os.fsync, []

    def full_at_the_second(handle):
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full_at_the_second)
        with pytest.raises(InputError, match="two could not be written: the disk is full"):
            write_together([(one, "new"), (two, "new")])
    assert (one.read_text(), only(tmp_path)) == ("old", ["one"])
    write_together([(one, "new"), (two, b"too")])
    assert (one.read_text(), two.read_text(), only(tmp_path)) == ("new", "too", ["one", "two"])


def test_where_one_cannot_take_its_name_the_others_are_what_they_were(tmp_path, monkeypatch):
    old, new, held = tmp_path / "old.csv", tmp_path / "new.csv", tmp_path / "held.json"
    old.write_text("old", "utf-8")
    held.write_text("held", "utf-8")
    real = os.replace

    def replace(source, target):
        if target == held:
            raise PermissionError(13, "Permission denied")  # as Windows has it while another program shows the file
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(InputError, match=r"held\.json could not be written"):
        write_together([(old, "1"), (new, "2"), (held, "3")])
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {"old.csv": "old", "held.json": "held"}


def test_what_is_given_up_while_it_is_made_leaves_nothing_not_even_its_folder(tmp_path):
    folder = tmp_path / "new" / "folder"

    def given_up():
        yield folder / "one", "1"
        assert len(only(folder)) == 1
        raise Cancelled("cancelled")

    with pytest.raises(Cancelled), folder_for(folder) as where:
        assert where.is_dir()
        write_together(given_up())
    assert only(tmp_path) == []


def test_a_folder_into_which_somebody_else_has_put_something_stays(tmp_path):
    with pytest.raises(InputError, match="never mind"), folder_for(tmp_path / "new" / "folder") as where:
        (where.parent / "theirs").write_text("1")
        raise InputError("never mind.")
    assert only(tmp_path / "new") == ["theirs"]


@pytest.mark.parametrize(("number", "words"), [(errno.ENOSPC, "the disk is full"), (errno.EIO, "input/output error")])
def test_a_failure_on_the_way_keeps_the_old_file_and_cleans_up(tmp_path, monkeypatch, number, words):
    path = tmp_path / "file"
    path.write_text("old")

    def refuse(_handle):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(InputError, match=f"file could not be written: {words}"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert only(tmp_path) == ["file"]


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch, code):
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError, match=r"no permission to write to|the disk is read-only"):
        write_atomically(tmp_path / "file", "new")


def test_places_that_are_no_place(tmp_path):
    with pytest.raises(InputError, match="missing does not exist"):
        write_atomically(tmp_path / "missing" / "file", "")
    with pytest.raises(InputError, match="it is a folder"):
        write_atomically(tmp_path, "")
    with pytest.raises(InputError, match="could not be written"):
        write_atomically(tmp_path / ("x" * 300), "")
    with pytest.raises(InputError, match="this name is not allowed here"):
        write_atomically("a\0b", "")


@posix_only
def test_special_files_and_read_only_ones_are_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="not an ordinary file"):
        write_atomically("/dev/null", "")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(InputError, match="could not be written"):
        write_atomically(loop, "")
    path = tmp_path / "kept"
    path.write_text("old")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="the file is read-only"):
        write_atomically(path, "new")
    assert path.read_text() == "old"


def test_folders_are_made_or_refused_with_a_sentence(tmp_path):
    assert make_folder(tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="a file is there"):
        make_folder(tmp_path / "file")
    with pytest.raises(InputError, match="could not be created"):
        make_folder(tmp_path / "file" / "inside")


@posix_only
def test_what_cannot_be_written_is_refused_before_it_is_made(tmp_path):
    check_writable(tmp_path / "new" / "file")
    assert list(tmp_path.iterdir()) == [tmp_path / "new"] and not list((tmp_path / "new").iterdir())
    (tmp_path / "file").touch()
    refusals = {"new": "it is a folder", "file/below": "must be a folder, but a file is there", "x" * 300: "the name is too long"}
    for name, words in refusals.items():
        with pytest.raises(InputError, match=words):
            check_writable(tmp_path / name)


def test_a_killed_writer_leaves_a_whole_file(tmp_path):
    path = tmp_path / "file"
    program = (
        "import itertools, sys\n"
        "from dpdesigner.files.atomic import write_atomically\n"
        "for turn in itertools.count():\n"
        "    write_atomically(sys.argv[1], str(turn % 10) * 200_000)\n"
    )
    chance = random.Random(1)
    for _ in range(6):
        path.unlink(missing_ok=True)
        writer = subprocess.Popen([sys.executable, "-c", program, str(path)])
        while not path.exists():
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.05))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        text = path.read_text()
        assert len(text) == 200_000
        assert len(set(text)) == 1
