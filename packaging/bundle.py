"""From the source to something a user of Linux double-clicks: a folder that needs no Python, and a Debian package of it.

    python3 packaging/bundle.py folder    dist/dpdesigner/, with install.sh for one user
    python3 packaging/bundle.py deb       dist/dpdesigner_VERSION_ARCH.deb, from that folder

Makes an environment of its own in build/, so that nothing gets into the bundle that the program does not need.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "packaging" / "linux"
BUILD, DIST = ROOT / "build", ROOT / "dist"
FOLDER = DIST / "dpdesigner"

#: Where each file goes below the prefix of an installation.
SHARED = {
    LINUX / "dpdesigner.desktop": "share/applications/dpdesigner.desktop",
    LINUX / "dpdesigner.metainfo.xml": "share/metainfo/org.dpdesigner.dpdesigner.metainfo.xml",
    LINUX / "dpdesigner-mime.xml": "share/mime/packages/dpdesigner.xml",
    ROOT / "resources" / "icons" / "dpdesigner.svg": "share/icons/hicolor/scalable/apps/dpdesigner.svg",
}
#: What Qt loads that is not in the bundle, since it belongs to the graphics driver or to the system's fonts.
DEPENDS = "libc6, libegl1, libgl1, libdbus-1-3, libfontconfig1, libxkbcommon0, libxkbcommon-x11-0, libxcb-cursor0"
#: Parts of Qt and Python that the program does not use, and that would make the bundle half as large again.
UNUSED = ("tkinter", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtNetwork", "PySide6.QtDesigner", "PySide6.QtSql", "matplotlib")

CONTROL = """Package: dpdesigner
Version: {version}
Architecture: {architecture}
Maintainer: The dpdesigner developers <dpdesigner@localhost>
Depends: {depends}
Section: science
Priority: optional
Installed-Size: {size}
Description: Design differentially private mechanisms by pointing and drawing
 Draw what you believe about a count, say what an error costs you, set how
 private the release must be, and see at once the best mechanism for you, with
 its proof.
"""


def main(words: Sequence[str]) -> int:
    """Make what the one word names, and return the exit status."""
    if list(words) not in (["folder"], ["deb"]):
        print("bundle: say what to make, folder or deb, as in: python3 packaging/bundle.py folder", file=sys.stderr)
        return 2
    try:
        make_folder()
        print(make_deb() if words[0] == "deb" else FOLDER)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 1
    return 0


def version() -> str:
    """Return the program's version from its one place."""
    text = (ROOT / "dpdesigner" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if found is None:
        raise OSError("dpdesigner/__init__.py names no version.")
    return found[1]


def make_folder() -> None:
    """Put the program, Python and Qt into one folder, with what a desktop needs to know of it."""
    environment = BUILD / "bundle-environment"
    python = environment / "bin" / "python"
    if not python.exists():
        _run(sys.executable, "-m", "venv", str(environment))
    _run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pyinstaller", f"{ROOT}[desktop]")
    excluded = [word for name in UNUSED for word in ("--exclude-module", name)]
    places = ["--distpath", str(DIST), "--workpath", str(BUILD / "bundle"), "--specpath", str(BUILD)]
    data = ["--add-data", f"{ROOT / 'resources'}:dpdesigner/resources"]
    data += ["--add-data", f"{ROOT / 'dpdesigner' / 'core' / 'THEORY.md'}:dpdesigner/core"]
    collected = ["--collect-submodules", "dpdesigner", "--copy-metadata", "numpy", "--copy-metadata", "scipy"]
    collected += ["--copy-metadata", "highspy", "--copy-metadata", "PySide6-Essentials", "--copy-metadata", "pyqtgraph"]
    start = str(ROOT / "dpdesigner" / "__main__.py")
    options = ["--noconfirm", "--log-level", "WARN", "--name", "dpdesigner", "--paths", str(ROOT)]
    _run(str(python), "-m", "PyInstaller", *options, *places, *data, *collected, *excluded, start)
    for source, place in SHARED.items():
        _copy(source, FOLDER / place)
    _copy(LINUX / "install.sh", FOLDER / "install.sh")


def make_deb() -> Path:
    """Make a Debian package of the folder: the program in /opt, its entry in the menu, the type of its files."""
    tree = BUILD / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(FOLDER, tree / "opt" / "dpdesigner", symlinks=True, ignore=shutil.ignore_patterns("share", "install.sh"))
    for source, place in SHARED.items():
        _copy(source, tree / "usr" / place)
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / "dpdesigner").symlink_to("/opt/dpdesigner/dpdesigner")
    architecture = subprocess.run(["dpkg", "--print-architecture"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file() and not path.is_symlink()) // 1024
    facts = {"version": version(), "architecture": architecture, "depends": DEPENDS, "size": size}
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(CONTROL.format(**facts), encoding="utf-8")
    made = DIST / f"dpdesigner_{facts['version']}_{architecture}.deb"
    _run("dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", str(tree), str(made))
    return made


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
