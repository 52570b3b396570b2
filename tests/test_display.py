"""Where libraries of the system are missing, one sentence has the command that mends it, in place of Qt's abort."""

from __future__ import annotations

import builtins
import importlib.util
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpdesigner import display
from dpdesigner.cli import main
from dpdesigner.cli.export import drawing
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.display import OFFSCREEN, WAYLAND, X11, has_display, loads, named_in, remedy, window_lacks, without_qt


def test_qt_platforms_that_show_nothing():
    assert not has_display({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, "linux")
    assert not has_display({"QT_QPA_PLATFORM": "minimal"}, "darwin")
    assert has_display({"QT_QPA_PLATFORM": "vnc"}, "linux")


def test_windows_and_mac_always_have_one():
    assert has_display({}, "win32")
    assert has_display({}, "darwin")


@pytest.mark.parametrize("name", ["", "nonsense", ":", ":x", ":987654", "unix:987654", "127.0.0.1:59000", ":0x1", "\0:1"])
def test_an_x_server_that_does_not_answer(name):
    assert not has_display({"DISPLAY": name}, "linux")


def test_an_x_server_that_answers_over_the_network():
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1] - 6000
        assert has_display({"DISPLAY": f"127.0.0.1:{number}.0"}, "linux")


def test_a_wayland_socket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment = {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7"}
    assert not has_display(environment, "linux")
    (tmp_path / "wayland-7").write_text("not a socket")
    assert not has_display(environment, "linux")
    os.unlink("wayland-7")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("wayland-7")
        server.listen()
        assert has_display(environment, "linux")
        assert has_display({**environment, "QT_QPA_PLATFORM": "wayland;xcb"}, "linux")


APT, DNF = "apt-get".__eq__, "dnf".__eq__


def without(*missing: str) -> Callable[[str], bool]:
    return lambda name: name not in missing


@pytest.mark.parametrize(
    ("environment", "missing", "lacks"),
    [
        ({"DISPLAY": ":0"}, (), []),
        ({"DISPLAY": ":0"}, ("libxcb-cursor.so.0",), ["libxcb-cursor.so.0"]),
        ({"DISPLAY": ":0"}, ("libwayland-cursor.so.0",), []),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ("libxcb-cursor.so.0",), []),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ("libwayland-cursor.so.0",), []),
        ({"WAYLAND_DISPLAY": "wayland-0"}, ("libwayland-cursor.so.0",), ["libwayland-cursor.so.0"]),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}, ("libxcb-cursor.so.0",), []),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "w", "QT_QPA_PLATFORM": "xcb"}, ("libEGL.so.1",), ["libEGL.so.1"]),
    ],
)
def test_what_a_window_lacks(environment: dict[str, str], missing: tuple[str, ...], lacks: list[str]) -> None:
    assert window_lacks(environment, "linux", without(*missing)) == lacks
    assert window_lacks(environment, "darwin", without(*missing)) == []


def test_the_command_is_the_systems_own() -> None:
    missing = ["libxcb-cursor.so.0", "libEGL.so.1"]
    words = "Qt needs libxcb-cursor.so.0 and libEGL.so.1 from the system; "
    assert remedy(missing, APT) == words + "to install: sudo apt-get install libegl1 libxcb-cursor0"
    assert remedy(missing, DNF) == words + "to install: sudo dnf install libglvnd-egl xcb-util-cursor"
    assert remedy(missing, lambda _: None) == words + "install the packages that contain it"


def test_an_import_that_fails_for_want_of_a_library_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    error = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    assert named_in(error, without("libEGL.so.1", "libGL.so.1")) == ["libEGL.so.1", "libGL.so.1"]
    monkeypatch.setattr(display.shutil, "which", lambda name: name if name == "apt-get" else None)
    monkeypatch.setattr(remedy, "__defaults__", (APT,))
    assert without_qt(error).startswith("Qt needs libEGL.so.1 from the system; to install: sudo apt-get install libegl1")
    assert without_qt(ImportError("undefined symbol: x")) == "Qt cannot be loaded: undefined symbol: x"


def test_the_program_says_so_and_does_what_it_can(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As if the loader did not find one of the libraries of X: no window, no abort, one sentence, and the example is solved."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dpdesigner.cli.has_display", lambda: True)
    monkeypatch.setattr(
        "dpdesigner.cli.window_lacks", lambda: window_lacks({"DISPLAY": ":0"}, "linux", without("libxcb-cursor.so.0"))
    )
    opened: list[str] = []
    usual = builtins.__import__

    def watched(name: str, *given: Any) -> Any:
        if name.startswith("dpdesigner.desktop.window"):
            opened.append(name)
        return usual(name, *given)

    monkeypatch.setattr(builtins, "__import__", watched)
    assert main([]) == 0 and opened == []
    last = capsys.readouterr().out.strip().splitlines()[-1]
    assert last.startswith("The window cannot be opened: Qt needs libxcb-cursor.so.0 from the system; ")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere Qt brings its libraries")
def test_the_loader_is_asked() -> None:
    assert loads("libc.so.6") and not loads("libnothing-of-that-name.so.7")


def test_the_source_tree_installs_the_same() -> None:
    path = Path(__file__).parent.parent / "packaging" / "bootstrap.py"
    if not path.is_file():
        pytest.skip("not in a source tree")
    spec = importlib.util.spec_from_file_location("bootstrap", path)
    assert spec is not None and spec.loader is not None
    bootstrap = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bootstrap)
    known = {**OFFSCREEN, **X11, **WAYLAND}
    for table in (bootstrap.OFFSCREEN, bootstrap.SCREEN):
        assert all(known[name][0] == package for name, package in table.items())


@pytest.mark.parametrize(
    ("given", "expected"),
    [("xcb", "offscreen"), ("", "offscreen"), ("minimal", "minimal"), ("offscreen:size=9", "offscreen:size=9")],
)
def test_pictures_are_drawn_without_a_screen_whatever_platform_is_named(
    given: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", given)
    with ProgressLine() as tell, drawing("pictures", tell):
        assert os.environ["QT_QPA_PLATFORM"] == expected
