"""``dpdesigner new``: a new design of any kind, with options derived from its declared inputs."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dpdesigner.cli.output import Output
from dpdesigner.cli.streams import STATUS, add_common
from dpdesigner.core.basics.parsing import cut
from dpdesigner.errors import InputError, with_article
from dpdesigner.files.project import Project, dumps_project
from dpdesigner.notebook.sweep_tables import value_of
from dpdesigner.studies.base import DeclaredDesign
from dpdesigner.studies.column_inputs import ColumnInput
from dpdesigner.studies.exhibits.listing import exhibit_class
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.input_kinds import ChoiceInput
from dpdesigner.studies.registry import ENTRIES, LOOKING, entry

_LEVEL = ("epsilon", "alpha")
_INSTEAD = ("privacy", "aim")  # inputs that replace a level
#: Help texts that are clearer than the docstrings.
_WORDS = {
    ("count", "prior"): "uniform (default), binomial:0.3, weights like '1 2 1', or FILE.csv#COLUMN",
    ("count", "loss"): "absolute (default), squared, zero-one, power:1.5, threshold:2, pinball:0.9, or expression:abs(i-r)",
    ("count", "aim"): 'instead of epsilon, the risk to allow: \'["bet", "2/3"]\' or \'["advantage", 0.2]\'',
    ("count", "privacy"): "instead of epsilon: gaussian:1, or pairs of epsilon and delta: '[[1, 0.1], [2, 0.01]]'",
    ("choice", "utilities"): "the utility of each option, '[3, 4, 1]', or a table with one row per database",
    ("choice", "names"): """the options' names, '["red", "blue"]'""",
    ("choice", "sensitivity"): "the largest difference between utilities of neighbouring databases (default: 1)",
    ("choice", "neighbours"): "the neighbouring databases: any, joins, changes, next, all, or pairs of rows",
    (
        "choice",
        "rule",
    ): "permute-and-flip (default), exponential, noisy-max-laplace, noisy-max-gumbel, noisy-max-exponential, staircase",
}
_LEVEL_WORDS = {
    "epsilon": "the privacy level, for example 1 or ln2",
    "alpha": "instead of epsilon: alpha = exp(-epsilon), for example 1/2",
}
#: Inputs without an option: --privacy gives further levels, and a prior from a file knows its source.
_NOT_OPTIONS = {"further", "prior_source"}


class Option(NamedTuple):
    """One option of a kind: its key in the JSON object, and its help text."""

    key: str
    text: str


def new_command(kind: str, given: dict[str, str]) -> Output:
    """Create a project file with one new design.

    Parameters
    ----------
    kind : str
    given : dict of str
        The inputs that were given, as texts under their JSON keys.

    Returns
    -------
    Output
        The file is what is printed.

    Raises
    ------
    InputError
        If an input is missing or cannot be used.
    """
    study_class = entry(kind).study_class()
    keys = [option.key for option in options_of(study_class)]
    if kind not in LOOKING and "epsilon" in keys and not given.keys() & {*_LEVEL, *_INSTEAD}:
        levels = {key for each in study_class.inputs() if each.key in ("privacy", "epsilon") for key in each.input.keys(each.key)}
        ways = " or ".join(f"--{key}" for key in _LEVEL if key in levels)
        raise InputError(f"{with_article(kind)} design needs a privacy level: give {ways}.", "epsilon")
    columns = _columns(study_class)
    values = {key: _column(text) if key in columns else value_of(key, text, Path()) for key, text in given.items()}
    design = study_class.from_json({"kind": kind, **values})
    text = dumps_project(Project((design,)))
    return Output([text], None, content=text)


def _columns(study_class: type[DeclaredDesign]) -> set[str]:
    """Return the inputs that are columns of files."""
    return {each.key for each in study_class.inputs() if isinstance(each.input, ColumnInput)}


def _column(text: str) -> Any:
    """Return a column as ``FILE.csv#COLUMN``, or as JSON."""
    if text.lstrip().startswith(("[", "{")):
        return value_of("column", text, Path())
    path, _, column = text.partition("#")
    return {"path": path, "column": column}


