"""What all parsers of the command line have in common: errors of one sentence, and the options of every command."""

from __future__ import annotations

import argparse
from typing import NoReturn

from dpdesigner.cli import streams
from dpdesigner.core.numbers.parsing import cut

_LONGEST = 300  # characters of what argparse says
STATUS = "Exit status: 0 success, 1 a check failed, 2 invalid input or failure (one sentence explains it), 130 stopped by Ctrl+C."


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and leave with status 2."""
        streams.warn(f"{self.prog}: {cut(message, _LONGEST)}; see {self.prog} --help.")
        raise SystemExit(2)


def add_common(parser: argparse.ArgumentParser, prints: bool) -> None:
    """Add the options that every command has."""
    parser.add_argument("--json", action="store_true", help="write JSON to standard output")
    quiet = "no progress and no warnings" if prints else "no output, progress or warnings; only errors"
    parser.add_argument("-q", "--quiet", action="store_true", help=quiet)
