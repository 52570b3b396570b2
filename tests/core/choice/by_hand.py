"""The chances of each rule by other means: decimals of many digits, sums over terms instead of quadrature."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from itertools import pairwise

WIDE = {"Emin": MIN_EMIN, "Emax": MAX_EMAX}


def exponential(scores):
    """exp(score), over their sum."""
    with localcontext(prec=60, **WIDE):
        weights = [(Decimal(s) - Decimal(max(scores))).exp() for s in scores]
        return [weight / sum(weights) for weight in weights]


def permute_and_flip(scores, digits=200):
    """q_i sum_m (-1)^m e_m(the other q) / (m + 1), with the elementary symmetric polynomials e_m."""
    with localcontext(prec=digits, **WIDE):
        bias = [(Decimal(s) - Decimal(max(scores))).exp() for s in scores]
        found = []
        for i, own in enumerate(bias):
            terms = _product([(Decimal(1), -q) for j, q in enumerate(bias) if j != i])
            found.append(own * sum(term / (m + 1) for m, term in enumerate(terms)))
        return found


def noisy_max(scores, digits=200):
    """The integral of f prod F between neighbouring scores, each a sum of powers of y = exp(-x)."""
    with localcontext(prec=digits, **WIDE):
        a = [Decimal(s) for s in scores]
        edges = sorted(set(a))
        ends = [None, *edges, None]
        return [sum(_piece(a, i, low, high) for low, high in pairwise(ends)) for i in range(len(a))]


def _piece(a, i, low, high):
    """Integrate over x in low..high (None: infinite), where no score lies inside."""
    above = [s >= high if high is not None else False for s in a]
    half = Decimal(1) / 2
    # As a polynomial in y = exp(-x) times y^-power.
    power, factor, rest = 0, Decimal(1), []
    for j, s in enumerate(a):
        if above[j]:
            power, factor = power + 1, factor * half * (-s).exp()
        elif j == i:
            power, factor = power - 1, factor * half * s.exp()
        else:
            rest.append((Decimal(1), -half * s.exp()))
    total = Decimal(0)
    for m, term in enumerate(_product(rest)):
        rate = power - m  # of exp(rate x)
        if rate == 0:
            total += term * (high - low)
        else:
            top = (rate * high).exp() if high is not None else Decimal(0)
            bottom = (rate * low).exp() if low is not None else Decimal(0)
            total += term * (top - bottom) / rate
    return factor * total


def _product(factors):
    terms = [Decimal(1)]
    for constant, slope in factors:
        terms = [
            constant * (terms[m] if m < len(terms) else 0) + slope * (terms[m - 1] if m else 0) for m in range(len(terms) + 1)
        ]
    return terms
