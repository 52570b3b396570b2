"""A mechanism as a program that releases without this one: Python's standard library, OpenDP, R.

The programs are templates below ``code`` among the resources. Python's is exact. OpenDP's is its own geometric mechanism where
that is what the mechanism is, or else a measurement that runs Python's. R's simulates, since R has no generator for secrets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpdesigner import resources
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.mechanism.remapped_geometric import RemappedGeometric
from dpdesigner.core.numbers.parsing import cut, double
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.files.export.formatting import remap_runs
from dpdesigner.files.tables.table import decimal_table
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.noise.answer import NoiseAnswer

#: Above these a program would be mostly numbers.
_LARGEST_TABLE_N, _MOST_RUNS = 200, 100_000
_LONGEST_LINE = 110


def count_program(language: str, mechanism: Mechanism, line: str) -> str:
    """Return a program that releases a count.

    Parameters
    ----------
    language : {"py", "opendp", "r"}
    mechanism : Mechanism
    line : str
        What it was made for.

    Raises
    ------
    InputError
        If there is no privacy to speak of, or the program would be mostly numbers.
    """
    if isinstance(mechanism, RemappedGeometric):
        return _geometric(language, mechanism, cut(line, _LONGEST_LINE))
    return table_program(language, mechanism, cut(line, _LONGEST_LINE))


def _geometric(language: str, mechanism: RemappedGeometric, line: str) -> str:
    privacy, runs = mechanism.privacy, remap_runs(mechanism.remap)
    if len(runs) > _MOST_RUNS:
        raise InputError(f"a program can contain a remap with at most {_MOST_RUNS} runs, got {len(runs)}.", "format")
    epsilon = privacy.exact_epsilon
    if privacy.exact_alpha == 0 or privacy.exact_alpha == 1:
        raise InputError("a program needs an epsilon above 0 and finite, got an alpha of 0 or 1.", "epsilon")
    values = {
        "line": line,
        "n": mechanism.n,
        "words": privacy.description,
        "runs": [(run.first, run.read, run.step) for run in runs],
        "alpha": None if epsilon is not None else privacy.exact_alpha,
        "epsilon": epsilon,
        "alpha_double": repr(privacy.alpha),
        "scale": repr(_scale(privacy)),
    }
    return _rendered(f"geometric.{language}.j2", values)


def table_program(language: str, mechanism: Mechanism, line: str) -> str:
    """Return a program that releases from the very table that is exported; parameters as `count_program`."""
    if mechanism.n > _LARGEST_TABLE_N:
        raise InputError(f"a program can contain a table for n of at most {_LARGEST_TABLE_N}, got {mechanism.n}.", "n")
    table = decimal_table(mechanism)
    rows = [_whole_numbers([Fraction(entry) for entry in row]) for row in table.rows]
    doubles = [[repr(float(entry)) for entry in row] for row in table.rows]
    if table.delta and language == "opendp":
        raise InputError("OpenDP's measure of a count is pure epsilon; with delta, write a program in Python or R.", "format")
    words = f"{table.epsilon!r}{f' and delta = {float(table.delta)!r}' if table.delta else ''}"
    values = {"line": line, "words": words, "rows": rows, "doubles": doubles}
    if language != "opendp":
        return _rendered(f"table.{language}.j2", values)
    inner = _rendered("table.py.j2", values)
    # Clamped, since any integer is in the domain: an error would tell that the count is no true result.
    return _measurement(inner, f"lambda count: release(min(max(count, 0), {mechanism.n}))", repr(table.epsilon), 1)


def noise_program(language: str, outcome: NoiseAnswer, sampler: str, line: str) -> str:
    """Return a program that draws noise.

    Parameters
    ----------
    language : {"py", "opendp", "r"}
    outcome : NoiseAnswer
    sampler : str
        The program in Python.
    line : str
        What it was made for.

    Raises
    ------
    InputError
        If OpenDP is asked for noise that must not be released.
    """
    design = outcome.design
    if language == "py":
        return sampler
    if language == "opendp":
        if outcome.split is None:
            raise InputError("an OpenDP measurement is written only for integer noise; real noise is for simulation.", "format")
        function = f"lambda answer: min(max(answer + draw(), {-(2**31)}), {2**31 - 1})"  # what OpenDP's integers can hold
        return _measurement(sampler, function, repr(design.privacy.epsilon_above), int(double(design.sensitivity)))
    values = {
        "line": cut(line, _LONGEST_LINE),
        "words": design.privacy.description,
        "epsilon_double": repr(design.privacy.epsilon),
        "sensitivity": repr(double(design.sensitivity)),
        "split": outcome.split,
        "gamma": repr(outcome.gamma or 1.0),
    }
    return _rendered("staircase.r.j2", values)


def choice_program(language: str, outcome: ChoiceAnswer, line: str) -> str:
    """Return a program that chooses an option by utilities it is given: the design's own are not in it.

    Parameters
    ----------
    language : {"py", "opendp", "r"}
    outcome : ChoiceAnswer
    line : str
        What it was made for.

    Raises
    ------
    InputError
        If there is no such program for the rule drawn.
    """
    rule, design = outcome.rule, outcome.design
    if rule.noise == "laplace" or rule.steps is not None or rule.task.base is not None:
        raise InputError("programs are written for permute-and-flip and the exponential mechanism among options.", "format")
    flip = rule.noise == "exponential"
    if language == "opendp" and not flip:
        known = "permute-and-flip in Python, for OpenDP and in R, the exponential mechanism in Python and R"
        raise InputError(f"programs for a choice are available for {known}.", "format")
    scale = double(1 / rule.drawn_rate)
    while Fraction(scale) * rule.drawn_rate < 1:
        scale = math.nextafter(scale, math.inf)
    values = {
        "line": cut(line, _LONGEST_LINE),
        "words": design.privacy.description,
        "rule": rule.title.lower(),
        "rate": rule.drawn_rate,
        "rate_double": repr(double(rule.drawn_rate)),
        "flip": flip,
        "scale": repr(scale),
        "monotone": design.monotone,
        "delta": repr(double(design.exact_sensitivity)),
        "example": "[3, 1, 0]",
        "example_double": "[3.0, 1.0, 0.0]",
    }
    return _rendered(f"choice.{language}.j2", values)


def _measurement(program: str, function: str, epsilon: str, sensitivity: int) -> str:
    """A Python program whose function is a measurement of OpenDP; the distance counts in steps of the sensitivity, rounded up."""
    body, _, _ = program.partition('\n\nif __name__ == "__main__":')
    distances = "distance" if sensitivity == 1 else f"-(-distance // {sensitivity})"
    values = {"program": body, "function": function, "epsilon": epsilon, "distances": distances, "sensitivity": sensitivity}
    return _rendered("measurement.j2", values)


def _scale(privacy: PrivacyLevel) -> float:
    """The scale of OpenDP's noise, 1 / epsilon rounded up, so that it is no less private than was asked."""
    scale = 1 / privacy.epsilon
    least = privacy.exact_epsilon or Fraction(privacy.epsilon)
    while Fraction(scale) * least < 1:
        scale = math.nextafter(scale, math.inf)
    return scale


def _whole_numbers(row: list[Fraction]) -> list[int]:
    common = math.lcm(*(entry.denominator for entry in row))
    return [entry.numerator * (common // entry.denominator) for entry in row]


def _rendered(name: str, values: Mapping[str, Any]) -> str:
    return resources.templates("code", keep_trailing_newline=True, autoescape=False).get_template(name).render(**values)
