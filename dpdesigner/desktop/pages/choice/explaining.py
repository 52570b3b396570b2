"""Why an output is chosen as it is, and what is known about other weights."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.choice.words import privacy_sentence
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.pages.kit.promise import promise
from dpdesigner.studies.choice.outcome import ChoiceOutcome

_WEIGHTS = (
    "<p><i>b</i> = e<sup>−ε</sup>; output <i>r</i> gets the weight <i>b</i><sup><i>k</i></sup> where "
    "<i>k</i>Δ ≤ <i>C</i>(<i>D</i>, <i>r</i>) &lt; (<i>k</i> + γ) Δ, and <i>b</i><sup><i>k</i>+1</sup> up to (<i>k</i> "
    "+ 1) Δ; its "
    "probability is its weight over the sum of all weights for <i>D</i>.</p>"
)


def explained(outcome: ChoiceOutcome) -> Explanation:
    """Explain the weights of a choice among finitely many outputs."""
    rows, columns = len(outcome.design.costs), len(outcome.design.costs[0])
    what = _tr(
        "For each of {rows} states of the data it releases one of {columns} outputs by chance. An output that costs "
        "more is never more likely; the weights fall in steps, once within each Δ."
    ).format(rows=rows, columns=columns)
    compared = _tr("It costs {cost} on average over the states; exponential weights with the same promise cost {other}.").format(
        cost=figure(outcome.cost), other=figure(outcome.exponential_cost)
    )
    open_question = _tr("Neither is proved to be the best here.")
    plain = [
        _paragraph(_tr("What it does."), what),
        promise(outcome.attained, "state"),
        _paragraph(_tr("The privacy of this table."), privacy_sentence(outcome)),
        _paragraph(_tr("What it costs."), compared, open_question),
    ]
    sources = _tr(
        "<p>Q. Geng, P. Viswanath, <i>The Optimal Mechanism in Differential Privacy</i>, 2012 (abstract setting); F. McSherry, "
        "K. Talwar, <i>Mechanism Design via Differential Privacy</i>, 2007.</p><p>Corrected here:</p><ul><li>Staircase "
        "weights are "
        "2ε-private in general, since their sum may change by e<sup>ε</sup> too; which it is, is computed from the table.</li>"
        "<li>The same holds for exponential weights exp(ε <i>u</i> / Δ<i>u</i>), which C. Dwork (2011) calls ε-private.</li></ul>"
    )
    return Explanation(_tr("How good is this choice?"), "".join(plain), _WEIGHTS, sources, "choice")


def _paragraph(heading: str, *sentences: str) -> str:
    return f"<p><b>{heading}</b> {' '.join(sentences)}</p>"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChoicePage", text)
