"""The formulas of the noise page and the numbers of the noise shown, as simple rich text."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.cost.noise_cost import PowerCost, SumOfSquares
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.widgets.privacy.text import alpha_text
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome

_DIGITS = 12
_STEP = "γ + <i>b</i> (1 − γ)"

_DENSITY = (
    "<i>b</i> = e<sup>−ε</sup>, &nbsp;<i>a</i> = (1 − <i>b</i>) / (2 Δ (" + _STEP + "))",
    "<i>f</i>(<i>x</i>) = <i>a b</i><sup><i>k</i></sup> &nbsp;for <i>k</i>Δ ≤ |<i>x</i>| &lt; (<i>k</i> + γ) Δ",
    "<i>f</i>(<i>x</i>) = <i>a b</i><sup><i>k</i>+1</sup> &nbsp;for (<i>k</i> + γ) Δ ≤ |<i>x</i>| &lt; (<i>k</i> + 1) Δ",
)
_MASS = (
    "<i>b</i> = e<sup>−ε</sup>, &nbsp;<i>a</i> = (1 − <i>b</i>) / (2<i>r</i> + 2<i>b</i> (Δ − <i>r</i>) − (1 − <i>b</i>))",
    "<i>P</i>(<i>i</i>) = <i>a</i> &nbsp;for 0 ≤ <i>i</i> &lt; <i>r</i>, &nbsp;"
    "<i>P</i>(<i>i</i>) = <i>a b</i> &nbsp;for <i>r</i> ≤ <i>i</i> &lt; Δ",
    "<i>P</i>(<i>i</i> + Δ) = <i>b</i> <i>P</i>(<i>i</i>), &nbsp;<i>P</i>(−<i>i</i>) = <i>P</i>(<i>i</i>)",
)
_VECTOR = (
    "<i>b</i> = e<sup>−ε</sup>; the density is a constant times <i>b</i><sup><i>k</i></sup> where "
    "<i>k</i>Δ ≤ ‖<i>x</i>‖<sub>1</sub> &lt; (<i>k</i> + γ) Δ, and times <i>b</i><sup><i>k</i>+1</sup> up to (<i>k</i> + 1) Δ",
    "<i>E</i> ‖<i>X</i>‖<sub>1</sub><sup><i>m</i></sup> = Δ<sup><i>m</i></sup> "
    "<i>d</i> / (<i>d</i> + <i>m</i>) · <i>S</i><sub><i>d</i>+<i>m</i></sub>(γ) / <i>S</i><sub><i>d</i></sub>(γ), &nbsp;"
    "<i>S</i><sub><i>M</i></sub>(γ) = ∑<sub><i>k</i></sub> <i>b</i><sup><i>k</i></sup> (<i>k</i> + γ)<sup><i>M</i></sup>",
)
_SQUARES = (
    "<i>E</i> ∑ <i>X</i><sub><i>i</i></sub><sup>2</sup> = 2 / (<i>d</i> + 1) · <i>E</i> ‖<i>X</i>‖<sub>1</sub><sup>2</sup>: "
    "given its norm, <i>X</i> is uniform",
)
_ABSOLUTE = ("γ* = 1 / (1 + e<sup>ε/2</sup>), &nbsp;<i>E</i>|<i>X</i>| = Δ / (2 sinh(ε/2))",)
_SQUARED = (
    "γ* = −<i>b</i> / (1 − <i>b</i>) + (<i>b</i> − 2<i>b</i><sup>2</sup> + 2<i>b</i><sup>4</sup> − <i>b</i><sup>5</sup>)"
    "<sup>1/3</sup> / (2<sup>1/3</sup> (1 − <i>b</i>)<sup>2</sup>)",
    "<i>E X</i><sup>2</sup> = Δ<sup>2</sup> (2<sup>−2/3</sup> <i>b</i><sup>2/3</sup> (1 + <i>b</i>)<sup>2/3</sup> + <i>b</i>) / "
    "(1 − <i>b</i>)<sup>2</sup>",
)
_ANY = (
    "<i>E L</i>(<i>X</i>) = 2<i>a</i> (1 − <i>b</i>) ∑<sub><i>k</i></sub> <i>b</i><sup><i>k</i></sup> Λ((<i>k</i> + γ) Δ), &nbsp;"
    "Λ(<i>x</i>) = ∫<sub>0</sub><sup><i>x</i></sup> <i>L</i>",
)


def formulas(outcome: NoiseOutcome) -> str:
    """Return the formulas behind a noise and its numbers."""
    design = outcome.design
    if design.dimension > 1:
        squares = _SQUARES if isinstance(design.noise_cost, SumOfSquares) else ()
        parts = [_block(_tr("Density and cost"), _VECTOR + squares)]
    elif design.query == "integer":
        parts = [_block(_tr("Probability of the noise <i>i</i>"), _MASS)]
    else:
        parts = [_block(_tr("Density of the noise"), _DENSITY), *_cost(design)]
    return "".join([*parts, f"<p><b>{_tr('The numbers')}</b></p>", _table(outcome)])


def _cost(design: NoiseDesign) -> tuple[str, ...]:
    """The cost of any gamma, and the best gamma where that is known in closed form."""
    power = design.noise_cost.power if isinstance(design.noise_cost, PowerCost) else 0
    general = _block(_tr("What it costs, for any even cost <i>L</i>"), _ANY)
    if power in (1, 2):
        return general, _block(_tr("The best γ and its cost"), _ABSOLUTE if power == 1 else _SQUARED)
    return (general,)


def _block(title: str, lines: tuple[str, ...]) -> str:
    return f"<p><b>{title}</b></p>" + "".join(f'<p style="margin-left: 12px">{line}</p>' for line in lines)


def _table(outcome: NoiseOutcome) -> str:
    design = outcome.design
    where = ("γ", figure(outcome.gamma, _DIGITS)) if outcome.split is None else ("<i>r</i>", str(outcome.split))
    rows = [
        ("ε", figure(design.epsilon, _DIGITS)),
        ("<i>b</i> = e<sup>−ε</sup>", alpha_text(design.privacy)),
        ("Δ", str(design.sensitivity)),
        where,
        (_tr("height at 0"), figure(float(outcome.noise.height), _DIGITS)),
        (_tr("expected cost"), figure(outcome.cost, _DIGITS)),
        (_tr("of the best"), figure(outcome.least, _DIGITS)) if design.gamma != "optimal" else ("", ""),
        (_tr("of Laplace noise"), figure(outcome.laplace_cost, _DIGITS) if not math.isnan(outcome.laplace_cost) else "–"),
    ]
    cells = "".join(f'<tr><td style="padding-right: 12px">{name}</td><td>{text}</td></tr>' for name, text in rows if name)
    return f"<table>{cells}</table>"


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)
