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
_USAGE = (
    "dpdesigner [--reset] [FILE.dpd]     open the window (the example gallery when no file is given)\n       "
    "dpdesigner COMMAND ...              run one command without a window; for its options: dpdesigner COMMAND "
    "--help"
)
_STATUS = (
    "Exit status: 0 success, 1 a check failed, 2 invalid input or failure (one sentence explains it), 130 stopped by Ctrl+C."
)
_WINDOW = (
    "There is no display, so this was done without a window. To open the window, run dpdesigner in a desktop session, "
    "over ssh -X, or with DISPLAY or WAYLAND_DISPLAY set."
)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and leave with status 2."""
        streams.warn(f"{self.prog}: {cut(message, _LONGEST)}; see {self.prog} --help.")
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
        sentence = "out of memory."
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
        return _without_window(file, f"The window cannot be opened: {without_qt(error)}.", when_imported)
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
    parser.add_argument("--reset", action="store_true", help="reset the window to its initial layout")
    parser.add_argument("--version", action="version", version=f"dpdesigner {__version__}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND", prog="dpdesigner", required=True)
    for name, known in _COMMANDS.items():
        command = commands.add_parser(name, help=known.what, description=known.what, epilog=_STATUS)
        known.add_options(command)
        command.add_argument("--json", action="store_true", help="write JSON to standard output")
    return parser


def _file_and_design(parser: argparse.ArgumentParser, *, real_errors: bool = False) -> None:
    parser.add_argument("path", metavar="FILE.dpd", help="a project file")
    which = "one of several designs, by name or by number from 1 (default: all; sample needs one)"
    parser.add_argument("--design", "--study", dest="which", metavar="NAME|NUMBER", help=which)
    if real_errors:
        real = "also show the measured error of synthetic data, which is not private"
        parser.add_argument("--real-errors", action="store_true", help=real)


def _solve(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    parser.add_argument("--exact", action="store_true", help="use rational arithmetic")


def _export(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    where = "the output folder; files with the same names are replaced"
    parser.add_argument("--to", dest="folder", metavar="DIR", required=True, help=where)
    parser.add_argument("--formats", default="csv", help="a selection of csv,tsv,json,tex,py,opendp,r,png,svg,pdf (default: csv)")
    parser.add_argument("--exact", action="store_true", help="solve in rational arithmetic")
    parser.add_argument("--fractions", action="store_true", help="write fractions, with exactly the requested privacy")


def _report(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    where = "a .html or .pdf file, or a folder for both; may be repeated; existing files are replaced"
    parser.add_argument("--to", metavar="REPORT", action="append", required=True, help=where)


def _share(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser)
    parser.add_argument("--to", metavar="PAGE.html", required=True, help="the file to write; replaced if it is there")


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="TABLE.csv", help="rows = true result, columns = released result")
    level = parser.add_mutually_exclusive_group()
    level.add_argument("--epsilon", metavar="E", help="the privacy level that it must have, for example 0.5 or ln2")
    level.add_argument("--alpha", metavar="A", help="the same as alpha = exp(-epsilon), for example 1/2")
    _headings(parser)
    parser.add_argument("--design", metavar="FILE.dpd", help="also show how far the table is from the optimum of this design")
    parser.add_argument("--study", metavar="NAME|NUMBER", help="one of several designs in that file, by name or by number from 1")
    parser.add_argument("--profile", action="store_true", help="also show what a reader can learn, like dpdesigner inspect")
    parser.add_argument("--delta", metavar="D", help="the delta that it must have at that epsilon; shows what --profile shows")


def _headings(parser: argparse.ArgumentParser) -> None:
    said = argparse.BooleanOptionalAction
    header = "whether the first line is a header (default: yes if export wrote it or it contains no digit)"
    parser.add_argument("--header", action=said, help=header)
    parser.add_argument("--labels", action=said, help="whether the first column holds labels (default: by the same rule)")


def _inspect(parser: argparse.ArgumentParser) -> None:
    what = "rows = true counts, columns = releases: CSV, TSV, or a table for Tau-Argus, SAS or cell-key-perturbation"
    parser.add_argument("path", metavar="TABLE", help=what)
    for option, metavar, text in (
        ("--epsilon", "E", "the epsilon at which delta is shown (default: ln 2)"),
        ("--delta", "D", "the delta at which epsilon is shown"),
        ("--n", "N", "the largest count, for tables that cover every count"),
        ("--releases", "K", "number of releases of the same count (default: 1)"),
        ("--group", "G", "size of the groups that are protected (default: 1)"),
        ("--sampling", "S", "share of people in the sample that was counted: 1/3, or 3 of 12"),
        ("--attacker", "WHO", "informed: knows everybody else (default); outsider: knows only the crowd"),
        ("--others", "PRIOR", "an outsider's prior of the count of the others (default: fair coins)"),
        ("--base-rate", "Q", "prior probability that the person is counted (default: 1/2)"),
        ("--false-alarms", "F", "false positive rate of the attacker (default: 1/100)"),
        ("--prior", "PRIOR", "prior of the readers (default: uniform)"),
        ("--loss", "LOSS", "loss of the readers (default: absolute)"),
        ("--released", "R", "the release for which intervals are shown"),
        ("--confidence", "C", "confidence of intervals and error bounds (default: 0.95)"),
    ):
        parser.add_argument(option, metavar=metavar, help=text)
    _headings(parser)
    mend = "add what each row lacks of 1 to its largest entry, and inspect the repaired table"
    parser.add_argument("--mend", action="store_const", const="largest", help=mend)


def _sample(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser)
    parser.add_argument("--count", metavar="I", help="the true result, for a count design")
    parser.add_argument("--draws", metavar="K", default="1", help="number of releases (default: 1)")


def _sweep(parser: argparse.ArgumentParser) -> None:
    what = "one design per row (columns name, n, epsilon, prior, loss, ...), a grid of values, or a project file"
    parser.add_argument("path", metavar="TABLE.csv|GRID.json|FILE.dpd", help=what)
    to = "the output folder; a sweep that was stopped there continues"
    parser.add_argument("--to", dest="folder", metavar="DIR", required=True, help=to)
    parser.add_argument("--formats", default="csv", help="a selection of csv,tsv,json,tex (default: csv)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="K", help="the number of processes (default: one, or one per processor if that is faster)"
    )
    where.add_argument("--cluster", metavar="ADDRESS", help="the address of a Dask scheduler, for example tcp://127.0.0.1:8786")
    parser.add_argument(
        "--timeout", metavar="SECONDS", help="how long to wait for the first worker of a cluster (default: no limit)"
    )


def _demo(parser: argparse.ArgumentParser) -> None:
    to = f"the folder to write to (default: {_DEMO_FOLDER})"
    parser.add_argument("--to", dest="folder", metavar="DIR", default=_DEMO_FOLDER, help=to)


class _Command(NamedTuple):
    """What it does; its function, whose parameters are called as the words of the command line are stored; and its options."""

    what: str
    function: str
    add_options: Callable[[argparse.ArgumentParser], None]


_SAMPLE = "release a count or a histogram exactly, with the system's entropy, or draw noise (real-valued noise is simulated)"
_SWEEP = "write the proved tables of many designs, with several processes or a cluster"
_COMMANDS = {
    "solve": _Command("show the answer: value, remap, epsilon, certificate", "solve:solve_command", _solve),
    "export": _Command("write mechanisms, noise and curves as tables and pictures", "export:export_command", _export),
    "report": _Command("write a report: summary, figures, tables, proof, inputs, versions", "report:report_command", _report),
    "share": _Command("write an interactive page: one HTML file that anybody can open", "share:share_command", _share),
    "inspect": _Command("show what a table of releases reveals, and how useful it is", "inspecting:inspect_command", _inspect),
    "verify": _Command("check any mechanism table exactly", "verify:verify_command", _verify),
    "sample": _Command(_SAMPLE, "solve:sample_command", _sample),
    "sweep": _Command(_SWEEP, "sweep:sweep_command", _sweep),
    "demo": _Command("solve, write and draw the example of the founding paper", "export:demo_command", _demo),
}
