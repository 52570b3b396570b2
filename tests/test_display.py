"""A display is found by its socket, not by its name, and never with Qt's help."""

from __future__ import annotations

import os
import socket

import pytest

from dpdesigner.display import has_display


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
