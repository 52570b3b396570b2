"""Why the noise that is shown is the best, or how far from it: every sentence holds for the study shown, or is not said."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.pages.kit.promise import promise
from dpdesigner.desktop.pages.noise import words
from dpdesigner.desktop.pages.noise.proof_numbers import formulas
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome


def explain_noise(outcome: NoiseOutcome) -> Explanation:
    """Explain noise that is added to the answer."""
    paragraphs = [_what(outcome), promise(outcome.attained, "change"), _best(outcome), _laplace(outcome), _delta(outcome)]
    if sentence := words.geometric_sentence(outcome):
        paragraphs.append(_paragraph(_tr("The geometric mechanism."), sentence))
    title = _tr("Why is this the best noise?") if outcome.proved else _tr("How good is this noise?")
    return Explanation(title, "".join(paragraphs), formulas(outcome), _sources(outcome.design), "noise")


def _paragraph(heading: str, *sentences: str) -> str:
    return f"<p><b>{heading}</b> {' '.join(sentence for sentence in sentences if sentence)}</p>"


def _what(outcome: NoiseOutcome) -> str:
    design = outcome.design
    if design.dimension > 1:
        text = _tr(
            "It adds one random vector to the {count} answers. Its density depends on the sum of the sizes of the "
            "entries only, and "
            "falls in steps: within each width Δ = {period} of that sum it steps down once, by the factor e^ε."
        )
        return _paragraph(_tr("What it does."), text.format(count=design.dimension, period=design.sensitivity))
    if design.query == "integer":
        text = _tr(
            "It adds a random whole number to the true answer. Its probability falls in steps: within each Δ = "
            "{period} whole numbers "
            "it steps down once, by the factor e^ε, after {split} of them."
        )
        return _paragraph(_tr("What it does."), text.format(period=design.sensitivity, split=outcome.split))
    text = _tr(
        "It adds a random number to the true answer. Its density falls in steps like a staircase: within each width Δ "
        "= {period} it "
        "is flat but for one step down, by the factor e^ε, at the share γ = {gamma} of the width."
    )
    return _paragraph(_tr("What it does."), text.format(period=design.sensitivity, gamma=figure(outcome.gamma, 4)))


def _best(outcome: NoiseOutcome) -> str:
    """Whether and why nothing is cheaper."""
    design = outcome.design
    if outcome.cost == math.inf:
        text = _tr("The expected cost is infinite, or too large to be computed, so that nothing is claimed about it.")
        return _paragraph(_tr("Nothing to compare."), text)
    tight = _tr(
        "Privacy allows the density to fall by the factor e^ε when the answer moves by Δ, the most that one row can "
        "change it. The "
        "staircase uses all of this at each step and keeps the rest flat."
    )
    if design.gamma != "optimal":
        return _paragraph(_tr("A γ of your own."), tight, _chosen(outcome))
    if outcome.proved:
        proved = _tr(
            "Geng and Viswanath prove that no other noise added to the answer costs less on average, for this cost: {reason}"
        )
        if design.dimension == 2:
            proved = _tr(
                "Geng and Viswanath prove that for two answers and the sum of their absolute errors no other added noise costs "
                "less on average."
            )
        elif design.query == "integer":
            proved = _tr(
                "Geng and Viswanath prove that no other noise of whole numbers added to the answer costs less on "
                "average; where it "
                "steps down is the best of all {period} places. {reason}"
            )
        reason = outcome.reason.replace(" (Geng and Viswanath)", "")
        reason = reason[:1].upper() + reason[1:] if design.query == "integer" else reason
        return _paragraph(_tr("Why no added noise is cheaper."), tight, proved.format(reason=reason, period=design.sensitivity))
    return _paragraph(_tr("Not proved to be the best."), tight, outcome.reason[:1].upper() + outcome.reason[1:])


def _chosen(outcome: NoiseOutcome) -> str:
    extra = 100 * (outcome.cost / outcome.least - 1) if 0 < outcome.least < math.inf else math.nan
    text = _tr("You chose where it steps; the best place costs {least}, this one {cost}{percent}.").format(
        least=figure(outcome.least),
        cost=figure(outcome.cost),
        percent=_tr(", that is {extra} % more").format(extra=figure(extra, 2)) if extra > 1e-9 else "",
    )
    if outcome.best_proved:
        return f"{text} {_tr('That best one is proved to be the cheapest noise that can be added.')}"
    return text


def _laplace(outcome: NoiseOutcome) -> str:
    design, sentence = outcome.design, translated(outcome.compared)
    if not sentence:
        return ""
    why = _tr(
        "Laplace noise falls all the time, so that it uses the whole allowance only between answers that are exactly Δ "
        "apart, and is "
        "more spread out than privacy asks."
    )
    if abs(outcome.laplace_extra) < 1e-9:
        why = ""
    return _paragraph(_tr("Beside Laplace noise."), f"{sentence}.", why, _limits(design))


def _limits(design: NoiseDesign) -> str:
    """What becomes of the saving for small and for large epsilon, where that is known in closed form."""
    cost, single = design.noise_cost, design.query == "real" and design.dimension == 1
    if not single or design.gamma != "optimal" or not isinstance(cost, PowerCost):
        return ""
    if cost.power == 1:
        return _tr(
            "For small ε the two differ by about Δ ε / 24 only; for large ε the staircase costs about Δ e^(−ε/2) and "
            "Laplace Δ / ε."
        )
    if cost.power == 2:
        return _tr(
            "For small ε the two differ by about Δ² / 12 only; for large ε the staircase costs about 0.63 Δ² e^(−2ε/3) "
            "and Laplace "
            "2 Δ² / ε²."
        )
    return ""


def _delta(outcome: NoiseOutcome) -> str:
    return "" if outcome.design.delta is None else _paragraph(_tr("With a δ."), words.delta_sentence(outcome))


def _sources(design: NoiseDesign) -> str:
    sources = [_tr("Q. Geng, P. Viswanath, <i>The Optimal Mechanism in Differential Privacy</i>, 2012.")]
    if design.dimension > 1:
        sources.append(
            _tr(
                "Q. Geng, P. Viswanath, <i>The Optimal Mechanism in Differential Privacy: Multidimensional Setting</i>, 2013: "
                "proved for two answers and the sum of their absolute errors, conjectured beyond. A. Kulesza, A. T. Suresh, "
                "Y. Wang, <i>General Staircase Mechanisms for Optimal Differential Privacy</i>, 2025, and a preprint of January "
                "2026 (arXiv 2601.14597) claim it for all dimensions; neither proof was checked here."
            )
        )
    corrections = [
        _tr(
            "The height of the staircase, a(γ), is missing on the authors’ slides; it follows from the density having "
            "area 1 and is "
            "given under the formulas."
        ),
        _tr(
            "The Laplace distribution function in the lecture notes used has a wrong sign and would exceed 1; it is "
            "½ (1 + sgn(<i>x</i>) (1 − e<sup>−|<i>x</i>|/λ</sup>)) with λ = Δ / ε."
        ),
        _tr(
            "A staircase of any cost between answers and outputs (the abstract setting) is 2ε-private in general, "
            "since the total "
            "of its weights may change by e<sup>ε</sup> too; it is ε-private where that total is the same for all "
            "answers, as here."
        ),
    ]
    items = "".join(f"<li>{text}</li>" for text in corrections)
    return "".join(f"<p>{source}</p>" for source in sources) + f"<p>{_tr('Corrected here:')}</p><ul>{items}</ul>"


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)
