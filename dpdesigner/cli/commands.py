"""The commands and their options, and the parser built from them, which the manual page and shell completion also use."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dpdesigner import __version__
from dpdesigner.cli.streams import STATUS, Parser, add_common

DEMO_FOLDER = "dpdesigner-demo"
ABOUT = "Design differentially private mechanisms by pointing and drawing."
USAGE = (
    "dpdesigner [--reset] [FILE.dpd]     open the window (the example gallery when no file is given)\n       "
    "dpdesigner COMMAND ...              run one command without a window; for its options: dpdesigner COMMAND "
    "--help"
)
_FILE = "a project file; - is standard input"
_BARE = "leave out a prior counted from data, and all numbers computed from it"


def parser_of(words: Sequence[str] | None = None) -> Parser:
    """Return the parser of all commands.

    Parameters
    ----------
    words : sequence of str, optional
        The command line: then only the kind of design that it names has options for its inputs, and kinds only if it names
        the command that makes one. Without it every kind does.
    """
    parser = Parser("dpdesigner", usage=USAGE, description=ABOUT)
    parser.add_argument("--reset", action="store_true", help="reset the window to its initial layout")
    parser.add_argument("-V", "--version", action="version", version=f"dpdesigner {__version__}", help="show the version")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND", prog="dpdesigner", required=True)
    for name, known in COMMANDS.items():
        command = commands.add_parser(name, help=known.what, description=_sentence(known.what), epilog=STATUS)
        if name == "new" and words is not None and name not in words:
            continue
        if name == "new":
            from dpdesigner.cli.new import add_kinds  # imported late: it imports the kinds of designs

            add_kinds(command, None if words is None else list(words))
            continue
        known.add_options(command)
        add_common(command, known.prints)
    return parser


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer a shell completion request if argcomplete is installed; in that case, do not return."""
    try:
        from argcomplete import autocomplete
    except ImportError:
        return
    autocomplete(parser)


def _sentence(what: str) -> str:
    return f"{what[:1].upper()}{what[1:]}."


def _file_and_design(parser: argparse.ArgumentParser, *, real_errors: bool = False, several: bool = False) -> None:
    if several:
        parser.add_argument("paths", metavar="FILE.dpd", nargs="+", help="project files; - is standard input")
    else:
        parser.add_argument("path", metavar="FILE.dpd", help=_FILE)
    which = "one of several designs, by name or by number from 1 (default: all; sample needs one)"
    parser.add_argument("--design", "--study", dest="which", metavar="NAME|NUMBER", help=which)
    if real_errors:
        real = "also show the measured error of synthetic data, which is not private"
        parser.add_argument("--real-errors", action="store_true", help=real)


def _solve(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True, several=True)
    parser.add_argument("--exact", action="store_true", help="use rational arithmetic")


def _export(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    where = "the output folder; files with the same names are replaced; - writes a single file to standard output"
    parser.add_argument("--to", dest="folder", metavar="DIR", required=True, help=where)
    parser.add_argument("--formats", default="csv", help="a selection of csv,tsv,json,tex,py,opendp,r,png,svg,pdf (default: csv)")
    parser.add_argument("--exact", action="store_true", help="solve in rational arithmetic")
    parser.add_argument("--fractions", action="store_true", help="write fractions, with exactly the requested privacy")
    parser.add_argument("--leave-out-prior", dest="bare", action="store_true", help=_BARE)


def _report(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser, real_errors=True)
    where = "a .html or .pdf file, a folder for both, or - for HTML on standard output; may be repeated; replaces files"
    parser.add_argument("--to", metavar="REPORT", action="append", required=True, help=where)
    parser.add_argument("--leave-out-prior", dest="bare", action="store_true", help=_BARE)


def _share(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser)
    parser.add_argument(
        "--to", metavar="PAGE.html", required=True, help="the file to write, replaced if it exists; - is standard output"
    )


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="TABLE.csv", help="rows = true result, columns = released result; - is standard input")
    level = parser.add_mutually_exclusive_group()
    level.add_argument("--epsilon", metavar="E", help="the required privacy level, for example 0.5 or ln2")
    level.add_argument("--alpha", metavar="A", help="the same as alpha = exp(-epsilon), for example 1/2")
    _headings(parser)
    parser.add_argument("--design", metavar="FILE.dpd", help="also show the gap between the table and the optimum of this design")
    parser.add_argument("--study", metavar="NAME|NUMBER", help="one of several designs in that file, by name or by number from 1")
    parser.add_argument("--profile", action="store_true", help="also show the disclosure risk, like dpdesigner inspect")
    parser.add_argument("--readers", metavar="READERS.csv", help="check the targets of readers: name,prior,loss,weight,target")
    parser.add_argument("--delta", metavar="D", help="the required delta at that epsilon; includes the output of --profile")