def add_kinds(parser: argparse.ArgumentParser, words: Sequence[str] | None) -> None:
    """Add one command for each kind, with its inputs as options.

    Parameters
    ----------
    parser : ArgumentParser
        Of ``dpdesigner new``.
    words : sequence of str or None
        The command line: only the kind that it names gets its options, so that the others are not imported. None: all do.
    """
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", title="kinds", required=True)
    parser.description = f"{(parser.description or '').removesuffix('.')}. Each kind has options for its inputs."
    for known in ENTRIES:
        named = words is None or known.kind in words
        what = f"Write a new design of the kind “{known.title}”."
        command = kinds.add_parser(known.kind, help=known.title, description=what, epilog=STATUS)
        command.set_defaults(given={})
        if not named:
            continue
        study_class = known.study_class()
        if known.kind == "exhibit":
            command.add_argument("--exhibit", metavar="NAME", action=_Given, help="its name, for example grs/figure-1")
            if words and (name := _after("--exhibit", words)):
                study_class = _exhibit(command, name)
        command.add_argument("--name", metavar="TEXT", action=_Given, help="the name of the design")
        for option in options_of(study_class):
            flag = f"--{option.key.replace('_', '-')}"
            command.add_argument(flag, dest=option.key, metavar="VALUE", action=_Given, help=option.text.replace("%", "%%"))
        add_common(command, prints=True)


class _Given(argparse.Action):
    """An action that collects option values in one dictionary, by JSON key."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, default=argparse.SUPPRESS, **more)

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: Any = None) -> None:
        namespace.given = {**namespace.given, self.dest: values}


def options_of(study_class: type[DeclaredDesign]) -> list[Option]:
    """Return the options of a class of designs: its inputs, with what its docstring says of each, or their labels."""
    described, options = _described(study_class), {}
    for each in study_class.inputs():
        for key in each.input.keys(each.key):
            level = _LEVEL_WORDS.get(key) if each.key in ("privacy", "epsilon") else None
            options[key] = level or _with_forms(each, described.get(key, f"{each.label[:1].lower()}{each.label[1:]}"))
    options |= {key: described.get(key, key) for key in study_class.also}
    words = {key: _WORDS.get((study_class.kind, key), text) for key, text in options.items() if key not in _NOT_OPTIONS}
    return [Option(key, text) for key, text in words.items()]


def _with_forms(each: DeclaredInput, words: str) -> str:
    """Return what is said of an input with the way in which it is written, if there are few and they are not named yet."""
    if isinstance(each.input, ColumnInput):
        return words if "FILE.csv" in words else f"{words}: FILE.csv#COLUMN"
    forms = [value for value, _ in each.input.options] if isinstance(each.input, ChoiceInput) else []
    return words if all(form in words for form in forms) else f"{words}: {', '.join(forms)}"


def _described(study_class: type[DeclaredDesign]) -> dict[str, str]:
    """Return the start of what a docstring says of each parameter."""
    described: dict[str, str] = {}
    for names, text in re.findall(r"^(\w+(?:, \w+)*) : .*\n((?: {4}.*\n?)+)", inspect.getdoc(study_class) or "", re.MULTILINE):
        words = " ".join(text.split())
        first = re.sub(r" \(see [^)]*\)|`", "", re.split(r"(?<=[.;])\s", words)[0].rstrip(".;"))
        described |= dict.fromkeys(names.split(", "), f"{first[:1].lower()}{first[1:]}")
    return described


def _after(option: str, words: Sequence[str]) -> str:
    """Return the value of an option on the command line, wherever it appears."""
    for place, word in enumerate(words):
        if word == option and place + 1 < len(words):
            return words[place + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return ""


def _exhibit(parser: argparse.ArgumentParser, name: str) -> Any:
    try:
        return exhibit_class(name)
    except InputError as error:
        parser.error(cut(str(error), 200).rstrip("."))
