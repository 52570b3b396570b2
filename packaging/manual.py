"""Writes the manual page of the command line from its parser.

``python3 packaging/manual.py`` in the environment of the program.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "linux" / "dpdesigner.1"

_DESCRIPTION = """Without a command it opens a window for designing a mechanism. Draw your prior for a count, choose the cost of
an error and set the privacy level; the window shows the best mechanism with its proof. Without a display it solves the file, or
the example of the founding paper, and writes its tables."""
_EXAMPLES = (
    ("dpdesigner new count --n 10 --epsilon 1 --prior binomial:0.3 > a.dpd", "write a design"),
    ("dpdesigner solve a.dpd", "show the best mechanism for it"),
    ("dpdesigner export a.dpd --to tables --formats csv,py", "write its proved table and a program"),
    ("dpdesigner verify tables/a.csv --epsilon 1", "check any table exactly"),
    ('eval "$(register-python-argcomplete dpdesigner)"', "complete commands and options in the shell; needs argcomplete"),
)


def page() -> str:
    """Return the manual page."""
    from dpdesigner.cli.commands import ABOUT, parser_of
    from dpdesigner.cli.streams import STATUS

    parser = parser_of()
    about = ABOUT[:1].lower() + ABOUT[1:].rstrip(".")
    lines = [
        ".TH DPDESIGNER 1",
        ".SH NAME",
        f"dpdesigner \\- {_plain(about)}",
        ".SH SYNOPSIS",
        ".B dpdesigner",
        ".RI [ \\-\\-reset ]",
        ".RI [ FILE.dpd ]",
        ".br",
        ".B dpdesigner",
        ".I COMMAND",
        "\\&...",
        ".SH DESCRIPTION",
        _text(_DESCRIPTION),
        ".SH OPTIONS",
        *_options(parser),
        ".SH COMMANDS",
    ]
    for name, command in _commands(parser).items():
        lines += [f".SS dpdesigner {_plain(name)} {_plain(_positionals(command))}".rstrip(), _text(command.description or "")]
        lines += _options(command)
        for kind, made in _commands(command).items():
            lines += [f".SS dpdesigner {_plain(name)} {_plain(kind)}", _text(made.description or ""), *_options(made)]
    lines += [".SH EXAMPLES"]
    for line, what in _EXAMPLES:
        lines += [".TP", f".B {_plain(line)}", _text(what)]
    lines += [".SH EXIT STATUS", _text(STATUS.removeprefix("Exit status: "))]
    lines += [".SH ENVIRONMENT", ".TP", ".B DPDESIGNER_LOG", _text("info shows harmless failures on standard error.")]
    return "\n".join(lines) + "\n"


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


def _positionals(parser: argparse.ArgumentParser) -> str:
    actions = [each for each in parser._actions if not each.option_strings]
    return " ".join(f"{each.metavar or each.dest}{' ...' if each.nargs == '+' else ''}" for each in actions)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        value = f" {action.metavar}" if action.option_strings and action.metavar and action.nargs != 0 else ""
        yield ".TP"
        yield f".B {_plain(names)}{_plain(value)}"
        yield _text((action.help or "").replace("%%", "%"))


def _text(words: str) -> str:
    text = _plain(" ".join(words.split()))
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _plain(words: str) -> str:
    """Escape what troff would read as its own, and write other letters by their names."""
    text = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "".join(mark if mark.isascii() else f"\\[u{ord(mark):04X}]" for mark in text)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(PAGE)
    sys.exit(0)
