"""How epsilon is shared among several answers about the same people: a bar for each, and in words what all of them cost."""

from __future__ import annotations

from dpdesigner.core.noise.best_noise import Budget, Share
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.messages import Message, message
from dpdesigner.studies.table_panels import Rank, Ranking

#: More bars than this say nothing more.
_MOST_BARS = 12


def shared(budget: Budget, several: bool) -> Ranking:
    """Return a bar for one answer alone and for each answer there is, or while there is one, for as many as there might be."""
    costs = [Rank(message("one answer alone, ε = {share}", share=_level(budget.alone)), budget.alone.cost, "rival", key="alone")]
    if several:
        for place, share in enumerate(budget.shares[:_MOST_BARS], 1):
            costs.append(Rank(message("answer {place}, ε = {share}", place=place, share=_level(share)), share.cost))
    else:
        for many, share in budget.equal:
            costs.append(Rank(message("each of {answers}, ε = {share}", answers=many, share=_level(share)), share.cost))
    return Ranking("budget", message("expected cost"), tuple(costs))


def budget_sentence(budget: Budget, privacy: PrivacyLevel) -> Message:
    """Return what all answers together have of epsilon, and what they cost."""
    return message(
        "The ε of answers about the same people add up to {epsilon}, for any questions. Their total cost is {total}; "
        "with Laplace noise it is {laplace}.",
        epsilon=figure(privacy.epsilon_above, 6),
        total=figure(sum(share.cost for share in budget.shares)),
        laplace=figure(sum(share.laplace_cost for share in budget.shares)),
    )


def _level(share: Share) -> str:
    return figure(share.epsilon, 4)
