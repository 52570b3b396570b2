"""Losses in plain words: their titles, what an error costs, and what the theorem says."""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.problem.loss import Loss
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import brief
from dpdesigner.desktop.widgets.loss.shape import cost, distance_texts

_EXAMPLE = 3  # the error whose cost the sentences name


def title(name: str) -> str:
    """Return what a kind of loss is called on its button."""
    return {
        "absolute": tr("Absolute"),
        "squared": tr("Squared"),
        "zero-one": tr("0 / 1"),
        "threshold": tr("Threshold"),
        "pinball": tr("Pinball"),
        "distance": tr("Draw…"),
        "power": tr("Power"),
        "relative": tr("Relative"),
        "expression": tr("Expression"),
        "matrix": tr("Matrix"),
    }[name]


def formula(name: str) -> str:
    """Return the tooltip of a kind of loss: its formula, where i is the true count and r the release."""
    return {
        "absolute": tr("|i − r|: the cost is the size of the error."),
        "squared": tr("(i − r)²: large errors weigh much more than small ones."),
        "zero-one": tr("0 if r = i, otherwise 1: only the exact count is right."),
        "threshold": tr("0 if |i − r| ≤ T, otherwise 1: small errors are free."),
        "pinball": tr("τ (i − r) if r is below i, (1 − τ) (r − i) if it is above: errors on one side cost more."),
        "distance": tr("Draw the cost of each distance |i − r| with the mouse."),
        "power": tr("|i − r| to the power Q."),
        "relative": tr("|i − r| / max(i, 1): the error as a share of the true count."),
        "expression": tr("Any arithmetic in i, r, n and the error x."),
        "matrix": tr("A table with one row per true count i and one column per release r."),
    }[name]


def sentence(loss: Loss) -> str:
    """Return what an error costs under a loss, in one sentence."""
    if loss.name == "pinball":
        return _pinball(Fraction(loss.parameter or 0))
    if loss.name == "threshold":
        return tr("An error of up to {reach} is free; a larger one costs 1.").format(reach=loss.argument)
    if loss.name == "distance":
        texts = distance_texts(loss.argument)
        return _costs(texts[min(_EXAMPLE, len(texts) - 1)])
    fixed = {
        "zero-one": tr("Any error costs 1, however large."),
        "relative": tr("An error of {size} costs {size} divided by the true count.").format(size=_EXAMPLE),
        "expression": tr("True count i, release r, error x = |i − r|."),
        "matrix": tr("The costs come from a table."),
    }
    return fixed.get(loss.name) or _costs(brief(cost(loss.name, _EXAMPLE, float(loss.parameter or 0))))


def chosen(loss: Loss) -> str:
    """Return the words of the undo step that chose a loss."""
    return {
        "distance": tr("Draw loss"),
        "expression": tr("Write loss expression"),
    }.get(loss.name) or tr("Choose {title} loss").format(title=loss.title)


def verdict(covered: bool, reason: str) -> str:
    """Return what Theorem A says about a loss, short enough for two lines: without the numbers in the reason."""
    if covered:
        return tr("The theorem covers this loss.")
    return tr("Outside Theorem A: {reason}.").format(reason=_without_numbers(reason))


def consequence(covered: bool, reason: str) -> str:
    """Return the whole reason, and what follows from it."""
    if covered:
        return reason
    return tr("Outside Theorem A: {reason}; the linear program decides.").format(reason=reason.removesuffix("."))


def _without_numbers(reason: str) -> str:
    return reason.rpartition(": ")[0] or reason.removesuffix(".")


def _costs(amount: str) -> str:
    return tr("An error of {size} costs {amount}.").format(size=_EXAMPLE, amount=amount)


def _pinball(tau: Fraction) -> str:
    if tau == 0:
        return tr("Only an over-count costs; an under-count is free.")
    if tau == 1:
        return tr("Only an under-count costs; an over-count is free.")
    ratio = tau / (1 - tau)
    if ratio == 1:
        return tr("An under-count costs as much as an over-count.")
    if ratio > 1:
        return tr("An under-count costs {times} times an over-count.").format(times=brief(float(ratio)))
    return tr("An over-count costs {times} times an under-count.").format(times=brief(float(1 / ratio)))
