"""A user of a count query and their optimal mechanism in closed form: geometric noise, Bayes remap and certificate.

It is found with the matrix of the loss, by the structure of the loss where n is large, or in fractions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import LARGEST_DENSE_N, Loss
from dpdesigner.core.basics.parsing import cut
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.mechanism.certificate import Costs, certify
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Certificate, Solution
from dpdesigner.core.mechanism.remap import bayes_remap, solve_exactly
from dpdesigner.core.mechanism.structured_remap import MOST_RISES, Structure, structure, structured_remap
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

#: Above this n the linear program over all tables has more than 40 000 variables and takes minutes.
LARGEST_PROGRAM_N = 200
#: Up to this n, results follow each step of a drag within a few frames.
LARGEST_FOLLOWED_N = 50

_NOTHING = 1e-290  # a gap below any loss that doubles can tell from 0


@dataclass(frozen=True)
class Problem:
    """The problem to be solved by a mechanism.

    Attributes
    ----------
    n : int
        The largest true result; results are 0..n.
    privacy : PrivacyLevel
    prior : Prior
    loss : Loss
    """

    n: int
    privacy: PrivacyLevel
    prior: Prior
    loss: Loss

    @cached_property
    def costs(self) -> Costs:
        """Prior and loss in the form that the certificate needs."""
        return Costs(self.prior.probabilities, self.loss.matrix(self.n), *self.loss.bounds(self.n))

    @cached_property
    def structure(self) -> Structure | None:
        """The structure of the loss, which allows solving in linear time without a matrix; None if it has none."""
        return structure(self.loss)

    @cached_property
    def largest_loss(self) -> float:
        """The expected loss if the worst answer were released for every true result: the scale of all expected losses."""
        if self.structure is not None:
            return self.structure.largest_loss(self.prior.probabilities)
        return float(self.costs.bounds.sum())

    @cached_property
    def least_loss(self) -> float:
        """The expected loss if the best answer were always released, as without privacy: a lower bound for every mechanism."""
        return float(self.costs.prior @ self.costs.low)

    @property
    def covered(self) -> bool:
        """Whether Theorem A covers the loss, so that geometric + remap is the optimal mechanism."""
        return self.loss.coverage(self.n).covered

    def negligible(self, value: float | Fraction, gap: float | Fraction) -> bool:
        """Whether a certified gap of some expected loss is within the rounding error of doubles.

        Outside Theorem A it must be small beside what privacy costs, which may itself be next to nothing where epsilon is large.
        """
        if self.covered or self.privacy.exact_alpha in (0, 1):
            allowed = 1e-7 * max(abs(float(value)), self.largest_loss)
        else:
            allowed = max(1e-7 * (float(value) - self.least_loss), 1e-15 * self.largest_loss)
        return float(gap) <= max(allowed, _NOTHING)


def check_loss(loss: Loss, n: int) -> None:
    """Refuse a loss that makes no sense or cannot be solved for this n."""
    if n <= LARGEST_DENSE_N:
        loss.check(n)
        loss.coverage(n)  # cached: showing or solving the design needs it
    elif structure(loss) is None:
        raise InputError(
            f"n must be at most {LARGEST_DENSE_N} for the loss {cut(loss.title)}, got {n}; absolute, squared, zero-one, "
            f"threshold, pinball and relative losses, and drawn ones that rise by at most {MOST_RISES} steps, "
            "are solved for any n.",
            "n",
        )


#: Above this n a loss with structure is solved without its matrix.
LARGEST_WITH_MATRIX = 2000
#: From this n on, memory is checked: a linear-time solution holds about fifty arrays of doubles at its peak.
_MEMORY_FROM, _BYTES_A_ROW, _MEGABYTE = 1_000_000, 440, 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class ClosedForm:
    """The closed-form solution.

    Above n = 5000 `mechanism`, `geometric` and `constraints`, which are written out whole, raise `InputError`; `induced` and
    `released` give single entries, rows, columns, blocks, posteriors and draws of them for any n.

    Attributes
    ----------
    design : Problem
        What was solved.
    induced : RemappedGeometric
        The induced mechanism: G followed by the remap.
    value : float or Fraction
        Its expected loss; a `Fraction` when solved exactly, else a double that differs from the truth by at most the gap, mostly
        by a few units in its last place.
    certificate : Certificate
        How far from optimal it can be (`gap`) and what that rests on in words (`basis`).
    """

    design: Problem
    induced: RemappedGeometric
    value: float | Fraction
    certificate: Certificate

    @property
    def exact(self) -> bool:
        """Whether value, mechanism and certificate are rational."""
        return self.certificate.exact

    @property
    def remap(self) -> NDArray[np.int64]:
        """The reading remap[j] of each output j of G, (n + 1,), read-only."""
        return self.induced.remap

    @property
    def released(self) -> RemappedGeometric:
        """The range-restricted geometric mechanism G on its own, with its outputs taken at face value."""
        return _released(self.design.privacy, self.design.n)

    @cached_property
    def mechanism(self) -> NDArray[Any]:
        """The induced mechanism, (n + 1, n + 1), rows = true result; in fractions if solved exactly, otherwise in doubles."""
        return self._matrix(self.induced)

    @cached_property
    def geometric(self) -> NDArray[Any]:
        """The range-restricted geometric mechanism G, (n + 1, n + 1); in fractions if solved exactly, otherwise in doubles."""
        return self._matrix(self.released)

    @property
    def constraints(self) -> NDArray[np.str_]:
        """Tight privacy constraints, (n, n + 1) of ``"d"``, ``"u"``, ``"S"``, ``"Z"``; see `RemappedGeometric.constraints`."""
        return self.induced.constraints

    @property
    def epsilon(self) -> float:
        """The attained epsilon of the mechanism, rounded up."""
        return self.induced.epsilon

    @property
    def compact_mechanism(self) -> RemappedGeometric:
        """The mechanism, under the same name as in the linear program's result."""
        return self.induced

    @property
    def gap(self) -> float | Fraction:
        """Certified: value - optimum <= gap."""
        return self.certificate.gap

    @property
    def basis(self) -> str:
        """The basis of the gap, in words."""
        return self.certificate.basis

    def _matrix(self, mechanism: RemappedGeometric) -> NDArray[Any]:
        alpha = self.design.privacy.exact_alpha
        if self.exact and alpha is not None:
            fractions = np.array(list(mechanism.exact_rows(alpha)), dtype=object)
            fractions.flags.writeable = False
            return fractions
        return mechanism.matrix