def _headings(parser: argparse.ArgumentParser) -> None:
    said = argparse.BooleanOptionalAction
    header = "whether the first line is a header (default: yes if export wrote it or it contains no digit)"
    parser.add_argument("--header", action=said, help=header)
    parser.add_argument("--labels", action=said, help="whether the first column holds labels (default: by the same rule)")


def _inspect(parser: argparse.ArgumentParser) -> None:
    what = "rows = true counts, columns = releases: CSV, TSV, or for Tau-Argus, SAS or cell-key-perturbation; - is standard input"
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
    mend = "add the missing probability of each row to its largest entry, and inspect the repaired table"
    parser.add_argument("--mend", action="store_const", const="largest", help=mend)


def _sample(parser: argparse.ArgumentParser) -> None:
    _file_and_design(parser)
    parser.add_argument("--count", metavar="I", help="the true result, for a count design")
    parser.add_argument("--draws", metavar="K", default="1", help="number of releases (default: 1)")


def _sweep(parser: argparse.ArgumentParser) -> None:
    what = "one design per row (columns name, n, epsilon, prior, loss, ...; - is standard input), a grid of values, or a project"
    parser.add_argument("path", metavar="TABLE.csv|GRID.json|FILE.dpd", help=what)
    to = "the output folder; a sweep that was stopped there continues; - writes the long table to standard output"
    parser.add_argument("--to", dest="folder", metavar="DIR", required=True, help=to)
    formats = "the files of each design, a selection of csv,tsv,json,tex (default: csv, or none with --table)"
    parser.add_argument("--formats", help=formats)
    long = "one long table of all designs: name, true result, released result, probability; .csv or .parquet"
    parser.add_argument("--table", metavar="LONG.csv|LONG.parquet", help=long)
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="K", help="the number of processes (default: one, or one per processor if that is faster)"
    )
    where.add_argument("--cluster", metavar="ADDRESS", help="the address of a Dask scheduler, tcp://HOST:PORT")
    parser.add_argument(
        "--timeout", metavar="SECONDS", help="how long to wait for the first worker of a cluster (default: no limit)"
    )


def _demo(parser: argparse.ArgumentParser) -> None:
    to = f"the folder to write to (default: {DEMO_FOLDER})"
    parser.add_argument("--to", dest="folder", metavar="DIR", default=DEMO_FOLDER, help=to)


class Command(NamedTuple):
    """One command.

    Attributes
    ----------
    what : str
    function : str
        Its function, below ``dpdesigner.cli``, whose parameters are called as the words of the command line are stored.
    add_options : callable
    prints : bool
        Whether its result is what it prints, and not files or the exit status: ``--quiet`` leaves that.
    """

    what: str
    function: str
    add_options: Callable[[argparse.ArgumentParser], None]
    prints: bool = False


def _new(parser: argparse.ArgumentParser) -> None:
    """Add no options: `dpdesigner.cli.new.add_kinds` adds them."""


_SAMPLE = "release a count or a histogram exactly, with the system's entropy, or draw noise (real-valued noise is simulated)"
_SWEEP = "write the proved tables of many designs, with several processes or a cluster"
COMMANDS = {
    "new": Command("write a new design to standard output, as a project file", "new:new_command", _new, prints=True),
    "solve": Command("show the answer: value, remap, epsilon, certificate", "solve:solve_command", _solve, prints=True),
    "export": Command("write mechanisms, noise and curves as tables and pictures", "export:export_command", _export),
    "report": Command("write a report: summary, figures, tables, proof, inputs, versions", "export:report_command", _report),
    "share": Command("write an interactive page: one HTML file that opens in any browser", "export:share_command", _share),
    "inspect": Command("show how private and how useful a table of releases is", "verify:inspect_command", _inspect, prints=True),
    "verify": Command("check any mechanism table exactly", "verify:verify_command", _verify),
    "sample": Command(_SAMPLE, "solve:sample_command", _sample, prints=True),
    "sweep": Command(_SWEEP, "sweep:sweep_command", _sweep),
    "demo": Command("solve, write and draw the example of the founding paper", "export:demo_command", _demo),
}
