"""Programs that release without dpdesigner, in standard-library Python, OpenDP or R, and a test of each.

The programs are templates below ``code`` among the resources. Python's is exact. OpenDP's is its own geometric mechanism where
that is what the mechanism is, or else a measurement that runs Python's. R's simulates, since R has no generator for secrets.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from textwrap import wrap
from typing import Any, NamedTuple

from dpdesigner import resources
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import cut, double
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.noise_cost import decimals_of
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.errors import InputError
from dpdesigner.files.tables import decimal_table
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer
from dpdesigner.studies.plain_language import remap_runs

#: Above these a program would be mostly numbers.
_LARGEST_TABLE_N, _MOST_RUNS = 200, 100_000
_QUICK_N = 500
_LONGEST_LINE = 110
_WIDEST = 88  # characters per line of Python, as in its formatters
_DRAWS = 4000  # draws per test; outcomes expected fewer than five times are not counted
_RAREST = 5 / _DRAWS
_INTEGERS = -(2**31), 2**31 - 1  # the range of OpenDP's integers
_MOST_PLACES = 5000
_EXAMPLE = (3, 1, 0)  # utilities, to try a program that chooses


class Program(NamedTuple):
    """A program and the values that its test needs.

    Attributes
    ----------
    text : str
    expected : sequence of (value, probability)
        What `call` returns, where that is not rare; empty where it is not tested.
    call : str
        What is called in the test, below the module.
    refused : str
        A list of arguments that ``release`` refuses, in Python; empty where there are none.
    bound : (str, str) or None
        What OpenDP says of the privacy loss, and what that is not above.
    """

    text: str
    expected: Sequence[tuple[int, float]] = ()
    call: str = ""
    refused: str = ""
    bound: tuple[str, str] | None = None


def heading(line: str, inputs: Mapping[str, Any]) -> str:
    """Return a program's header: its purpose, the version that wrote it, and the checksum of the public inputs, if any."""
    text = json.dumps(inputs, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    checksum = f" Inputs: SHA-256 {hashlib.sha256(text.encode()).hexdigest()}" if inputs else ""
    return f"# {cut(line, _LONGEST_LINE)}\n# Made by dpdesigner {sys.modules['dpdesigner'].__version__}.{checksum}"


def _with_words(head: str, words: str) -> str:
    """Return a header that says more: the reason for a sensitivity, how an answer becomes whole steps, or the cells."""
    return "\n".join((head, *(f"# {line}" for line in wrap(cut(words, 600), _LONGEST_LINE))))


def test_program(head: str, file: str, made: Program) -> str:
    """Return a pytest file that tests the program in the same folder; empty if there is nothing to test.

    Parameters
    ----------
    head : str
        As for `count_program`.
    file : str
        The name of the program's file.
    made : Program
    """
    if not made.expected and made.bound is None:
        return ""
    from scipy.stats import chi2  # late: the import takes longer than most of this program

    values = {
        "file": file,
        "expected": [(value, repr(float(probability))) for value, probability in made.expected],
        "limit": math.ceil(float(chi2.isf(1e-6, max(len(made.expected), 1)))),
        "call": made.call,
        "refused": made.refused,
        "map": "" if made.bound is None else made.bound[0],
        "epsilon_most": "" if made.bound is None else made.bound[1],
    }
    return _rendered("test.py.j2", head, values)


test_program.__test__ = False  # type: ignore[attr-defined]  # for pytest, which would take it for a test


def count_program(language: str, mechanism: Mechanism, head: str) -> Program:
    """Return a program that releases a count.

    Parameters
    ----------
    language : {"py", "opendp", "r"}
    mechanism : Mechanism
    head : str
        Its first lines; see `heading`.

    Raises
    ------
    InputError
        If there is no privacy to speak of, or the program would be mostly numbers.
    """
    if isinstance(mechanism, RemappedGeometric):
        return _geometric(language, mechanism, head)
    return table_program(language, mechanism, head)


def _geometric(language: str, mechanism: RemappedGeometric, head: str) -> Program:
    privacy, runs = mechanism.privacy, remap_runs(mechanism.remap)
    if len(runs) > _MOST_RUNS:
        raise InputError(f"a program can contain a remap with at most {_MOST_RUNS} runs, got {len(runs)}.", "format")
    values = {
        **_level(privacy),
        "n": mechanism.n,
        "words": privacy.description,
        "runs": [(run.first, run.read, run.step) for run in runs],
        "scale": repr(_scale(privacy)),
    }
    bound = ("measurement.map(1)", repr(_nearest(privacy))) if language == "opendp" else None
    return _of_count(_rendered(f"geometric.{language}.j2", head, values), language, mechanism, bound)


def audience_program(
    levels: Mapping[str, PrivacyLevel], readings: Mapping[str, Mapping[str, Sequence[Sequence[tuple[str, Fraction]]]]], head: str
) -> Program:
    """Return a Python program that releases a count once and applies the remap of each reader.

    Parameters
    ----------
    levels : mapping of str to PrivacyLevel
        By their titles, most precise first; each is drawn from the one before, exactly for an alpha rounded up by 1e-70.
    readings : mapping of str to mapping of str to sequence of sequences of (str, Fraction)
        By the titles of levels and the names of readers, for each output 0..n the readings and their probabilities.
    head : str
        As for `count_program`.

    Raises
    ------
    InputError
        If there is no privacy to speak of, or the program would be mostly numbers.
    """
    (first, *_), (*_, last) = levels.values(), levels.values()
    n = len(next(iter(readings[next(iter(levels))].values()))) - 1
    if n > _LARGEST_TABLE_N:
        raise InputError(f"a program can contain remaps for n of at most {_LARGEST_TABLE_N}, got {n}.", "n")
    if 0 in (alphas := [level.exact_alpha for level in levels.values()]) or 1 in alphas:
        raise InputError("a program needs an epsilon above 0 and finite, got an alpha of 0 or 1.", "epsilon")
    weighted = {
        title: {
            name: [list(zip((text for text, _ in row), _whole_numbers([share for _, share in row]), strict=True)) for row in rows]
            for name, rows in each.items()
        }
        for title, each in readings.items()
    }
    several = {title: str(level.alpha_above) for title, level in levels.items()} if len(levels) > 1 else {}
    values = {
        "n": n,
        "words": first.description,
        "levels": several,
        "readings": weighted if several else weighted[next(iter(levels))],
    }
    first = PrivacyLevel.from_alpha(first.alpha_above) if several else first
    text = _rendered("audience.py.j2", head, {**values, **_level(first)})
    made = _of_count(text, "py", RemappedGeometric(last, n, range(n + 1)), None)
    return made._replace(call=f"{made.call}[{[*levels][-1]!r}]") if several else made


def _of_count(text: str, language: str, mechanism: Mechanism, bound: tuple[str, str] | None) -> Program:
    middle = mechanism.n // 2
    expected = _frequent(enumerate(mechanism.row(middle).tolist()))
    if language == "opendp":  # its draws take time proportional to the distance of the bounds, so that timing reveals nothing
        return Program(text, expected if mechanism.n <= _QUICK_N else (), f"measurement({middle})", "", bound)
    return Program(text, expected, f"release({middle})", f'[-1, {mechanism.n + 1}, 0.5, True, "1"]')


def table_program(language: str, mechanism: Mechanism, head: str) -> Program:
    """Return a program that releases from exactly the exported table; parameters as `count_program`."""
    if mechanism.n > _LARGEST_TABLE_N:
        raise InputError(f"a program can contain a table for n of at most {_LARGEST_TABLE_N}, got {mechanism.n}.", "n")
    table = decimal_table(mechanism)
    if table.delta and language == "opendp":
        raise InputError("OpenDP's measure of a count is pure epsilon; with delta, write a program in Python or R.", "format")
    values = {
        "words": f"{table.epsilon!r}{f' and delta = {float(table.delta)!r}' if table.delta else ''}",
        "rows": [_whole_numbers([Fraction(entry) for entry in row]) for row in table.rows],
        "doubles": [[repr(float(entry)) for entry in row] for row in table.rows],
        # Clamped, because any integer is in the domain: an error would reveal that the count is no true result.
        **_measured(language, f"release(min(max(count, 0), {mechanism.n}))", table.epsilon, 1),
    }
    bound = ("measurement.map(1)", repr(table.epsilon)) if language == "opendp" else None
    return _of_count(_rendered("table.r.j2" if language == "r" else "table.py.j2", head, values), language, mechanism, bound)


def noise_program(language: str, outcome: NoiseAnswer, head: str) -> Program:
    """Return a program that draws noise: ``draw`` and ``publish`` are exact, ``simulate`` is for simulation only.

    Parameters
    ----------
    language : {"py", "opendp", "r"}
    outcome : NoiseAnswer
        The reason for its sensitivity, and how an answer becomes whole steps, are in the program's header, too.
    head : str
        As for `count_program`.

    Raises
    ------
    InputError
        If the query is a vector, epsilon has no exact form, or OpenDP is asked for noise that must not be released.
    """
    noise, design = outcome.noise, outcome.design
    if not isinstance(noise, DiscreteStaircase | Staircase):
        raise InputError("a sampler can be written only for single answers.", "dimension")
    privacy, step = design.privacy, None if design.step is None else design.grid
    values: dict[str, Any] = {"words": privacy.description, "epsilon_double": repr(privacy.epsilon), "split": None, "step": step}
    head = _with_words(head, f"{design.basis} {design.rounding}".strip())
    if isinstance(noise, Staircase):
        if language == "opendp":
            raise InputError("an OpenDP measurement is written only for integer noise; real noise is for simulation.", "format")
        values |= {"sensitivity": repr(noise.sensitivity), "gamma": repr(noise.gamma or 1.0)}
        return Program(_rendered("staircase.r.j2" if language == "r" else "simulated.py.j2", head, values))
    period = noise.sensitivity
    if step is not None and (places := decimals_of(step)) is not None:
        values |= {"places": places, "units": int(step * 10**places)}
    values["unit_step"] = f"{design.step} {design.unit}".rstrip()
    values |= {"sensitivity": period, "split": noise.split, "gamma": "1.0", **_level(privacy)}
    least, most = _INTEGERS
    values |= _measured(language, f"min(max(count + draw(), {least}), {most})", privacy.epsilon_above, period)
    text = _rendered("staircase.r.j2" if language == "r" else "staircase.py.j2", head, values)
    reach = range(-_reach(noise), _reach(noise) + 1)
    expected = _frequent(zip(reach, noise.mass(list(reach)).tolist(), strict=True))
    if language == "opendp":
        return Program(text, expected, "measurement(0)", "", (f"measurement.map({period})", repr(privacy.epsilon_above)))
    return Program(text, expected, "draw()")


def sampler(outcome: NoiseAnswer) -> str:
    """Return a Python program that draws from a noise distribution; raises as `noise_program`."""
    return noise_program("py", outcome, heading(outcome.design.line, outcome.design.to_json())).text


def histogram_program(language: str, outcome: HistogramAnswer, head: str) -> Program:
    """Return a program that adds geometric noise to the counts passed to it; raises and parameters as `count_program`."""
    level, cells = outcome.cell_privacy, outcome.cells
    step = int(outcome.design.sensitivity.value)
    values = {**_level(level), "cells": cells, "sensitivity": step, "words": outcome.design.privacy.description}
    if outcome.keeps:
        titles = ", ".join(map(outcome.design.title, range(cells)))
        head = _with_words(head, f"Give the counts in the order of the cells: {titles}.")
    text = _rendered(f"histogram.{language}.j2", head, {**values, "scale": repr(_scale(level))})
    alpha = level.alpha
    places = range(-_MOST_PLACES, _MOST_PLACES + 1)
    expected = _frequent((z, (1 - alpha) / (1 + alpha) * alpha ** abs(z)) for z in places)
    if language == "opendp":
        most = repr(_nearest(outcome.design.privacy))
        return Program(text, expected, "measurement([0] * program.CELLS)[0]", "", (f"measurement.map({step})", most))
    return Program(text, expected, "release([0] * program.CELLS)[0]", f"[[], [1] * {cells + 1}]")


def choice_program(language: str, outcome: ChoiceAnswer, head: str) -> Program:
    """Return a program that chooses an option by the utilities passed to it; it does not contain the design's own.

    Parameters
    ----------
    language : {"py", "opendp", "r"}
    outcome : ChoiceAnswer
    head : str
        As for `count_program`.

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
    public = design.fixed and (design.path or design.names is not None)
    scale = double(1 / rule.drawn_rate)
    while Fraction(scale) * rule.drawn_rate < 1:
        scale = math.nextafter(scale, math.inf)
    values = {
        "words": design.privacy.description,
        "rule": rule.title.lower(),
        "rate": rule.drawn_rate,
        "rate_double": repr(double(rule.drawn_rate)),
        "flip": flip,
        "scale": repr(scale),
        "monotone": design.monotone,
        "delta": repr(double(design.exact_sensitivity)),
        "example": str(list(_EXAMPLE)),
        "example_double": str(list(map(float, _EXAMPLE))),
        "options": [json.dumps(name, ensure_ascii=False) for name in outcome.names] if public else [],
    }
    chances = _chances(double(rule.drawn_rate), flip)
    given = values["example_double" if language == "opendp" else "example"]
    return Program(_rendered(f"choice.{language}.j2", head, values), _frequent(enumerate(chances)), f"choose({given})")


def _chances(rate: float, flip: bool) -> list[float]:
    """The probability of each of the utilities to try."""
    keeps = [math.exp(rate * (utility - max(_EXAMPLE))) for utility in _EXAMPLE]
    if not flip:
        return [keep / sum(keeps) for keep in keeps]
    chances = [0.0] * len(keeps)
    for order in permutations(range(len(keeps))):  # all are equally likely, and the best option is always kept
        left = 1 / math.factorial(len(keeps))
        for option in order:
            chances[option] += left * keeps[option]
            left *= 1 - keeps[option]
    return chances


def _frequent(chances: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    return [(value, chance) for value, chance in chances if chance >= _RAREST]


def _reach(noise: DiscreteStaircase) -> int:
    """The reach of noise that is not rare: a value beyond is rarer than all of its period."""
    return min(noise.within(1 - _RAREST) + noise.sensitivity, _MOST_PLACES)


def _level(privacy: PrivacyLevel) -> dict[str, Any]:
    """Return epsilon, or alpha if only alpha is rational."""
    if privacy.exact_alpha == 0 or privacy.exact_alpha == 1:
        raise InputError("a program needs an epsilon above 0 and finite, got an alpha of 0 or 1.", "epsilon")
    epsilon = privacy.exact_epsilon
    if epsilon is None and privacy.exact_alpha is None:
        raise InputError("a program needs a rational epsilon or alpha, like 1/2 or ln 2.", "epsilon")
    return {
        "alpha": None if epsilon is not None else privacy.exact_alpha,
        "epsilon": epsilon,
        "alpha_double": repr(privacy.alpha),
    }


def _measured(language: str, function: str, epsilon: float, step: int) -> dict[str, Any]:
    """The part that makes a Python program an OpenDP measurement; the distance counts in steps of the sensitivity, rounded up."""
    distances = "distance" if step == 1 else f"-(-distance // {step})"
    return {
        "opendp": language == "opendp",
        "function": function,
        "total": repr(epsilon),
        "distances": distances,
        "sensitivity": step,
    }


def _kept(line: str) -> str:
    """Return a line of numbers, marked for formatters to leave alone if it is long."""
    return line if len(line) <= _WIDEST else f"{line}  # fmt: skip"


def _nearest(privacy: PrivacyLevel) -> float:
    """Return the nearest double to the requested epsilon."""
    return privacy.epsilon if privacy.exact_epsilon is None else double(privacy.exact_epsilon)


def _scale(privacy: PrivacyLevel) -> float:
    """Return the scale of OpenDP's noise: 1 / epsilon, rounded up so that privacy is no weaker than requested."""
    scale = 1 / privacy.epsilon
    least = privacy.exact_epsilon or Fraction(privacy.epsilon)
    # OpenDP divides by it and rounds up; the result must not exceed the requested epsilon.
    while Fraction(scale) * least < 1 or _quotient_above(scale) > _nearest(privacy):
        scale = math.nextafter(scale, math.inf)
    return scale


def _quotient_above(scale: float) -> float:
    """Return 1 / scale, rounded up to a double."""
    near = 1 / scale
    return near if Fraction(near) * Fraction(scale) >= 1 else math.nextafter(near, math.inf)


def _whole_numbers(row: list[Fraction]) -> list[int]:
    common = math.lcm(*(entry.denominator for entry in row))
    return [entry.numerator * (common // entry.denominator) for entry in row]


def _rendered(name: str, head: str, values: Mapping[str, Any]) -> str:
    template = resources.templates("code", keep_trailing_newline=True, autoescape=False).get_template(name)
    text = template.render(head=head, kept=_kept, **{"opendp": False, **values})
    return re.sub(r"\n{4,}", "\n\n\n", text).rstrip("\n") + "\n"
