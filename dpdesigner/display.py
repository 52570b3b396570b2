"""The check for a screen to open a window on, made before Qt starts, which would abort."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping

_SECONDS = 2.0


def has_display(environment: Mapping[str, str] | None = None, platform: str = sys.platform) -> bool:
    """Return whether Qt would find a display.

    Parameters
    ----------
    environment : mapping, optional
        The environment variables; by default those of this process.
    platform : str
        As ``sys.platform``; Windows and macOS always have a display.

    Returns
    -------
    bool
        With QT_QPA_PLATFORM set: whether it names a platform that shows something. Else whether the Wayland socket or the X
        server named in the environment answers.
    """
    env = os.environ if environment is None else environment
    chosen = env.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if chosen in ("offscreen", "minimal"):
        return False
    if platform in ("win32", "cygwin", "darwin") or chosen not in ("", "xcb", "wayland", "wayland-egl"):
        return True
    return _wayland_answers(env) or _x_answers(env)


def _wayland_answers(env: Mapping[str, str]) -> bool:
    name = env.get("WAYLAND_DISPLAY", "")
    return bool(name) and _answers(os.path.join(env.get("XDG_RUNTIME_DIR", ""), name))


def _x_answers(env: Mapping[str, str]) -> bool:
    host, colon, rest = env.get("DISPLAY", "").rpartition(":")
    number = rest.partition(".")[0]
    if not colon or not number.isdecimal():
        return False
    if host in ("", "unix"):
        return _answers(f"/tmp/.X11-unix/X{number}") or _answers(f"\0/tmp/.X11-unix/X{number}")
    try:
        with socket.create_connection((host, 6000 + int(number)), timeout=_SECONDS):
            return True
    except (OSError, OverflowError):
        return False


def _answers(path: str) -> bool:
    """Return whether a process listens on a Unix socket; a name that starts with a zero byte is an abstract socket."""
    family = getattr(socket, "AF_UNIX", None)
    if family is None:
        return False
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.settimeout(_SECONDS)
            probe.connect(path)
            return True
    except (OSError, ValueError):
        return False
