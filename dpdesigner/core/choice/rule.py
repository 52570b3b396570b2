"""One selection rule: its probabilities, expected utility, guaranteed and attained privacy; rules at equal privacy."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import nearest
from dpdesigner.core.basics.sampling import Below
from dpdesigner.core.choice.limits import LOGS, Neighbours, Noise, Worst, guarantee, worst
from dpdesigner.core.choice.mechanisms import draw_exponential, draw_noisy_max, draw_permute_and_flip, exponential_logs, exponents
from dpdesigner.core.choice.utilities import Neighbouring
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

_DRAWS: dict[Noise, Callable[..., int]] = {
    "gumbel": draw_exponential,
    "exponential": draw_permute_and_flip,
    "laplace": draw_noisy_max,
}
_ROUNDING = 2.0**-48
_MOST_STEPS = 64  # places of the step of staircase weights that are tried


@dataclass(frozen=True, eq=False, repr=False)
class Task:
    """The task shared by all rules: known utilities, and the changes that one person can make.

    Attributes
    ----------
    numbers : ndarray
        (rows, options): utilities as doubles.
    exactly : callable
        Gives a row of utilities as fractions.
    delta : Fraction
        The sensitivity.
    monotone : bool
    neighbours : "any", "changes" or "joins"; of a table which rows are neighbours
    base : tuple of Fraction or None
        The base measure.
    table : bool
        Whether there is more than one vector.
    interval : bool
        Whether the options are the stretches of an interval, in which utilities may change at any place.
    """

    numbers: Floats
    exactly: Callable[[int], list[Fraction]]
    delta: Fraction
    monotone: bool
    neighbours: Neighbours | Neighbouring
    base: tuple[Fraction, ...] | None = None
    table: bool = False
    interval: bool = False

    def __repr__(self) -> str:
        return f"Task({len(self.numbers)} x {self.options} utilities)"

    @property
    def options(self) -> int:
        """The number of options."""
        return int(self.numbers.shape[1])

    @cached_property
    def log_base(self) -> Floats | None:
        """The logarithm of the base measure."""
        if self.base is None:
            return None
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.array([nearest(weight) for weight in self.base])))

    @cached_property
    def most(self) -> Floats:
        """(rows, 1): the largest utility in each row among the options that can be chosen."""
        able = self.numbers if self.log_base is None else np.where(np.isneginf(self.log_base), -np.inf, self.numbers)
        return np.asarray(able.max(axis=1, keepdims=True))

    @property
    def blindly(self) -> tuple[float, float]:
        """The probability that a uniformly random option is the best, and its average shortfall."""
        base = np.ones(self.options) if self.log_base is None else np.exp(self.log_base)
        chances = base / base.sum()
        hits = self.numbers == self.most
        return float((hits * chances).sum(axis=1).mean()), float(((self.most - self.numbers) * chances).sum(axis=1).mean())


@dataclass(frozen=True, eq=False, repr=False)
class Rule:
    """One selection rule.

    Attributes
    ----------
    key, title : str
    task : Task
    rate : Fraction
        What a utility is worth in units of the noise's scale: weights are exp(rate u).
    drawn_rate : Fraction
        The same for draws: rational, and never above what the level allows.
    noise : "gumbel", "exponential" or "laplace"
        The noise with which the largest utility is this rule's choice.
    steps : Fraction or None
        Gamma of staircase weights, whose utilities are rounded down to steps of Delta.
    says : float
        The epsilon that it is called by.
    """

    key: str
    title: str
    task: Task
    rate: Fraction
    drawn_rate: Fraction
    noise: Noise
    says: float
    steps: Fraction | None = None

    def __repr__(self) -> str:
        return f"Rule({self.key!r}, epsilon={self.epsilon:.6g}, {self.task.options} options)"

    # Chances -----------------------------------------------------------------------------------------------------------

    @cached_property
    def logs(self) -> Floats:
        """(options,), or (rows, options): the log probabilities."""
        return self._shaped(self._logs)

    @cached_property
    def probabilities(self) -> Floats:
        """(options,), or (rows, options): the probability of each option."""
        return self._shaped(np.exp(self._logs))

    def compute(self, progress: Progress = silent) -> Floats:
        """Return the log probabilities, (rows, options), and cache them; for a table this is slow and can be cancelled."""
        if "_logs" in vars(self):
            return self._logs
        if self.noise == "gumbel":
            logs = exponential_logs(self._exponents, self.task.log_base)
        else:
            logs = np.empty_like(self._exponents)
            for row, values in enumerate(self._exponents):
                progress(row / len(logs), self.title)
                logs[row] = LOGS[self.noise](values)
        vars(self)["_logs"] = logs
        return logs

    @cached_property
    def _logs(self) -> Floats:
        return self.compute()

    @cached_property
    def _exponents(self) -> Floats:
        if self.steps is not None:
            return np.array([exponents(self._stepped(row), self.rate) for row in range(len(self.task.numbers))])
        if self.task.table:
            return exponents(self.task.numbers, self.rate)
        return exponents(self.task.exactly(0), self.rate)[None, :]

    def _stepped(self, row: int) -> list[Fraction]:
        """Utilities for which staircase weights are exponential: minus Delta times the number of steps down."""
        gamma, delta = self.steps or Fraction(1), self.task.delta
        sizes = [-utility / delta for utility in self.task.exactly(row)]
        return [-delta * (size // 1 + (size % 1 >= gamma)) for size in sizes]

    def _shaped(self, values: Floats) -> Floats:
        return values if self.task.table else np.asarray(values[0])

    def _each(self, values: Floats) -> float | Floats:
        return values if self.task.table else float(values[0])

    # Usefulness --------------------------------------------------------------------------------------------------------

    @property
    def expected_utility(self) -> float | Floats:
        """The expected utility of the chosen option; for a table, one per row."""
        return self._each(self.task.most[:, 0] - self._shortfalls)

    @property
    def shortfall(self) -> float | Floats:
        """The expected shortfall of the chosen utility from the best."""
        return self._each(self._shortfalls)

    @cached_property
    def _shortfalls(self) -> Floats:
        return np.asarray((np.exp(self._logs) * np.maximum(self.task.most - self.task.numbers, 0.0)).sum(axis=1))

    @property
    def chance_of_best(self) -> float | Floats:
        """The probability of choosing an option with the largest utility; for a table, one per row."""
        return self._each(np.minimum((np.exp(self._logs) * (self.task.numbers == self.task.most)).sum(axis=1), 1.0))

    def chance_below(self, short: Floats, row: int = 0) -> Floats:
        """Return the probability that the chosen utility falls short of the best by more than each of these amounts."""
        gaps = self.task.most[row, 0] - self.task.numbers[row]
        order = np.argsort(gaps, kind="stable")
        left = np.append(np.cumsum(np.exp(self._logs[row])[order][::-1])[::-1], 0.0)
        return np.asarray(left[np.searchsorted(gaps[order], short, side="right")])

    def bound_below(self, short: Floats) -> Floats:
        """Return the theorem's bound on `chance_below`: options, or base measure, times exp(-rate t); above 1 it is vacuous.

        It holds for the exponential mechanism, and for permute-and-flip, which is never worse.
        """
        return np.asarray(self.crowd * np.exp(-nearest(self.rate) * np.asarray(short)))

    @cached_property
    def crowd(self) -> float:
        """The number of options per best option, by base measure."""
        base = np.ones(self.task.options) if self.task.log_base is None else np.exp(self.task.log_base)
        best = base[self.task.numbers[0] == self.task.most[0]].sum()
        return float(base.sum() / best)

    # Privacy -----------------------------------------------------------------------------------------------------------

    @property
    def epsilon(self) -> float:
        """The guaranteed level: the supremum of the log ratio over all vectors and neighbours."""
        return float(self.rate * self.task.delta * (1 if self.task.monotone else 2))

    @property
    def epsilon_here(self) -> float | Floats:
        """The log ratio at the worst neighbour of this vector; for a table, one per row, rounded up."""
        if not self.task.table:
            return self.worst.ratio
        if not isinstance(self.task.neighbours, Neighbouring):
            raise AssertionError("neighbours are defined only for rows of a table")
        logs = np.where(np.isneginf(self._logs), 0.0, self._logs)
        return self.task.neighbours.farthest(logs) * (1 + _ROUNDING)

    def find_worst(self, progress: Progress = silent) -> Worst:
        """Return `worst` and cache it; with many options this is slow and can be cancelled."""
        if "worst" in vars(self):
            return self.worst
        neighbours, step = self.task.neighbours, nearest(self.rate * self.task.delta)
        if isinstance(neighbours, Neighbouring):
            raise InputError("a table has its own neighbours.", "neighbours")
        if self.task.interval:  # a single point has probability 0, so the guarantee is attained
            logs = np.where(np.isneginf(self._logs[0]), np.inf, self._logs[0])
            found = Worst(guarantee(step, neighbours), int(np.argmin(logs)), True)
        else:  # staircase weights: moving a utility by Delta moves it by exactly one step
            report = partial(progress, text=self.title)
            found = worst(self.noise, self._exponents[0], step, neighbours, report, self.task.log_base)
        vars(self)["worst"] = found
        return found

    @cached_property
    def worst(self) -> Worst:
        """The neighbour of this vector that changes a probability most."""
        return self.find_worst()

    def at(self, moves: Floats) -> Rule:
        """Return the same rule at a neighbouring vector: each utility moved by this multiple of Delta."""
        delta, before = self.task.delta, self.task.exactly(0)
        moved = [utility + delta * Fraction(float(move)) for utility, move in zip(before, moves, strict=True)]
        numbers = np.array([[nearest(value) for value in moved]])
        return replace(self, task=replace(self.task, numbers=numbers, exactly=lambda row: moved))

    # Draws -------------------------------------------------------------------------------------------------------------

    def draw(self, row: int = 0, below: Below = secrets.randbelow) -> int:
        """Return the index of an option, drawn exactly from the system's entropy.

        Where epsilon is irrational it is drawn at a rational one that is less by a relative 1e-15 at most, so never less private.
        """
        values = self.task.exactly(row) if self.steps is None else self._stepped(row)
        if self.task.base is None:
            return _DRAWS[self.noise](values, self.drawn_rate, below)
        return draw_exponential(values, self.drawn_rate, below, _integer_measure(self.task.base))


def _integer_measure(base: Sequence[Fraction]) -> list[int]:
    """Return the base measure as whole numbers."""
    from math import lcm

    common = lcm(*(weight.denominator for weight in base))
    return [int(weight * common) for weight in base]


_HALVINGS = 40
_SLOW = 400  # cells of a table for rules whose probabilities need quadrature


def tuned(rules: Sequence[Rule], epsilon: float, progress: Progress) -> dict[str, float]:
    """Return each rule's mean shortfall from the best over the rows, at the given attained epsilon.

    Rules whose chances do not depend on the data at all are left out.
    """
    shortfalls = {}
    for rule in rules:
        if rule.noise != "gumbel" and rule.task.numbers.size > _SLOW:
            continue
        made = at_real(rule, epsilon, progress)
        if made is not None:
            shortfalls[rule.key] = float(np.mean(made.shortfall))
    return shortfalls


def at_real(rule: Rule, epsilon: float, progress: Progress = silent) -> Rule | None:
    """Return the rule at the rate whose attained epsilon over the rows is the target, or slightly less.

    None where no rate comes so far.
    """
    low, high = Fraction(0), rule.rate
    for _ in range(_HALVINGS):
        if _level(replace(rule, rate=high), progress) >= epsilon:
            break
        low, high = high, 2 * high
    else:
        return None
    for _ in range(_HALVINGS):
        middle = Fraction(float((low + high) / 2))
        if _level(replace(rule, rate=middle), progress) <= epsilon:
            low = middle
        else:
            high = middle
    return replace(rule, rate=low)


def _level(rule: Rule, progress: Progress) -> float:
    progress(None, rule.title)
    return float(np.max(rule.epsilon_here))


def best_steps(rule: Rule) -> Rule:
    """Return the staircase weights of a table whose step costs least on average over its rows."""
    task = rule.task
    rows = [task.exactly(row) for row in range(len(task.numbers))]
    places = sorted({(-utility / task.delta) % 1 for row in rows for utility in row} - {Fraction(0)})
    gammas = [Fraction(1), *places[:: len(places) // _MOST_STEPS + 1]]
    return min((replace(rule, steps=gamma) for gamma in gammas), key=lambda each: float(np.mean(each.shortfall)))


def worst_in_unit(options: Floats) -> Floats:
    """Return 1 + ln(1 + (k - 1) e) - ln(e + k - 1): ln of the probability ratio for (1, 0, .., 0) and (0, 1, .., 1)."""
    return np.asarray(1 + np.log1p((options - 1) * np.e) - np.log(np.e + options - 1))
