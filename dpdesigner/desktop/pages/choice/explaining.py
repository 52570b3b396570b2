"""Why an option is announced as often as it is, what limits any rule, and what was corrected in the sources."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import significant
from dpdesigner.desktop.look.words import capital, translated
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.pages.kit.promise import Neighbours, promise
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.choice.words import headlines, on_constants
from dpdesigner.studies.findings import shown

_FORMULA = (
    "<p>Exponential mechanism: P(<i>i</i>) ∝ e<sup><i>c u<sub>i</sub></i></sup>. Permute-and-flip: ask the options in "
    "random order and "
    "take the first whose coin of bias <i>q<sub>i</sub></i> = e<sup><i>c</i> (<i>u<sub>i</sub></i> − max <i>u</i>)</sup> "
    "shows heads; "
    "P(<i>i</i>) = <i>q<sub>i</sub></i> ∫<sub>0</sub><sup>1</sup> Π<sub><i>j</i>≠<i>i</i></sub> (1 − <i>t "
    "q<sub>j</sub></i>) d<i>t</i>. "
    "Noisy max: the largest <i>u<sub>i</sub></i> + noise of scale 1/<i>c</i>.</p>"
    "<p><i>c</i> = ε/2Δ, or ε/Δ where all utilities move the same way. P(short by more than <i>t</i>) ≤ <i>k</i> "
    "e<sup>−<i>c t</i></sup>.</p>"
)
_NEIGHBOURS: dict[str, Neighbours] = {"joins": "add-remove", "changes": "replace", "any": "change"}


def explained(outcome: ChoiceOutcome) -> Explanation:
    """Explain the rules of a choice."""
    which = _NEIGHBOURS.get(str(outcome.design.neighbours), "state")
    plain = [
        f"<p>{translated(headlines(outcome)[0])}</p>",
        _paragraph(_tr("Why it is private."), capital(translated(outcome.reason))),
        promise(outcome.attained, which),
        _paragraph(_tr("How good it can be."), _limits(outcome)),
        _paragraph(_tr("Which constant."), translated(on_constants(outcome)), _ten()),
        _paragraph(_tr("Where options come from."), _options(outcome)),
        _paragraph(
            _tr("How it is drawn."),
            _tr(
                "From integers and the system’s entropy: every chance is met exactly. An irrational ε is drawn at a "
                "rational one that is "
                "less by a relative 1e−15 at most."
            ),
        ),
    ]
    sources = _tr(
        "<p>F. McSherry, K. Talwar, <i>Mechanism Design via Differential Privacy</i>, 2007. R. McKenna, D. Sheldon, "
        "<i>Permute-and-Flip</i>, 2020. Z. Ding, D. Kifer and others, <i>The Permute-and-Flip Mechanism is Identical to "
        "Report-Noisy-Max with "
        "Exponential Noise</i>, 2021. C. Canonne, G. Kamath, T. Steinke, <i>The Discrete Gaussian for Differential "
        "Privacy</i>, 2020 "
        "(draws). Q. Geng, P. Viswanath, <i>The Optimal Mechanism in Differential Privacy</i>, 2012 (staircase weights).</p>"
        "<p>Corrected here:</p><ul><li>C. Dwork (2011) calls exp(ε <i>u</i>/Δ<i>u</i>) ε-private. It is 2ε-private in "
        "general, and "
        "ε-private where all utilities move the same way.</li><li>Staircase weights, whose sum changes too, are "
        "2ε-private in general; "
        "here they are scaled so that they have what is asked.</li></ul>"
    )
    return Explanation(_tr("How good is this choice?"), "".join(plain), _FORMULA, sources, "choice")


def _limits(outcome: ChoiceOutcome) -> str:
    finding = outcome.findings.get("limit")
    if finding is None:
        costs = ", ".join(
            f"{translated(outcome.rules[key].title)} {significant(cost, 4)}" for key, cost in (outcome.equal or {}).items()
        )
        text = _tr(
            "Tuned until each really has ε over these rows, the rules fall short on average by: {costs}. None is proved "
            "to be the best."
        )
        return text.format(costs=costs) if costs else _tr("No limit is computed for a table.")
    if finding.value is None:
        return capital(translated(finding.note)) + "."
    if outcome.limit_met:
        return _tr("No private rule that treats names alike gets it right more often: the limit {limit} is met.").format(
            limit=shown(finding)
        )
    return _tr(
        "No private rule that treats names alike gets it right more often than {limit} ({note}). It is a limit, not a "
        "rule. A best rule for "
        "these utilities alone does not exist: always naming their best would cost nothing."
    ).format(limit=shown(finding), note=translated(finding.note))


def _ten() -> str:
    return _tr(
        "With ten options and utilities between 0 and Δ, the ratio of a mechanism called 1-private is e^1.776; over all "
        "utilities it is e²."
    )


def _options(outcome: ChoiceOutcome) -> str:
    if not outcome.design.fixed:
        return _tr(
            "They were read off the data. That an option is there at all shows that somebody gave it, which no noise hides."
        )
    return _tr("They are fixed beforehand, and say nothing of the data.")


def _paragraph(heading: str, *sentences: str) -> str:
    return f"<p><b>{heading}</b> {' '.join(filter(None, sentences))}</p>"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChoicePage", text)
