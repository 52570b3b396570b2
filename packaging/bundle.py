"""From the source to something that is double-clicked: a folder that needs no Python, and on Linux a Debian package of it.

    python3 packaging/bundle.py folder    dist/dpdesigner/, with a script that installs it for one user; on macOS dpdesigner.app
    python3 packaging/bundle.py deb       dist/dpdesigner_VERSION_ARCH.deb, from that folder

Makes an environment of its own in build/, so that nothing gets into the bundle that the program does not need. Of the build
machine's own libraries nothing gets in: the Debian package depends on theirs. The same source gives the same bytes where the same
versions of its parts are installed (`licences/parts.txt` in the bundle names them).

Settings, in the environment: DPDESIGNER_MAINTAINER="Name <mail@host>" is who maintains the Debian package, and
DPDESIGNER_REPOSITORY=https://... becomes its home page.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "packaging" / "linux"
BUILD, DIST = ROOT / "build", ROOT / "dist"
FOLDER = DIST / "dpdesigner"
WINDOWS = ROOT / "packaging" / "windows"
ENVIRONMENT = BUILD / "bundle-environment"
PYINSTALLER = "pyinstaller==6.22.3"

#: Where each file goes below the prefix of an installation.
SHARED = {
    LINUX / "dpdesigner.desktop": "share/applications/dpdesigner.desktop",
    LINUX / "dpdesigner.metainfo.xml": "share/metainfo/org.dpdesigner.dpdesigner.metainfo.xml",
    LINUX / "dpdesigner-mime.xml": "share/mime/packages/dpdesigner.xml",
    ROOT / "resources" / "icons" / "dpdesigner.svg": "share/icons/hicolor/scalable/apps/dpdesigner.svg",
}
#: What Qt loads by name, so that no file says that it needs it.
LOADED_BY_NAME = ("libdbus-1.so.3", "libEGL.so.1", "libGL.so.1", "libxcb-cursor.so.0", "libfontconfig.so.1")
#: Parts of an environment that are not parts of the program.
TOOLS = ("pip", "setuptools", "wheel", "pyinstaller", "pyinstaller-hooks-contrib", "altgraph", "packaging", "colorama")

#: Who maintains the package where nobody is named; Debian's checker is told that this is no address.
NOBODY = "The dpdesigner authors <dpdesigner@localhost>"

CONTROL = """Package: dpdesigner
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Depends: {depends}{homepage}
Section: science
Priority: optional
Installed-Size: {size}
Description: design differentially private mechanisms by pointing and drawing
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


def maintainer() -> str:
    """Return who maintains the package, as Debian writes people."""
    given = os.environ.get("DPDESIGNER_MAINTAINER", NOBODY)
    if not re.fullmatch(r"[^<>@\n]+ <[^<>@\s]+@[^<>@\s]+>", given):
        raise OSError(f'DPDESIGNER_MAINTAINER must be like "Name <mail@host>", got {given!r}.')
    return given


def version() -> str:
    """Return the program's version from its one place."""
    text = (ROOT / "dpdesigner" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if found is None:
        raise OSError("dpdesigner/__init__.py names no version.")
    return found[1]


def released() -> str:
    """Return the day of the newest release, from the metainfo; all files in a bundle are as old as that."""
    found = re.search(r'<release version="[^"]+" date="([^"]+)"', (LINUX / "dpdesigner.metainfo.xml").read_text(encoding="utf-8"))
    if found is None:
        raise OSError("packaging/linux/dpdesigner.metainfo.xml names no release.")
    return found[1]


def reproducible() -> dict[str, str]:
    """Return the environment in which the same source gives the same bytes."""
    from datetime import datetime, timezone

    day = datetime.fromisoformat(released()).replace(tzinfo=timezone.utc)
    return {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(int(day.timestamp()))}


def make_folder() -> None:
    """Put the program, Python and Qt into one folder, with their licences and what a desktop needs to know of it."""
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        _run(sys.executable, "-m", "venv", str(ENVIRONMENT))
    _run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYINSTALLER, f"{ROOT}[desktop]")
    places = ["--distpath", str(DIST), "--workpath", str(BUILD / "bundle")]
    spec = str(ROOT / "packaging" / "dpdesigner.spec")
    _run(str(python), "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN", *places, spec)
    add_licences(FOLDER / "licences")
    if sys.platform == "linux":
        for source, place in SHARED.items():
            _copy(source, FOLDER / place)
        for script in ("install.sh", "uninstall.sh"):
            _copy(LINUX / script, FOLDER / script)
    if sys.platform == "win32":
        for script in sorted(WINDOWS.glob("*.ps1")):
            _copy(script, FOLDER / script.name)


