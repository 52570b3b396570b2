"""Standard streams that are full or closed, names that would lead a terminal astray, and Ctrl+C before anything is done."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli.shipped import PAPER

from dpdesigner import interrupts
from dpdesigner.cli import streams
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.count.design import CountDesign

LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
BAD = "a\u202eb\u200fc\x1b[31m\u2028d"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    words = ["sh", "-c", line.replace("dpdesigner", f"'{sys.executable}' -m dpdesigner", 1)]
    return subprocess.run(words, capture_output=True, text=True, env=environment)


@LINUX
@pytest.mark.parametrize("stream", ["2>/dev/full", "2>&-"])
def test_the_status_is_the_same_where_nobody_can_be_told(stream: str) -> None:
    for line, status in (("solve missing.dpd", 2), ("nonsense a b", 2), ("solve", 2), (f"solve '{PAPER}'", 0)):
        found = shell(f"dpdesigner {line} {stream}")
        assert (found.returncode, found.stderr) == (status, "")
        assert status == 0 or found.stdout == ""


def test_nothing_unseen_reaches_the_terminal(run, tmp_path: Path) -> None:
    file = tmp_path / f"{BAD[:4]}.dpd"
    write_project(file, Project((CountDesign(2, alpha="1/2", name=f"x{BAD}"), CountDesign(1, alpha="1/2", name=BAD))))
    (tmp_path / "t\u202e.csv").write_text("no,y\u202ees\n½,1\n", "utf-8")
    for words in (
        ["solve", file],
        ["solve", file, "--json"],
        ["solve", file, "--design", BAD[::-1]],
        ["sample", file],
        ["solve", BAD[:3]],
        ["export", file, "--to", tmp_path / "out"],
        ["verify", tmp_path / "t\u202e.csv"],
        ["solve", file, f"--{BAD}"],
        [BAD, BAD],
        ["verify", PAPER, "--epsilon", BAD],
        ["export", file, "--to", "x", "--formats", BAD],
        ["report", file, "--to", f"{BAD}.doc"],
    ):
        _, out, err = run(*words)
        assert not set(out + err) & set(BAD) - set("abcd31m["), words
        assert all(mark.isprintable() or mark == "\n" for mark in out + err)
        if "--json" in words:
            assert json.loads(out)["studies"][0]["design"]["name"].startswith("xa\u202eb")
    assert all(path.name.isascii() for path in (tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    "words", [["export", PAPER, "--to", ""], ["export", PAPER, "--to", " "], ["demo", "--to", ""], ["report", PAPER, "--to", ""]]
)
def test_no_name_is_no_place_to_write_to(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words)
    assert (status, out) == (2, "") and "name, got nothing" in err and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_every_message_is_short(run, tmp_path: Path) -> None:
    long = "9" * 3000
    (tmp_path / "t.csv").write_text(f"{long}x,1\n")
    (tmp_path / "names.csv").write_text(",".join(f"column{k}" for k in range(900)) + "\n")
    many = tuple(CountDesign(1, alpha="1/2", name="n" * 199 + str(k)) for k in range(9))
    write_project(tmp_path / "many.dpd", Project(many))
    for words in (
        ["solve", long],
        ["solve", f"{tmp_path}/{long}"],
        ["solve", PAPER, "--design", long],
        ["solve", tmp_path / "many.dpd", "--design", "x"],
        ["export", PAPER, "--to", long],
        ["export", PAPER, "--to", f"/{'a/' * 2000}"],
        ["export", PAPER, "--to", "x", "--formats", long],
        ["report", PAPER, "--to", f"{long}.html"],
        ["report", PAPER, "--to", f"{long}.doc"],
        ["verify", tmp_path / "t.csv"],
        ["verify", PAPER, "--epsilon", long],
        ["verify", PAPER, "--alpha", f"{long}x"],
        ["verify", PAPER, "--epsilon", f"ln({long})"],
        ["verify", PAPER, "--design", long],
        ["sample", PAPER, "--count", long],
        ["sample", PAPER, "--count", "1", "--draws", long],
        [long, long],
        [f"--{long}"],
        ["solve", PAPER, f"--{long}"],
        ["solve", PAPER, long],
        ["demo", "--to", f"{PAPER}/{long}"],
    ):
        status, out, err = run(*words)
        assert (status, out) == (2, ""), words
        assert len(err) < 400 and err.count("\n") == 1, err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on Unix")
def test_ctrl_c_while_modules_are_imported_ends_with_130(tmp_path: Path) -> None:
    mark = tmp_path / "begun"
    hook = (
        "import sys, time, pathlib\n"
        "class Wait:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {{name!r}}: pathlib.Path({str(mark)!r}).touch(); time.sleep(20)\n"
        "sys.meta_path.insert(0, Wait())\n"
        "sys.argv = ['dpdesigner', 'solve', {paper!r}]\n"
        "import dpdesigner\n"
        "from dpdesigner.__main__ import start\n"
        "sys.exit(start())\n"
    )
    for name in ("dpdesigner.errors", "dpdesigner.cli", "argparse", "numpy", "dpdesigner.cli.solve"):
        started = subprocess.Popen([sys.executable, "-c", hook.format(name=name, paper=PAPER)], stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 20
        while not mark.exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert mark.exists(), name
        mark.unlink()
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=60)  # a signal just before the sleep is handled after it
        assert (started.returncode, err) == (130, "dpdesigner: stopped.\n"), name


def test_only_the_program_itself_takes_ctrl_c() -> None:
    assert not interrupts.is_the_program()
    assert signal.getsignal(signal.SIGINT) is not interrupts.leave


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_ctrl_c_is_kept_for_the_next_step():
    before, tell = signal.getsignal(signal.SIGINT), ProgressLine()
    with tell.held():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            tell(0.5)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("module", "words"),
    [("reports", ["report", "--to", "R.html", "--to", "R.pdf"]), ("pictures", ["export", "--to", "T", "--formats", "png,svg"])],
)
def test_ctrl_c_while_qt_draws_ends_the_command_between_two_steps(run, tmp_path, monkeypatch, module, words):
    lived = []

    def draw(*given):
        signal.raise_signal(signal.SIGINT)
        lived.append("the figure")
        next(each for each in reversed(given) if callable(each))(None, "the next one")
        lived.append("never")

    fake = SimpleNamespace(write_report=draw, save_figures=draw)
    monkeypatch.setitem(sys.modules, f"dpdesigner.desktop.output.{module}", fake)
    monkeypatch.chdir(tmp_path)
    assert run(words[0], PAPER, *words[1:]) == (130, "", "dpdesigner: stopped.\n")
    assert lived == ["the figure"] and not list(tmp_path.iterdir())


def test_one_line_where_somebody_watches_and_nothing_of_it_remains(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(streams, "_PATIENCE", 0.0)
    monkeypatch.setattr(streams, "_PAUSE", 0.0)
    with ProgressLine() as tell:
        tell(0.25, "Flu")
        tell(0.5)
        tell(None, "12 iterations")
    shown = [line.rstrip() for line in sys.stderr.getvalue().split("\r") if line]
    assert shown == ["Flu 25%", "Flu 50%", "12 iterations", ""]
    assert "\n" not in sys.stderr.getvalue()


def test_tables_are_told_of_before_they_are_written(run, tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run("export", PAPER, "--to", tmp_path)[0] == 0
    assert "\rwriting the tables of The paper’s user" in terminal.getvalue()


def test_nothing_in_a_file_or_a_pipe(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(streams, "_PATIENCE", 0.0)
    with ProgressLine() as tell:
        tell(0.25, "Flu")
    assert sys.stderr.getvalue() == ""


def test_what_is_quick_is_not_told(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with ProgressLine() as tell:
        tell(0.25, "Flu")
    assert sys.stderr.getvalue() == ""
