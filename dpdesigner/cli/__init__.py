"""The command line: parses arguments, runs one command, prints its report, and reports every error in one sentence.

May know: errors, messages, display, dpdesigner, core, data, studies, files, notebook, desktop.
Begin with: commands, then solve.

Qt is imported only when a window is asked for (or a picture), and not before it is known that there is a display.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dpdesigner import __version__
from dpdesigner.cli import streams
from dpdesigner.cli.commands import ABOUT, COMMANDS, USAGE, complete, parser_of
from dpdesigner.cli.streams import Parser
from dpdesigner.core.basics.parsing import cut
from dpdesigner.display import has_display, remedy, window_lacks, without_qt
from dpdesigner.errors import DpDesignerError, InputError, ProofError, reason
from dpdesigner.studies.registry import load

if TYPE_CHECKING:
    from dpdesigner.cli.output import Output

_WINDOW = (
    "There is no display, so this was done without a window. To open the window, run dpdesigner in a desktop session, "
    "over ssh -X, or with DISPLAY or WAYLAND_DISPLAY set."
)


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
    # Matrix products here are too small to gain from threads, which only wait for one another on a busy machine.
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
        return 141 if isinstance(error, BrokenPipeError) else _refuse(error, 2)  # 141: the reader closed the pipe
    except KeyboardInterrupt:
        return _refuse(InputError("stopped."), 130)


def _log_as_asked(level: str) -> None:
    """Log ignored problems, for example a temporary file that could not be removed, if the environment requests it."""
    if not level:
        return
    import logging

    levels = ("debug", "info", "warning", "error")
    if level.lower() not in levels:
        raise InputError(f"DPDESIGNER_LOG must be one of {', '.join(levels)}, got {cut(level)}.")
    logging.basicConfig(format="dpdesigner: %(message)s")
    logging.getLogger("dpdesigner").setLevel(level.upper())


def _run(words: list[str], when_imported: Callable[[], object]) -> int:
    if "_ARGCOMPLETE" in os.environ:
        complete(parser_of(os.environ.get("COMP_LINE", "").split()[1:]))
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if not words or (words[0] not in COMMANDS and not {"-h", "--help"} & set(words)):
        return _window(words, when_imported)
    given = vars(parser_of(words).parse_args(words))
    command, as_json, _ = (given.pop(key) for key in ("command", "json", "reset"))
    streams.be_quiet(given.pop("quiet"))
    run = load(f"dpdesigner.cli.{COMMANDS[command].function}")
    when_imported()
    return _print(run(**given), as_json, COMMANDS[command].prints)


def _print(report: Output, as_json: bool, prints: bool = False) -> int:
    quiet = streams.is_quiet()
    if report.content is not None:
        streams.write(report.content)
    elif as_json:
        streams.say_json(report.data)
    elif prints or not quiet:
        streams.say(report.lines)
    for warning in report.warnings if report.status or not quiet else ():
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
    parser = Parser("dpdesigner", usage=USAGE, description=ABOUT)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--reset", action="store_true")
    parser.add_argument("-V", "--version", action="version", version=f"dpdesigner {__version__}")
    given = parser.parse_args(words)
    if len(given.files) > 1:
        parser.error(f"give one FILE.dpd or a command of {', '.join(COMMANDS)}, got {cut(' '.join(given.files))}")
    file = next(iter(given.files), None)
    if not has_display():
        return _without_window(file, _WINDOW, when_imported)
    if missing := window_lacks():
        return _without_window(file, f"The window cannot be opened: {remedy(missing)}", when_imported)
    gc.disable()  # objects made at startup stay alive: scanning them again and again takes a twentieth of the startup time
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
    folder = tempfile.mkdtemp(prefix="dpdesigner-")  # the working directory is written to only on request
    status = _print(demo_command(folder, file), as_json=False)
    streams.say(["", "The files are in a temporary folder; dpdesigner demo --to DIR writes the example to another one.", reason])
    return status