def parts() -> list[importlib.metadata.Distribution]:
    """Return what is installed in the environment and gets into the bundle, by name."""
    library = next(ENVIRONMENT.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"))
    installed = {each.metadata["Name"].lower(): each for each in importlib.metadata.distributions(path=[str(library)])}
    return [installed[name] for name in sorted(installed) if name not in TOOLS]


def add_licences(folder: Path) -> None:
    """Copy the licence of every part, that of Python, and the texts of the (L)GPL under which Qt is used; list the parts."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = []
    for part in parts():
        name = part.metadata["Name"]
        licence = part.metadata["License-Expression"] or part.metadata["License"] or "see its files"
        lines.append(f"{name} {part.version}: {licence.splitlines()[0]}")
        for file in part.files or ():
            place = Path(str(part.locate_file(file)))
            if re.search(r"licen[sc]e|copying|notice", file.name, re.IGNORECASE) and "dist-info" in str(file) and place.is_file():
                _copy(place, folder / name / file.name)
    base = Path(sys.base_prefix)
    for place in (base / "LICENSE.txt", *base.glob("lib/python*/LICENSE.txt")):
        if place.is_file():
            _copy(place, folder / "Python" / "LICENSE.txt")
    for text in ("LGPL-3", "GPL-3"):
        place = Path("/usr/share/common-licenses", text)
        if place.is_file():
            _copy(place, folder / "PySide6_Essentials" / f"{text}.txt")
    qt = "Qt for Python is used under the LGPL, version 3. Its libraries are files of their own here and may be replaced.\n"
    text = "\n".join([qt, f"Python {sys.version.split()[0]}: PSF-2.0", *lines])
    (folder / "parts.txt").write_text(f"{text}\n", encoding="utf-8")


def make_deb() -> Path:
    """Make a Debian package of the folder: the program in /usr/lib, its entry in the menu, the type of its files."""
    tree = BUILD / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    ignored = shutil.ignore_patterns("share", "*install.sh", "licences")
    shutil.copytree(FOLDER, tree / "usr" / "lib" / "dpdesigner", symlinks=True, ignore=ignored)
    for source, place in SHARED.items():
        _copy(source, tree / "usr" / place)
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / "dpdesigner").symlink_to("../lib/dpdesigner/dpdesigner")
    architecture = subprocess.run(["dpkg", "--print-architecture"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    _document(tree / "usr" / "share")
    _settle(tree)
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file() and not path.is_symlink()) // 1024
    home = os.environ.get("DPDESIGNER_REPOSITORY", "")
    facts = {
        "version": version(),
        "architecture": architecture,
        "maintainer": maintainer(),
        "depends": depends(tree),
        "homepage": f"\nHomepage: {home}" if home else "",
        "size": size,
    }
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(CONTROL.format(**facts), encoding="utf-8")
    made = DIST / f"dpdesigner_{facts['version']}_{architecture}.deb"
    _run("dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", str(tree), str(made))
    return made


def depends(tree: Path) -> str:
    """Return the Debian packages that have what the files need and the bundle does not hold, found by the loader itself."""
    held = {path.name for path in tree.rglob("*.so*")}
    needed = set(LOADED_BY_NAME)
    for path in _binaries(tree):
        found = subprocess.run(["objdump", "-p", str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
        needed |= set(re.findall(r"NEEDED\s+(\S+)", found)) - held
    places = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, text=True, check=True).stdout
    known = dict(re.findall(r"^\s+(\S+) \([^)]*\) => (\S+)$", places, re.MULTILINE))
    packages = {"libc6"}
    for name in sorted(needed & known.keys()):
        for place in (known[name], os.path.realpath(known[name])):
            owner = subprocess.run(["dpkg", "-S", place], capture_output=True, text=True, check=False)
            if owner.returncode == 0:
                packages.add(owner.stdout.partition(":")[0])
                break
    return ", ".join(sorted(packages))


def _document(shared: Path) -> None:
    """Licences, the copyright file, a manual page, and what Debian's checker is to know of a bundle."""
    folder = shared / "doc" / "dpdesigner"
    shutil.copytree(FOLDER / "licences", folder / "licences")
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    body = "\n".join(f" {line}" if line.strip() else " ." for line in licence.splitlines()[2:])
    listed = (folder / "licences" / "parts.txt").read_text(encoding="utf-8")
    comment = "\n".join(f" {line}" if line.strip() else " ." for line in listed.splitlines())
    text = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: dpdesigner\n"
        f"Comment: the bundle holds these parts, whose licences stand beside this file:\n{comment}\n\n"
        f"Files: *\nCopyright: 2026 The dpdesigner authors\nLicense: Expat\n\nLicense: Expat\n{body}\n"
    )
    (folder / "copyright").write_text(text, encoding="utf-8")
    from datetime import datetime

    day = datetime.fromisoformat(released()).strftime("%a, %d %b %Y 00:00:00 +0000")
    change = f"dpdesigner ({version()}) stable; urgency=low\n\n  * New release.\n\n"
    _write_gz(folder / "changelog.gz", f"{change} -- {maintainer()}  {day}\n")
    _write_gz(shared / "man" / "man1" / "dpdesigner.1.gz", (LINUX / "dpdesigner.1").read_text(encoding="utf-8"))
    (shared / "lintian" / "overrides").mkdir(parents=True)
    overrides = (LINUX / "lintian-overrides").read_text(encoding="utf-8")
    if maintainer() != NOBODY:
        overrides = overrides.partition("# There is no contact address yet.")[0]
    (shared / "lintian" / "overrides" / "dpdesigner").write_text(overrides, encoding="utf-8")


def _settle(tree: Path) -> None:
    """Set the modes that Debian has for programs, libraries and all else."""
    runs = tree / "usr" / "lib" / "dpdesigner" / "dpdesigner"
    for path in tree.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == runs else 0o644)


def _binaries(tree: Path) -> Iterator[Path]:
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def _write_gz(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr, env=reproducible())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
