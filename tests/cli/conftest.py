"""What the tests of the command line share: a way to run it."""

from __future__ import annotations

import pytest

from dpdesigner.cli import main


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the program in this process; returns status, standard output and standard error."""
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    def call(*words):
        try:
            status = main(list(map(str, words)))
        except SystemExit as leaving:  # argparse leaves this way
            status = leaving.code
        out, err = capsys.readouterr()
        return status, out, err

    return call
