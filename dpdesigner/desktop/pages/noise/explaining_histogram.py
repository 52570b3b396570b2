"""Why a histogram is released as it is, and what is known about other ways."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.pages.kit.promise import promise
from dpdesigner.desktop.pages.noise.proof_numbers import formulas
from dpdesigner.studies.histogram.outcome import HistogramOutcome


def explain_histogram(outcome: HistogramOutcome) -> Explanation:
    """Explain the noise of a histogram."""
    leaves = outcome.design.neighbours == "add-remove"
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
        promise(outcome.attained, outcome.design.neighbours),
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


def _paragraph(heading: str, *sentences: str) -> str:
    return f"<p><b>{heading}</b> {' '.join(sentences)}</p>"


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)
