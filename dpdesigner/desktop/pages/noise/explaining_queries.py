"""Why a histogram and a choice among a few outputs are released as they are, and what is known about others."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.pages.kit.promise import promise
from dpdesigner.desktop.pages.noise import words
from dpdesigner.desktop.pages.noise.proof_numbers import formulas
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome

_WEIGHTS = (
    "<p><i>b</i> = e<sup>−ε</sup>; output <i>r</i> gets the weight <i>b</i><sup><i>k</i></sup> where "
    "<i>k</i>Δ ≤ <i>C</i>(<i>D</i>, <i>r</i>) &lt; (<i>k</i> + γ) Δ, and <i>b</i><sup><i>k</i>+1</sup> up to (<i>k</i> "
    "+ 1) Δ; its "
    "probability is its weight over the sum of all weights for <i>D</i>.</p>"
)


def explain_histogram(outcome: HistogramOutcome) -> Explanation:
    """Explain the noise of a histogram."""
    leaves = outcome.query.neighbours == "add-remove"
    what = _tr(
        "It counts the rows in each of {cells} cells and adds to every count a random whole number of its own: "
        "two-sided geometric "
        "noise. The cells are fixed beforehand and not taken from the data."
    ).format(cells=outcome.cells)
    shared = (
        _tr("One row more or less changes one cell by one, so that each cell may use all of ε.")
        if leaves
        else _tr("A row that is replaced can change two cells by one each, so that each cell may use half of ε.")
    )
    together = outcome.together or _tr("Whether another way to release all cells at once costs less is open here.")
    best = outcome.reason[:1].upper() + outcome.reason[1:]
    cost = _tr("A cell is off by a cost of {cost} on average; with Laplace noise on real numbers it would be {laplace}.").format(
        cost=figure(outcome.cell.cost), laplace=figure(outcome.laplace_cost)
    )
    plain = [
        _paragraph(_tr("What it does."), what),
        promise(outcome.attained, outcome.query.neighbours),
        _paragraph(_tr("Who is a neighbour."), shared),
        _paragraph(_tr("Why geometric noise."), best, together),
        _paragraph(_tr("What it costs."), cost),
    ]
    sources = _tr(
        "<p>C. Dwork, <i>A Firm Foundation for Private Data Analysis</i>, 2011; Q. Geng, P. Viswanath, <i>The Optimal "
        "Mechanism in "
        "Differential Privacy</i>, 2012.</p><p>Corrected here:</p><ul><li>That a histogram has sensitivity 1 holds "
        "where a row is "
        "added or taken away; where a row is replaced it is 2.</li></ul>"
    )
    return Explanation(_tr("Why this noise in every cell?"), "".join(plain), formulas(outcome.cell), sources, "histograms")


def explain_table(outcome: TableOutcome) -> Explanation:
    """Explain the weights of a choice among finitely many outputs."""
    rows, columns = len(outcome.query.costs), len(outcome.query.costs[0])
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
        _paragraph(_tr("The privacy of this table."), words.table_sentence(outcome)),
        _paragraph(_tr("What it costs."), compared, open_question),
    ]
    sources = _tr(
        "<p>Q. Geng, P. Viswanath, <i>The Optimal Mechanism in Differential Privacy</i>, 2012 (abstract setting); F. McSherry, "
        "K. Talwar, <i>Mechanism Design via Differential Privacy</i>, 2007.</p><p>Corrected here:</p><ul><li>Staircase "
        "weights are "
        "2ε-private in general, since their sum may change by e<sup>ε</sup> too; which it is, is computed from the table.</li>"
        "<li>The same holds for exponential weights exp(ε <i>u</i> / Δ<i>u</i>), which C. Dwork (2011) calls ε-private.</li></ul>"
    )
    return Explanation(_tr("How good is this choice?"), "".join(plain), _WEIGHTS, sources, "noise")


def _paragraph(heading: str, *sentences: str) -> str:
    return f"<p><b>{heading}</b> {' '.join(sentences)}</p>"


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)