@lru_cache(maxsize=2)
def _released(privacy: PrivacyLevel, n: int) -> RemappedGeometric:
    """Return G, cached because it is large, the same for every prior, and shared by many outcomes."""
    return RemappedGeometric(privacy, n, np.arange(n + 1))


def closed_form(problem: Problem, exact: bool = False, progress: Progress = silent) -> ClosedForm:
    """Solve in closed form: geometric mechanism, Bayes remap, certificate.

    Losses with structure (absolute, squared, zero-one, threshold, pinball, relative, and those drawn by distance that rise by few
    steps) are solved in linear time above n = 2000: a million rows take about a second. Their certificate tests every column
    where that takes a fraction of a second, else some of them, and rests on Theorem A for the others; its `basis` says so.

    Parameters
    ----------
    problem : Problem
    exact : bool
        Work in rational arithmetic; needs alpha, prior and loss to be rational.
    progress : Progress
        Told how far it is; may cancel.

    Returns
    -------
    ClosedForm
        For losses outside Theorem A this is still the best way to use the geometric mechanism, and the gap says how far it can
        be from the optimum; the linear program gives the optimum itself.

    Raises
    ------
    InputError
        If `exact` is asked of irrational inputs or of an n above 5000.
    """
    if exact:
        solution = _exactly(problem)
    elif problem.prior.certain is not None:
        solution = _certain(problem, problem.prior.certain)
    elif problem.n > LARGEST_WITH_MATRIX and problem.structure is not None:
        solution = _by_structure(problem, problem.structure, progress)
    else:
        solution = solve_by_matrix(problem.costs, problem.privacy, problem.covered)
    induced = RemappedGeometric(problem.privacy, problem.n, solution.outputs)
    return ClosedForm(problem, induced, solution.value, solution.certificate)


