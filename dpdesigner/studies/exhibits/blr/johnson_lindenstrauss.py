"""[BLR] Theorem 6.3 (Johnson and Lindenstrauss, with random signs): a projection to T dimensions keeps lengths.

Entries +-1/sqrt T: E|Ax|^2 = |x|^2. T >= 20 s^-2 ln(1/tau) gives Pr[| |Ax|^2 - |x|^2 | >= s |x|^2] <= tau for 0 < s, tau < 1/2,
that is tau = exp(-T s^2/20). It follows from the sharper 2 exp(-(s^2 - s^3) T/4), which is not in the paper: for s < 1/2 that is
at most 2 exp(-T s^2/8), and tau < 1/2 means T s^2 > 20 ln 2, where 2 exp(-T s^2/8) < exp(-T s^2/20).
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter, study_seed
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class JohnsonLindenstrauss(Exhibit):
    """Lengths survive fewer dimensions."""

    exhibit = "blr/johnson-lindenstrauss"
    heading = message("Lengths survive fewer dimensions")
    place = message("Theorem 6.3, Corollary 6.4")
    claim = message(
        "Let ς and τ be between 0 and 1/2, and T ≥ 20 ς⁻² ln(1/τ). For every x, a random T × d matrix with entries "
        "±1/√T changes |x|² by ς|x|² or more with probability at most τ."
    )
    verdict = message("measured below τ = exp(−Tς²/20)")
    slow = True
    must = message(
        "Every coordinate of Ax is a sum with d random signs, and the errors of the T squares average out. With "
        "entries ±1/T in place of ±1/√T, squared lengths would shrink to 1/T."
    )
    badge = (message("drawn from a seed"), "measured")

    t: int = parameter(
        whole_number(1, 400, symbol="T", slide=(1, 400), try_=(20, 100, 400)), 100, message("Dimensions after the projection")
    )
    d: int = parameter(whole_number(2, 1000, symbol="d", slide=(2, 200)), 50, message("Dimensions before"))
    zeta: Number = parameter(number("1/20", "1/2", symbol="ς", try_=("2/5", "1/4")), "2/5", message("Allowed relative error"))
    seed: int = study_seed(message("Seed of the matrices"))

    def run(self, progress: Progress = silent) -> Answer:
        """Draw matrices from the seed, and measure the length of one vector and the product of two."""
        t, d, z = self.t, self.d, double(self.zeta)
        generator = np.random.default_rng(self.seed)
        x, y = generator.standard_normal((2, d))
        x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
        draws = max(200, min(4000, 4_000_000 // (t * d)))
        lengths, products = np.empty(draws), np.empty(draws)
        for k in range(draws):
            if k % 50 == 0:
                progress(k / draws)
            signs = generator.integers(0, 2, (t, d), dtype=np.int8) * 2.0 - 1.0
            ax, ay = signs @ x / math.sqrt(t), signs @ y / math.sqrt(t)
            lengths[k], products[k] = ax @ ax, ax @ ay
        promised, covered = math.exp(-t * z * z / 20), z < 0.5 and t * z * z > 20 * math.log(2)
        far, apart = float((np.abs(lengths - 1) >= z).mean()), float((np.abs(products - float(x @ y)) >= z).mean())
        mean = float(lengths.mean())
        findings = {
            "value": Finding(message("bound τ = exp(−Tς²/20)"), promised, digits=5, rounding="up"),
            "covered": Finding(message("the theorem covers these values: ς < 1/2 and τ < 1/2"), covered),
            "least": Finding(message("least T for τ < 1/2"), math.floor(20 * math.log(2) / z**2) + 1),
            "measured": Finding(message("measured probability"), far, digits=4, state="measured"),
            "mean": Finding(message("mean of |Ax|²"), mean, digits=4, state="measured"),
            "product": Finding(message("inner product wrong by ς or more, measured"), apart, digits=4, state="measured"),
            "product-promised": Finding(message("bound for inner products, 2τ"), min(1.0, 2 * promised), digits=5, rounding="up"),
            "sharper": Finding(
                message("sharper bound 2 exp(−(ς² − ς³)T/4)"),
                _sharper(t, z),
                digits=5,
                rounding="up",
                note=message("not in the paper"),
            ),
            "wrong-scale": Finding(message("mean of |Ax|² with entries ±1/T"), mean / t, digits=4, state="measured"),
            "draws": Finding(message("matrices drawn"), draws),
        }
        sentence = message(
            "{far} of {draws} projections to {t} dimensions changed the squared length by {z} or more. The bound is {promised}.",
            draws=draws,
            t=t,
            far=f"{100 * far:.3g}%",
            z=self.zeta,
            promised=f"{text(100 * promised, 3, 'up')}%",
        )
        panels = self._lengths(lengths, draws, z), self._bound(far, t, z)
        return self.answer(findings, panels, sentence, printed={"value": promised})

    def _lengths(self, lengths: Floats, draws: int, z: float) -> Plot:
        counts, edges = np.histogram(lengths, np.linspace(0, 2, 41))
        return Plot(
            "lengths",
            message("Squared length after the projection"),
            Axis(message("|Ax|²"), limits=(0, 2)),
            Axis(message("share of draws")),
            (Line(edges[:-1], counts / draws, message("drawn"), steps=True, low=np.zeros(40), high=counts / draws),),
            bands=(Band(0, 1 - z, message("too short")), Band(1 + z, 2, message("too long"))),
        )

    def _bound(self, far: float, t: int, z: float) -> Plot:
        at = geometric_places(10, 400, 80)
        return Plot(
            "bound",
            message("Probability of failure"),
            Axis("T", scale="log"),
            Axis(message("probability"), limits=(0, 1)),
            (
                curve(at, lambda m: math.exp(-m * z * z / 20), message("bound of the paper"), "bound"),
                curve(at, lambda m: _sharper(m, z), message("sharper bound"), "other"),
            ),
            marks=(Mark(max(t, 10), far, message("measured")),),
            handles=(self.handle("t", least=10),),
        )


def _sharper(t: float, z: float) -> float:
    return min(1.0, 2 * math.exp(-(z * z - z**3) * t / 4))
