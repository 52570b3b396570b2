"""What proves how near to optimal a mechanism is: a dual solution, and on what its feasibility rests."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from dpdesigner.arrays import Floats, Integers


@dataclass(frozen=True, eq=False)
class Certificate:
    """A proof of how near to optimal a mechanism is (THEORY.md, section 3): in fractions, or with doubles and made one-sided.

    Attributes
    ----------
    dual : ndarray or tuple of Fraction
        (n + 1,): w; after lowering each entry by `shift`, every c_r - w that was tested is in K*.
    gap : float or Fraction
        The expected loss is at most this much above the optimum; rounded up. Of fractions 0 where the mechanism is optimal.
    shift : float or Fraction
        eta.
    columns, checked : int
        How many releases there are, and of how many the column was tested: Theorem A vouches for the others.
    basis : str
        What the gap rests on, in words.
    rounding : float
        What the expected loss and the optimum may be wrong by, which the gap includes.
    """

    dual: Floats | tuple[Fraction, ...]
    gap: float | Fraction
    shift: float | Fraction
    columns: int
    checked: int
    basis: str = "all columns checked"
    rounding: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether it is proved in fractions; with doubles the gap is small but not 0."""
        return isinstance(self.gap, Fraction)


class Solution(NamedTuple):
    """The reading of the geometric mechanism's outputs with the least expected loss, that loss, and its proof.

    Attributes
    ----------
    outputs : ndarray or tuple of int
        (n + 1,): output j is read as outputs[j]; among equal readings the smallest.
    value : float or Fraction
    certificate : Certificate
    """

    outputs: Integers | tuple[int, ...]
    value: float | Fraction
    certificate: Certificate
