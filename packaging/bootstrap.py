"""From a fresh copy of the source to the running program or its tests, with nothing but Python.

    python3 packaging/bootstrap.py run [FILE.dpd]
    python3 packaging/bootstrap.py test [arguments of pytest]
    python3 packaging/bootstrap.py bench [--json [FILE]] [--large] [--only SECTIONS] [--seed N]

Makes a virtual environment in .venv and installs the program and its test tools into it, again whenever pyproject.toml changes.
Looks for the shared libraries that Qt needs; where one is missing it installs the system packages if it may (root on Debian or a
relative of it), and else prints the one line that does.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
STAMP = ENVIRONMENT / "dpdesigner-installed"
OLDEST_PYTHON = (3, 10)

#: Shared libraries that Qt loads without a screen, and the Debian packages that have them.
OFFSCREEN = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
#: What a window needs besides, on X and on Wayland.
SCREEN = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}


class Stop(Exception):
    """A sentence for the user, after which nothing more is done."""


def main(words: Sequence[str]) -> int:
    """Do what the first word says and return the exit status."""
    command, rest = (words[0] if words else ""), words[1:]
    try:
        if sys.version_info < OLDEST_PYTHON:
            raise Stop(f"Python 3.10 or newer is needed, this is {sys.version.split()[0]}.")
        if command not in ("run", "test", "bench"):
            raise Stop("say what to do, run, test or bench, as in: python3 packaging/bootstrap.py run")
        python = prepared_python()
        screen = command == "run" and bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
        hint = provide_libraries({**OFFSCREEN, **SCREEN} if screen else OFFSCREEN)
        if command == "run":
            return run(python, rest, hint)
        if hint:
            raise Stop(hint)
        return test(python, rest) if command == "test" else bench(python, rest)
    except Stop as stop:
        print(f"bootstrap: {stop}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def run(python: Path, words: Sequence[str], hint: str) -> int:
    """Start the program; without Qt's libraries it still does its main job, and how to get them is said last."""
    environment = dict(os.environ)
    if hint:
        environment["QT_QPA_PLATFORM"] = "offscreen"
    status = subprocess.call([str(python), "-m", "dpdesigner", *words], env=environment)
    if hint:
        print(f"\nbootstrap: {hint}", file=sys.stderr)
    return status


def test(python: Path, words: Sequence[str]) -> int:
    """Run the tests, without a screen; all of them side by side on up to four processors, chosen ones as pytest does."""
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the tests start many processes, which need not compile every module again
    chosen = words or ["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"]
    return subprocess.call([str(python), "-m", "pytest", *chosen], cwd=ROOT, env=environment)


def bench(python: Path, words: Sequence[str]) -> int:
    """Print how fast the program is, as ratios measured side by side."""
    return subprocess.call([str(python), str(ROOT / "tests" / "benchmarks" / "run.py"), *words], cwd=ROOT)


def prepared_python() -> Path:
    """Return the Python of the virtual environment, with everything installed."""
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not _works(python):
        _provide_ensurepip()
        print(f"Making a virtual environment in {ENVIRONMENT} ...", flush=True)
        _do([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], "The virtual environment could not be made.")
    wanted = _fingerprint(python)
    if not STAMP.exists() or STAMP.read_text(encoding="utf-8") != wanted:
        print("Installing dpdesigner and what it needs ...", flush=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _do([*pip, "--editable", f"{ROOT}[test]"], "The packages could not be installed; is there a network?")
        STAMP.write_text(wanted, encoding="utf-8")
    return python


def provide_libraries(wanted: dict[str, str]) -> str:
    """Install the packages of missing shared libraries where that is possible; return a sentence that says what is left to do."""
    if not sys.platform.startswith("linux"):
        return ""
    missing = _missing(wanted)
    if missing and _may_install():
        _apt_install(sorted({wanted[name] for name in missing}))
        missing = _missing(wanted)
    if not missing:
        return ""
    packages = " ".join(sorted({wanted[name] for name in missing}))
    return (
        f"Qt needs {', '.join(missing)}. On Debian, Ubuntu and their relatives, this line installs what is missing:\n"
        f"    sudo apt-get install --no-install-recommends {packages}"
    )


def _missing(wanted: dict[str, str]) -> list[str]:
    """Ask the dynamic loader, in a process of its own, since it remembers what it did not find."""
    program = "import ctypes, sys\nfor name in sys.argv[1:]:\n    try: ctypes.CDLL(name)\n    except OSError: print(name)\n"
    return subprocess.run([sys.executable, "-c", program, *wanted], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def _provide_ensurepip() -> None:
    """Debian ships Python without the part that puts pip into a virtual environment."""
    if importlib.util.find_spec("ensurepip") is not None:
        return
    if _may_install():
        _apt_install(["python3-venv"])
        importlib.invalidate_caches()
    if importlib.util.find_spec("ensurepip") is None:
        raise Stop(
            "This Python cannot make virtual environments, since its module ensurepip is missing. On Debian, Ubuntu and their "
            "relatives, this line installs it:\n    sudo apt-get install python3-venv"
        )


def _may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _apt_install(packages: Sequence[str]) -> None:
    print(f"Installing system packages: {' '.join(packages)} ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "-q", "-y", "install", "--no-install-recommends", *packages]
    for command in (["apt-get", "-q", "update"], install):
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            print(done.stdout, file=sys.stderr)


def _works(python: Path) -> bool:
    """Whether there is an environment that still runs; a moved or half-made one does not."""
    try:
        return python.exists() and subprocess.call([str(python), "-c", "import pip"], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def _fingerprint(python: Path) -> str:
    """Of what decides what is installed: the project's file, the place of the source, and the Python."""
    version = subprocess.run([str(python), "-V"], stdout=subprocess.PIPE, text=True, check=True).stdout
    contents = (ROOT / "pyproject.toml").read_bytes() + f"{ROOT}\n{version}".encode()
    return hashlib.sha256(contents).hexdigest()


def _do(command: Sequence[str], failure: str) -> None:
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except OSError as error:
        raise Stop(f"{failure} {error}") from error
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        raise Stop(failure)


if __name__ == "__main__":
    if sys.platform == "linux" and not str(ROOT).isascii():
        os.environ["LC_ALL"] = "C.UTF-8"  # in C, or a locale that is not installed, Python does not find what is below accents
    sys.exit(main(sys.argv[1:]))
