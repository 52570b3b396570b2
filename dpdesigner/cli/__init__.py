"""The command line: parses, calls one command, prints its report, and turns every refusal into one sentence.

May know: errors, display, qt_libraries, dpdesigner, core, data, studies, files, notebook, desktop.
Begin with: solve.

Qt is imported only when a window is asked for (or a picture), and not before it is known that there is a display.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from dpdesigner import __version__
from dpdesigner.cli import streams
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.display import has_display
from dpdesigner.errors import DpDesignerError, InputError, ProofError, reason
from dpdesigner.qt_libraries import remedy, window_lacks, without_qt
from dpdesigner.studies.kind_entry import load

if TYPE_CHECKING:
    from dpdesigner.cli.output import Output

_LONGEST = 300  # characters of what argparse says
_DEMO_FOLDER = "dpdesigner-demo"
_ABOUT = "Design differentially private mechanisms by pointing and drawing."
_USAGE = """dpdesigner [--reset] [FILE.dpd]     open the window (the example gallery when no file is given)
       dpdesigner COMMAND ...              do one thing without a window; dpdesigner COMMAND --help tells more"""
_STATUS = (
    "Exit status: 0 good, 1 a check failed, 2 bad input or something could not be done, with one sentence that says why; "
    "130 stopped by Ctrl+C."
)
_WINDOW = (
    "There is no display here, so this was done without a window. To get the window, run dpdesigner where a screen is: "
    "in a desktop session, over ssh -X, or with DISPLAY or WAYLAND_DISPLAY set."
)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and leave with status 2."""
        streams.warn(f"{self.prog}: {cut(message, _LONGEST)}; {self.prog} --help tells what is allowed.")
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None, when_imported: Callable[[], object] = lambda: None) -> int:
    """Run the program.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words behind the program's name; by default those of this process.
    when_imported : callable
        Called when what a command needs is there and its work begins.

    Returns
    -------
    int
        0 good, 1 a check failed, 2 bad input (one sentence on standard error), 130 stopped by Ctrl+C.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Matrix products here are too small for several threads: they only wait for one another where the machine is busy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    streams.prepare()
    try:
        _log_as_asked(os.environ.get("DPDESIGNER_LOG", ""))
        status = _run(words, when_imported)
        streams.flush()
        return status
    except ProofError as error:
        return _refuse(error, 1)
    except (DpDesignerError, OSError, MemoryError) as error:
        streams.drop_what_cannot_be_written()
        return 141 if isinstance(error, BrokenPipeError) else _refuse(error, 2)  # 141: the reader has gone
    except KeyboardInterrupt:
        return _refuse(InputError("stopped."), 130)


def _log_as_asked(level: str) -> None:
    """Show what is passed over, such as a temporary file that could not be removed, where the environment asks for it."""
    if not level:
        return
    import logging

    levels = ("debug", "info", "warning", "error")
    if level.lower() not in levels:
        raise InputError(f"DPDESIGNER_LOG must be one of {', '.join(levels)}, got {cut(level)}.")
    logging.basicConfig(format="dpdesigner: %(message)s")
    logging.getLogger("dpdesigner").setLevel(level.upper())


def _run(words: list[str], when_imported: Callable[[], object]) -> int:
    if not words or (words[0] not in _COMMANDS and not {"-h", "--help"} & set(words)):
        return _window(words, when_imported)
    given = vars(_parser_of_commands().parse_args(words))
    command, as_json, _ = (given.pop(key) for key in ("command", "json", "reset"))
    run = load(f"dpdesigner.cli.{_COMMANDS[command].function}")
    when_imported()
    return _print(run(**given), as_json)


def _print(report: Output, as_json: bool) -> int:
    if as_json:
        streams.say_json(report.data)
    else:
        streams.say(report.lines)
    for warning in report.warnings:
        streams.warn(f"dpdesigner: {warning}")
    return report.status


def _refuse(error: BaseException, status: int) -> int:
    sentence = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        sentence = "the memory is full."
    elif isinstance(error, OSError):
        named = cut(error.filename) if error.filename else "standard output or a file"
        sentence = f"{named} could not be written or read: {reason(error)}."
    streams.warn(f"dpdesigner: {sentence}")
    return status


def _window(words: Sequence[str], when_imported: Callable[[], object]) -> int:
    parser = _Parser("dpdesigner", usage=_USAGE, description=_ABOUT)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--reset", action="store_true")
    parser.add_argument("--version", action="version", version=f"dpdesigner {__version__}")
    given = parser.parse_args(words)
    if len(given.files) > 1:
        parser.error(f"give one FILE.dpd or a command of {', '.join(_COMMANDS)}, got {cut(' '.join(given.files))}")
    file = next(iter(given.files), None)
    if not has_display():
        return _without_window(file, _WINDOW, when_imported)
    if missing := window_lacks():
        return _without_window(file, f"The window cannot be opened: {remedy(missing)}", when_imported)
    gc.disable()  # what a start makes stays: looking through it again and again is a twentieth of the start
    try:
        from dpdesigner.desktop.window.application import run
    except ImportError as error:
        gc.enable()
        return _without_window(file, f"The window cannot be opened, since {without_qt(error)}.", when_imported)
    when_imported()
    return run(file, reset=given.reset)


def _without_window(file: str | None, reason: str, when_imported: Callable[[], object]) -> int:
    from dpdesigner.cli.export import demo_command

    when_imported()
    folder = tempfile.mkdtemp(prefix="dpdesigner-")  # nothing is written to the folder one is in unless it is asked for
    status = _print(demo_command(folder, file), as_json=False)
    streams.say(["", "The files are in a temporary folder; dpdesigner demo --to DIR writes the example to another one.", reason])
    return status


def _parser_of_commands() -> _Parser:
    parser = _Parser("dpdesigner", usage=_USAGE, description=_ABOUT)
    parser.add_argument("--reset", action="store_true", help="open the window as it is the first time")
    parser.add_argument("--version", action="version", version=f"dpdesigner {__version__}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND", prog="dpdesigner", required=True)
    for name, known in _COMMANDS.items():
        command = commands.add_parser(name, help=known.what, description=known.what, epilog=_STATUS)
        known.add_options(command)
        command.add_argument("--json", action="store_true", help="write JSON to standard output")
    return parser


def _file_and_design(parser: argparse.ArgumentParser, *, real_errors: bool = False) -> None:
    parser.add_argument("path", metavar="FILE.dpd", help="a project file")
    which = "one of several designs, by name or number, from 1 (default: all; sample needs one)"
    parser.add_argument("--design", "--study", dest="which", metavar="NAME|NUMBER", help=which)
    if real_errors:
        real = "also tell how far off made-up data really are, which is not private"
        parser.add_argument("--real-errors", action="store_true", help=real)


def _solve(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    parser.add_argument("--exact", action="store_true", help="work in rational arithmetic")


def _export(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    where = "the folder to write to; files of the same name are replaced"
    parser.add_argument("--to", dest="folder", metavar="DIR", required=True, help=where)
    parser.add_argument("--formats", default="csv", help="some of csv,tsv,json,tex,py,opendp,r,png,svg,pdf (default: csv)")
    parser.add_argument("--exact", action="store_true", help="solve in rational arithmetic")
    parser.add_argument("--fractions", action="store_true", help="write fractions, exactly as private as asked")


def _report(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    where = "a .html or a .pdf file, or a folder for both; may be given more than once; an existing file is replaced"
    parser.add_argument("--to", metavar="REPORT", action="append", required=True, help=where)


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="TABLE.csv", help="rows = true result, columns = released result")
    level = parser.add_mutually_exclusive_group()
    level.add_argument("--epsilon", metavar="E", help="the privacy that it must have, such as 0.5 or ln2")
    level.add_argument("--alpha", metavar="A", help="the same as alpha = exp(-epsilon), such as 1/2")
    _headings(parser)
    parser.add_argument("--design", metavar="FILE.dpd", help="also tell how far from optimal the table is for this design")
    parser.add_argument("--study", metavar="NAME|NUMBER", help="which of several designs of that file, by name or number, from 1")
    parser.add_argument("--profile", action="store_true", help="also say what a reader can find out, as dpdesigner inspect does")
    parser.add_argument("--delta", metavar="D", help="with --profile: the delta that it must have at that epsilon")


def _headings(parser: argparse.ArgumentParser) -> None:
    said = argparse.BooleanOptionalAction
    header = "the first line is a header, or is none (default: only where it says so itself: export wrote it, or it has no digit)"
    parser.add_argument("--header", action=said, help=header)
    parser.add_argument("--labels", action=said, help="the first column holds labels, or does not (default: likewise)")


def _inspect(parser: argparse.ArgumentParser) -> None:
    what = "rows = true counts, columns = releases: CSV, TSV, or a table for Tau-Argus, SAS or cell-key-perturbation"
    parser.add_argument("path", metavar="TABLE", help=what)
    for option, metavar, text in (
        ("--epsilon", "E", "at which delta is told (default: ln 2)"),
        ("--delta", "D", "at which epsilon is told"),
        ("--n", "N", "the largest count, for tables that say what happens to every count"),
        ("--releases", "K", "how many times the same count is released (default: 1)"),
        ("--group", "G", "how many people act together (default: 1)"),
        ("--sampling", "S", "only a sample was counted: 1/3, or 3 of 12"),
        ("--attacker", "WHO", "informed, who knows all others (default), or outsider, who knows the crowd"),
        ("--others", "PRIOR", "what an outsider knows of the others' count (default: fair coins)"),
        ("--base-rate", "Q", "how likely the person is in (default: 1/2)"),
        ("--false-alarms", "F", "how many the attacker names wrongly (default: 1/100)"),
        ("--prior", "PRIOR", "what readers believe (default: uniform)"),
        ("--loss", "LOSS", "what an error costs (default: absolute)"),
        ("--released", "R", "the release that intervals are told for"),
        ("--confidence", "C", "of intervals and error bounds (default: 0.95)"),
    ):
        parser.add_argument(option, metavar=metavar, help=text)
    _headings(parser)
    mend = "put what rows lack of 1 on their largest entries: what is said is then of that table"
    parser.add_argument("--mend", action="store_const", const="largest", help=mend)


def _sample(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser)
    parser.add_argument("--count", metavar="I", help="the true result, for a count design")
    parser.add_argument("--draws", metavar="K", default="1", help="how many releases (default: 1)")


def _sweep(parser: argparse.ArgumentParser) -> None:
    what = "one design a row (columns name, n, epsilon, prior, loss, ...), a grid of values, or a project file"
    parser.add_argument("path", metavar="TABLE.csv|GRID.json|FILE.dpd", help=what)
    to = "the folder to write to; what was stopped there goes on"
    parser.add_argument("--to", dest="folder", metavar="DIR", required=True, help=to)
    parser.add_argument("--formats", default="csv", help="some of csv,tsv,json,tex (default: csv)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="K", help="so many processes (default: one, or one a processor where that pays)")
    where.add_argument("--cluster", metavar="ADDRESS", help="the address of a Dask scheduler, such as tcp://127.0.0.1:8786")
    parser.add_argument(
        "--timeout", metavar="SECONDS", help="how long to wait for the first worker of a cluster (default: for ever)"
    )


def _demo(parser: argparse.ArgumentParser) -> None:
    to = f"the folder to write to (default: {_DEMO_FOLDER})"
    parser.add_argument("--to", dest="folder", metavar="DIR", default=_DEMO_FOLDER, help=to)


class _Command(NamedTuple):
    """What it does; its function, whose parameters are called as the words of the command line are stored; and its options."""

    what: str
    function: str
    add_options: Callable[[argparse.ArgumentParser], None]


_SAMPLE = "release a count or a histogram exactly, from the system's entropy, or draw noise, real noise simulated"
_SWEEP = "write the proved tables of many designs, by several processes or a cluster"
_COMMANDS = {
    "solve": _Command("say the answer: value, remap, epsilon, certificate", "solve:solve_command", _solve),
    "export": _Command("write mechanisms, noise and curves as tables and pictures", "export:export_command", _export),
    "report": _Command("write a report: summary, figures, tables, proof, inputs, versions", "report:report_command", _report),
    "inspect": _Command("say what a table of releases gives away, and how useful it is", "inspecting:inspect_command", _inspect),
    "verify": _Command("check any mechanism table exactly", "verify:verify_command", _verify),
    "sample": _Command(_SAMPLE, "solve:sample_command", _sample),
    "sweep": _Command(_SWEEP, "sweep:sweep_command", _sweep),
    "demo": _Command("solve, write and draw the example of the founding paper", "export:demo_command", _demo),
}
