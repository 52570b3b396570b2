"""Whether a window can be opened: a screen, and the system's libraries that Qt needs on Linux; Qt itself would abort.

The shared libraries of the system that Qt needs on Linux: which are missing, and the command that installs them.

Qt aborts the process where its window system's are missing, and an import of it ends in a name of a file: both are told here
before, in one sentence.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterable, Mapping

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


#: The libraries that Qt loads without a screen, and their packages: Debian's, and those of Fedora and its relatives.
OFFSCREEN: Mapping[str, tuple[str, str]] = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
}
#: The additional libraries for a window, on X and on Wayland.
X11: Mapping[str, tuple[str, str]] = {
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}
WAYLAND: Mapping[str, tuple[str, str]] = {
    "libwayland-client.so.0": ("libwayland-client0", "libwayland-client"),
    "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor"),
}

_NAMED = re.compile(r"(lib[\w.+-]+\.so(?:\.\d+)*): cannot open shared object file")
#: The packages of the extra ``desktop``.
_DESKTOP = ("PySide6", "shiboken6", "pyqtgraph")


def without_qt(error: ImportError) -> str:
    """Explain why Qt cannot be loaded and how to install what is missing; without missing libraries, return Qt's message."""
    if error.name is not None and error.name.partition(".")[0] in _DESKTOP and isinstance(error, ModuleNotFoundError):
        return "Qt or pyqtgraph is not installed; to install both: pip install 'dpdesigner[desktop]'"
    missing = named_in(error)
    return remedy(missing) if missing else f"Qt cannot be loaded: {str(error)[:200]}"


def loads(name: str) -> bool:
    """Return whether the system's loader finds a library."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def window_lacks(
    environment: Mapping[str, str] | None = None, platform: str = sys.platform, is_there: Callable[[str], bool] = loads
) -> list[str]:
    """Return the missing libraries without which Qt would abort when opening a window; none if it would open.

    Parameters
    ----------
    environment : mapping, optional
        The environment variables; by default those of this process.
    platform : str
        As ``sys.platform``; only Linux takes these libraries from the system.
    is_there : callable
        Whether the loader finds a library.
    """
    env = os.environ if environment is None else environment
    if not platform.startswith("linux"):
        return []
    chosen = env.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if chosen not in ("", "xcb", "wayland", "wayland-egl"):
        return []
    lacking: list[str] = []
    if env.get("WAYLAND_DISPLAY") and chosen != "xcb":
        lacking = [name for name in (*OFFSCREEN, *WAYLAND) if not is_there(name)]
        if not lacking:
            return []
    if chosen in ("", "xcb") and (chosen or env.get("DISPLAY")):
        return [name for name in (*OFFSCREEN, *X11) if not is_there(name)]
    return lacking


def named_in(error: ImportError, is_there: Callable[[str], bool] = loads) -> list[str]:
    """Return the libraries whose absence made an import fail: the one it names, and any other missing ones that Qt needs."""
    named = _NAMED.findall(str(error))
    return sorted({*named, *(name for name in OFFSCREEN if not is_there(name))}) if named else []


def remedy(missing: Iterable[str], has: Callable[[str], object] = shutil.which) -> str:
    """Return the missing libraries and the command that installs them, as the end of a sentence.

    Parameters
    ----------
    missing : iterable of str
    has : callable
        Whether the system has a command.
    """
    names, known = list(missing), {**OFFSCREEN, **X11, **WAYLAND}
    for place, command in enumerate(("apt-get", "dnf")):
        packages = sorted({known[name][place] for name in names if name in known})
        if has(command) and packages:
            return f"Qt needs {_listed(names)} from the system; to install: sudo {command} install {' '.join(packages)}"
    return f"Qt needs {_listed(names)} from the system; install the packages that contain it"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
