"""The way from a fresh copy to a running program: bootstrap's decisions, shipped resources, version pins."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import dpdesigner
from dpdesigner import resources
from dpdesigner.files.project import SUFFIX

ROOT = Path(__file__).resolve().parent.parent
PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")


@pytest.fixture
def bootstrap(tmp_path, monkeypatch):
    """The script as a module, with an environment folder of its own and a record instead of real installations."""
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "packaging" / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.done = []
    monkeypatch.setattr(module, "ENVIRONMENT", tmp_path / "environment")
    monkeypatch.setattr(module, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(module, "_do", lambda command, failure: module.done.append(command[1:4]))
    monkeypatch.setattr(module, "_apt_install", lambda packages: module.done.append(list(packages)))
    monkeypatch.setattr(module, "_works", lambda python: False)
    monkeypatch.setattr(module, "_fingerprint", lambda python: "now")
    return module


def test_says_what_it_can_do(bootstrap, capsys):
    assert bootstrap.main([]) == bootstrap.main(["fly"]) == 2
    assert capsys.readouterr().err.count("say what to do, run, test or bench") == 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere paths have one encoding")
@pytest.mark.parametrize("folder", ["plain", "späces in it"])
def test_a_folder_with_accents_is_one_in_any_locale(tmp_path, folder):
    script = tmp_path / folder / "packaging" / "bootstrap.py"
    script.parent.mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "bootstrap.py", script)
    program = "import os, runpy, sys\ntry: runpy.run_path(sys.argv[1], run_name='__main__')\nfinally: print(os.environ['LC_ALL'])"
    environment = {**os.environ, "LC_ALL": "C"}
    found = subprocess.run([sys.executable, "-S", "-c", program, str(script)], env=environment, capture_output=True, text=True)
    assert found.stdout == ("C\n" if script.is_relative_to(tmp_path / "plain") and str(tmp_path).isascii() else "C.UTF-8\n")


def test_an_old_python_is_a_sentence(bootstrap, capsys, monkeypatch):
    monkeypatch.setattr(bootstrap, "OLDEST_PYTHON", (99, 0))
    assert bootstrap.main(["test"]) == 2
    assert "or newer is needed, this is" in capsys.readouterr().err


def test_installs_once_and_again_when_something_changed(bootstrap, monkeypatch):
    bootstrap.prepared_python()
    assert [command[:2] for command in bootstrap.done] == [["-m", "venv"], ["-m", "pip"]]
    monkeypatch.setattr(bootstrap, "_works", lambda python: True)
    bootstrap.prepared_python()
    assert len(bootstrap.done) == 2
    monkeypatch.setattr(bootstrap, "_fingerprint", lambda python: "later")
    bootstrap.prepared_python()
    assert [command[:2] for command in bootstrap.done[2:]] == [["-m", "pip"]]


def test_without_ensurepip_it_says_which_package_has_it(bootstrap, capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(bootstrap, "_may_install", lambda: False)
    assert bootstrap.main(["test"]) == 2
    assert "sudo apt-get install python3-venv" in capsys.readouterr().err
    monkeypatch.setattr(bootstrap, "_may_install", lambda: True)
    assert bootstrap.main(["test"]) == 2
    assert bootstrap.done == [["python3-venv"]]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems bring Qt's libraries with them")
def test_missing_libraries_are_installed_or_named(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap, "_may_install", lambda: False)
    assert bootstrap.provide_libraries({}) == ""
    hint = bootstrap.provide_libraries({"libnot-there.so.7": "libnot-there7"})
    assert "Qt needs libnot-there.so.7" in hint
    assert hint.endswith("sudo apt-get install --no-install-recommends libnot-there7")
    monkeypatch.setattr(bootstrap, "_may_install", lambda: True)
    assert bootstrap.provide_libraries({"libnot-there.so.7": "libnot-there7"}) == hint
    assert bootstrap.done == [["libnot-there7"]]


def test_libraries_missing_for_the_tests_are_a_sentence_and_the_program_runs_without_a_window(bootstrap, capsys, monkeypatch):
    called = []

    def call(command, env=None, cwd=None):
        called.append((command[1:], env["QT_QPA_PLATFORM"]))
        return 0

    monkeypatch.setattr(bootstrap, "provide_libraries", lambda wanted: f"{len(wanted)} libraries are missing.")
    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setenv("DISPLAY", ":0")
    assert bootstrap.main(["test"]) == 2
    assert called == []
    assert bootstrap.main(["run", "a.dpd"]) == 0
    assert called == [(["-m", "dpdesigner", "a.dpd"], "offscreen")]
    err = capsys.readouterr().err
    assert "bootstrap: 6 libraries are missing." in err
    assert "bootstrap: 12 libraries are missing." in err
    monkeypatch.setattr(bootstrap, "provide_libraries", lambda wanted: "")
    assert bootstrap.main(["test", "-q"]) == 0
    assert called[-1] == (["-m", "pytest", "-q"], "offscreen")


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_the_checks_of_a_submission_call_the_command_of_the_readme():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    command = "python3 packaging/bootstrap.py test"
    assert command in script.read_text("utf-8")
    assert command in (ROOT / "README.md").read_text("utf-8")


def test_resources_are_found_in_a_source_tree_and_in_a_wheel(tmp_path, monkeypatch):
    assert resources.path("examples", "examples.json").is_file()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "dpdesigner")
    assert resources.path("icons") == tmp_path / "resources" / "icons"
    (tmp_path / "dpdesigner" / "resources").mkdir(parents=True)
    assert resources.path("icons") == tmp_path / "dpdesigner" / "resources" / "icons"
    assert '"resources" = "dpdesigner/resources"' in PROJECT


def test_the_pyside_that_crashes_on_older_pythons_is_kept_out():
    pins = re.findall(r'"PySide6-Essentials([^;"]*); python_version ([^"]*)"', PROJECT)
    assert pins == [(">=6.11,<6.12", "< '3.12'"), (">=6.11", ">= '3.12'")]


def test_no_package_may_reach_for_the_network():
    """A privacy tool talks to nobody: sockets serve to find the X server behind DISPLAY, and as a pair within the program."""
    names = "urllib|http|socket|requests|ssl|ftplib|smtplib|PySide6[.]QtNetwork"
    forbidden = re.compile(rf"^\s*(?:import|from) ({names})\b", re.MULTILINE)
    found = {
        path.relative_to(ROOT).as_posix(): forbidden.findall(path.read_text("utf-8"))
        for path in (ROOT / "dpdesigner").rglob("*.py")
    }
    allowed = {"dpdesigner/display.py": ["socket"], "dpdesigner/desktop/window/application.py": ["socket"]}
    assert {name: names for name, names in found.items() if names} == allowed
    used = re.findall(r"socket\.(\w+)", (ROOT / "dpdesigner" / "desktop" / "window" / "application.py").read_text("utf-8"))
    assert used == ["socketpair"]


LINUX = ROOT / "packaging" / "linux"


def test_the_manual_page_is_that_of_the_parser():
    spec = importlib.util.spec_from_file_location("manual", ROOT / "packaging" / "manual.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = module.page()
    assert module.PAGE.read_text("utf-8") == page, "python3 packaging/manual.py writes it again"
    assert "dpdesigner new count" in page and "\\-\\-prior" in page and page.isascii()
    assert '"packaging/linux/dpdesigner.1" = "share/man/man1/dpdesigner.1"' in PROJECT
    if shutil.which("groff"):
        found = subprocess.run(["groff", "-man", "-Tutf8", "-ww", module.PAGE], capture_output=True, text=True)
        assert found.stderr == "" and "standard input" in found.stdout


@pytest.fixture
def bundle():
    """The script that makes bundles, as a module."""
    spec = importlib.util.spec_from_file_location("bundle", ROOT / "packaging" / "bundle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_bundle_has_what_a_desktop_needs_to_know(bundle, capsys):
    assert bundle.main([]) == bundle.main(["flatpak"]) == 2
    assert "folder or deb" in capsys.readouterr().err
    assert all(source.is_file() for source in bundle.SHARED)
    assert bundle.version() == dpdesigner.__version__


def test_the_release_notes_name_this_version_first():
    component = ElementTree.parse(LINUX / "dpdesigner.metainfo.xml").getroot()
    assert component.find("releases/release").get("version") == dpdesigner.__version__
    assert component.findtext("launchable") == "dpdesigner.desktop"


def test_a_double_click_on_a_project_opens_it():
    entries = dict(line.split("=", 1) for line in (LINUX / "dpdesigner.desktop").read_text("utf-8").splitlines() if "=" in line)
    types = ElementTree.parse(LINUX / "dpdesigner-mime.xml").getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = types.find(f"{space}mime-type")
    assert entries["MimeType"] == f"{kind.get('type')};"
    assert kind.find(f"{space}glob").get("pattern") == f"*{SUFFIX}"
    assert entries["Exec"].split() == ["dpdesigner", "%f"]


def test_types_are_told_to_who_uses_the_library() -> None:
    assert (Path(dpdesigner.__file__).parent / "py.typed").is_file()


def test_all_tests_run_side_by_side_and_chosen_ones_as_asked(bootstrap, monkeypatch):
    called = []
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda command, **given: called.append(command[3:]) or 0)
    assert bootstrap.test(Path("python"), []) == bootstrap.test(Path("python"), ["-x", "tests/core"]) == 0
    assert called == [["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"], ["-x", "tests/core"]]
    assert '"pytest-xdist' in PROJECT


def test_without_the_desktop_extra_one_sentence_says_what_to_install(tmp_path):
    """As pip install dpdesigner leaves it: no Qt, no pyqtgraph; pictures and the window name the extra, all else works."""
    block = (
        "import sys\nclass Missing:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('PySide6', 'shiboken6', 'pyqtgraph', 'matplotlib'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\nimport dpdesigner.cli\n"
        "dpdesigner.cli.has_display = lambda: sys.argv[1:2] != ['demo']\nsys.exit(dpdesigner.cli.main())"
    )
    words = "Qt or pyqtgraph is not installed; to install both: pip install 'dpdesigner[desktop]'"
    run = [sys.executable, "-c", block]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    window = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert window.returncode == 2 or f"The window cannot be opened: {words}." in window.stdout
    assert words in window.stdout and list(tmp_path.glob("dpdesigner-*/*.csv"))
    demo = subprocess.run([*run, "demo", "--to", "there"], cwd=tmp_path, capture_output=True, text=True)
    assert f"pictures need Qt or matplotlib: {words}." in demo.stderr and list(tmp_path.glob("there/*.csv"))


def test_the_base_needs_no_desktop_and_the_two_commands_install_it():
    base, _, extras = PROJECT.partition("[project.optional-dependencies]")
    assert "PySide6" not in base and "pyqtgraph" not in base
    assert '"dpdesigner[desktop,cluster,parquet,plot,data,completion]"' in extras
    assert '"highspy>=1.11"' in base  # earlier ones raise or crash when they report progress


@pytest.mark.skipif(sys.platform != "linux", reason="for the desktops of Linux")
@pytest.mark.parametrize("name", ["plain", "spa ces", 'quo"te', "$HOME `x`", "back\\slash", "per%cent", "-dash", "ümläut"])
def test_it_is_put_into_the_menu_and_taken_out_again(tmp_path, bundle, name):
    home, folder = tmp_path / "home", tmp_path / name / "dpdesigner"
    for source, place in bundle.SHARED.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / place)
    for script in ("install.sh", "uninstall.sh"):
        shutil.copy(bundle.LINUX / script, folder / script)
    program = folder / "dpdesigner"
    program.write_text("#!/bin/sh\nprintf '%s' \"$1\"\n", "utf-8")
    program.chmod(0o755)
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    home.mkdir()
    (home / "kept.txt").write_text("kept")
    if name == "plain":  # a second time installs over the first
        subprocess.run(["sh", "./install.sh"], cwd=folder, env=environment, check=True, capture_output=True)
    subprocess.run(["sh", "./install.sh"], cwd=folder, env=environment, check=True, capture_output=True)
    entry = home / ".local/share/applications/dpdesigner.desktop"
    (line,) = [line for line in entry.read_text("utf-8").splitlines() if line.startswith("Exec=")]
    assert launched(line) == [str(program), "%f"]
    link = home / ".local/bin/dpdesigner"
    assert subprocess.run([link, "x y"], env=environment, capture_output=True, text=True).stdout == "x y"
    if shutil.which("desktop-file-validate"):
        assert subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True).stdout == ""
    subprocess.run(["sh", "./uninstall.sh"], cwd=folder, env=environment, check=True, capture_output=True)
    assert [path.relative_to(home).as_posix() for path in home.rglob("*")] == ["kept.txt"], "all that was made is gone"
    assert program.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="for the desktops of Linux")
def test_folders_and_types_of_others_stay(tmp_path, bundle):
    home, folder = tmp_path / "home", tmp_path / "dpdesigner"
    for source, place in bundle.SHARED.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / place)
    for script in ("install.sh", "uninstall.sh"):
        shutil.copy(bundle.LINUX / script, folder / script)
    (home / ".local" / "bin").mkdir(parents=True)  # empty, and not ours
    theirs = home / ".local" / "share" / "applications" / "other.desktop"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("[Desktop Entry]\nType=Application\nName=Other\nExec=other\n", "utf-8")
    before = sorted(home.rglob("*"))
    for script in ("install.sh", "uninstall.sh"):
        environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
        subprocess.run(["sh", f"./{script}"], cwd=folder, env=environment, check=True, capture_output=True)
    left = [path for path in sorted(home.rglob("*")) if path.name != "mimeinfo.cache"]  # of their entry
    assert left == before


@pytest.fixture
def project_urls(monkeypatch):
    """The hook of the build, as a module, also where hatchling is not installed."""
    import types

    if importlib.util.find_spec("hatchling") is None:
        plugin = types.ModuleType("hatchling.metadata.plugin.interface")
        plugin.MetadataHookInterface = object
        for name in ("hatchling", "hatchling.metadata", "hatchling.metadata.plugin"):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        monkeypatch.setitem(sys.modules, plugin.__name__, plugin)
    spec = importlib.util.spec_from_file_location("project_urls", ROOT / "packaging" / "project_urls.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_one_setting_gives_the_package_its_addresses(project_urls, monkeypatch):
    hook = project_urls.ProjectUrls.__new__(project_urls.ProjectUrls)
    monkeypatch.setattr(project_urls.ProjectUrls, "root", str(ROOT), raising=False)
    monkeypatch.delenv(project_urls.SETTING, raising=False)
    metadata: dict = {}
    hook.update(metadata)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert metadata == {"readme": {"content-type": "text/markdown", "text": readme}}, "nothing is made up"
    monkeypatch.setenv(project_urls.SETTING, "https://example.org/office/dpdesigner/")
    hook.update(metadata)
    tag = f"v{dpdesigner.__version__}"
    assert metadata["urls"]["Issues"] == "https://example.org/office/dpdesigner/issues"
    made = metadata["readme"]["text"]
    assert f"![The Count page](https://example.org/office/dpdesigner/raw/{tag}/resources/screenshots/count-light.png)" in made
    assert f"[CONTRIBUTING.md](https://example.org/office/dpdesigner/blob/{tag}/CONTRIBUTING.md)" in made
    assert not re.findall(r"\]\((?!https:)", made)
    monkeypatch.setenv(project_urls.SETTING, "example")
    with pytest.raises(ValueError, match="must be the https address"):
        hook.update(metadata)
    assert 'dynamic = ["version", "readme", "urls"]' in PROJECT and 'path = "packaging/project_urls.py"' in PROJECT


def test_the_maintainer_is_a_setting(bundle, monkeypatch):
    monkeypatch.delenv("DPDESIGNER_MAINTAINER", raising=False)
    assert bundle.maintainer() == bundle.NOBODY
    monkeypatch.setenv("DPDESIGNER_MAINTAINER", "Ada Example <ada@example.org>")
    assert bundle.maintainer() == "Ada Example <ada@example.org>"
    monkeypatch.setenv("DPDESIGNER_MAINTAINER", "ada")
    with pytest.raises(OSError, match='must be like "Name <mail@host>"'):
        bundle.maintainer()


def test_every_place_that_names_the_version_or_what_is_needed_agrees():
    recipe = (ROOT / "packaging" / "conda" / "meta.yaml").read_text("utf-8")
    assert f'version = "{dpdesigner.__version__}"' in recipe
    assert f"version: {dpdesigner.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    needed = re.search(r"\ndependencies = \[(.*?)\]", PROJECT, re.DOTALL)[1]
    for name, least in re.findall(r'"([A-Za-z-]+)>=([\d.]+)"', needed):
        assert f"- {name.lower().replace('typing-extensions', 'typing_extensions')} >={least}\n" in recipe


def test_what_windows_gets_is_taken_away_again():
    """Every key, link and folder that install.ps1 sets is named in uninstall.ps1 too."""
    install, uninstall = (
        (ROOT / "packaging" / "windows" / f"{name}.ps1").read_text("utf-8") for name in ("install", "uninstall")
    )
    for place in ("dpdesigner.project", ".dpd\\OpenWithProgids", "dpdesigner.lnk", '"Path", "User"'):
        assert place in install and place in uninstall
    spec = (ROOT / "packaging" / "dpdesigner.spec").read_text("utf-8")
    assert 'program("dpdesigner-console", console=True)' in spec and '"CFBundleVersion": VERSION' in spec
    assert "sqlite3" not in spec, "sweep needs it"


def launched(line: str) -> list[str]:
    """The words of a desktop entry's command: strings are unescaped first, then the quoted arguments, then %%."""
    text = line.removeprefix("Exec=").replace("\\\\", "\0").replace("\\s", " ").replace("\0", "\\")
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', text)
    return [re.sub(r'\\(["`$\\])', r"\1", quoted).replace("%%", "%") or bare for quoted, bare in words]


def test_the_lowest_versions_are_tested() -> None:
    spec = importlib.util.spec_from_file_location("lowest", ROOT / "packaging" / "lowest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pinned = dict(name.split("==") for name in module.lowest())
    assert {"numpy", "scipy", "highspy", "PySide6-Essentials", "pyqtgraph", "distributed", "matplotlib"} <= pinned.keys()
    assert not {"ruff", "mypy", "hatchling"} & pinned.keys()
    assert "packaging/lowest.py" in (ROOT / ".ci" / "run").read_text("utf-8")