def solve_by_matrix(costs: Costs, privacy: PrivacyLevel, covered: bool) -> Solution:
    """Return the best remap of geometric noise in doubles, and its certificate.

    Parameters
    ----------
    costs : Costs
        The prior, and the loss (n + 1, m), whose readings need not be counts.
    privacy : PrivacyLevel
    covered : bool
        Whether Theorem A covers the loss.
    """
    remap = bayes_remap(costs.prior, costs.loss, privacy, monotone=covered, turns=costs.turns)
    certificate = certify(costs, remap.dual, remap.value, privacy.alpha, remap.sums)
    if certificate.gap > 1e-12 * abs(remap.value) and privacy.one_minus_alpha < 1e-3:
        # As alpha tends to 1 the dual above suffers cancellation; the costs of the best constant are nearly feasible there.
        constant = costs.prior * costs.loss[:, int((costs.prior @ costs.loss).argmin())]
        certificate = min(certificate, certify(costs, constant, remap.value, privacy.alpha), key=lambda candidate: candidate.gap)
    return Solution(remap.outputs, remap.value, certificate)


def _certain(problem: Problem, result: int) -> Solution:
    """The solution if one count is certain: no mechanism has less than the least loss of that count, which a constant attains."""
    structure = problem.structure if problem.n > LARGEST_WITH_MATRIX else None
    if structure is None:
        losses = problem.loss.matrix(problem.n)[result]
        answer, value = int(losses.argmin()), float(losses.min())
    else:
        answer, value = int(structure.kind.first_reading(np.array([result]))[0]), structure.offset
    dual = np.zeros(problem.n + 1)
    dual[result] = value
    gap = math.nextafter(2.0**-51 * abs(value), math.inf) if value else 0.0  # the loss is a double within a unit of the truth
    return Solution(np.full(problem.n + 1, answer), value, Certificate(dual, gap, 0.0, problem.n + 1, problem.n + 1))


def _by_structure(problem: Problem, structure: Structure, progress: Progress) -> Solution:
    if problem.n >= _MEMORY_FROM:
        check_memory(_BYTES_A_ROW * problem.n, problem.n)
    progress(None, f"{problem.n + 1} counts")
    solution = structured_remap(problem.prior.probabilities, structure, problem.privacy, partial(progress, 0.6, "certificate"))
    progress(1.0, solution.certificate.basis)
    return solution


def _exactly(problem: Problem) -> Solution:
    alpha = problem.privacy.exact_alpha
    if problem.n > LARGEST_DENSE_N:
        raise InputError(f"exact arithmetic needs n of at most {LARGEST_DENSE_N}, got {problem.n}.", "n")
    if alpha is None:
        raise InputError(
            f"exact arithmetic needs a rational alpha, for example 1/2; exp(-{cut(problem.privacy.number)}) is irrational.",
            "epsilon",
        )
    return solve_exactly(problem.prior.exact, problem.loss.exact_matrix(problem.n), alpha)


def check_memory(needed: int, n: int) -> None:
    """Refuse a design that needs more memory than is available, before the machine becomes unresponsive.

    Raises
    ------
    InputError
        With what it needs and what there is.
    """
    free = available_memory()
    if free is not None and needed > free:
        sizes = f"about {needed // _MEGABYTE} MB of memory, of which {free // _MEGABYTE} MB are free"
        raise InputError(f"n = {n} needs {sizes}; close other programs or choose a smaller n.", "n", str(n * free // needed))


def available_memory() -> int | None:
    """Return how many bytes the program may still allocate; None where the system does not report it (Linux does)."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            sizes = dict(line.split(":", 1) for line in file)
        return int(sizes["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None
