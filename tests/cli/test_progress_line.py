"""How far a command is, and Ctrl+C while pictures are drawn."""

from __future__ import annotations

import io
import signal
import sys
from types import SimpleNamespace

import pytest
from cli.shipped import PAPER

from dpdesigner.cli import progress_line
from dpdesigner.cli.progress_line import ProgressLine


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
    monkeypatch.setattr(progress_line, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress_line, "_PAUSE", 0.0)
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
    assert "\rwriting the tables of The paper's user" in terminal.getvalue()


def test_nothing_in_a_file_or_a_pipe(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(progress_line, "_PATIENCE", 0.0)
    with ProgressLine() as tell:
        tell(0.25, "Flu")
    assert sys.stderr.getvalue() == ""


def test_what_is_quick_is_not_told(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with ProgressLine() as tell:
        tell(0.25, "Flu")
    assert sys.stderr.getvalue() == ""
