"""[BLR] Theorem 6.3 (Johnson and Lindenstrauss, with random signs): a projection to T dimensions keeps lengths.

Entries +-1/sqrt T: E|Ax|^2 = |x|^2, and Pr[| |Ax|^2 - |x|^2 | > z |x|^2] <= 2 exp(-(z^2 - z^3) T/4).
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter, study_seed
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Line, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class JohnsonLindenstrauss(Exhibit):
    """Lengths survive fewer dimensions."""

    exhibit = "blr/johnson-lindenstrauss"
    heading = said("Lengths survive fewer dimensions")
    place = said("Theorem 6.3")
    claim = said(
        "For a random T × d matrix A with entries ±1/√T, |Ax|² is within ζ|x|² of |x|² except with probability 2 "
        "exp(−(ζ² − ζ³)T/4), for every x."
    )
    verdict = said("fails less often than promised")
    slow = True
    must = said(
        "Every coordinate of Ax is a sum of d random signs; the squares of T of them average out. With ±1/T in "
        "place of ±1/√T lengths would shrink to 1/T."
    )
    badge = (said("drawn from a seed"), "measured")

    t: int = parameter(
        whole_number(1, 400, symbol="T", slide=(1, 400), try_=(20, 100, 400)), 100, said("How many dimensions are left")
    )
    d: int = parameter(whole_number(2, 1000, symbol="d", slide=(2, 200)), 50, said("How many there were"))
    zeta: Number = parameter(number("1/20", "19/20", symbol="ζ", try_=("1/2", "1/4")), "1/2", said("How far off a length may be"))
    seed: int = study_seed(said("Which matrices"))

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
        promised = min(1.0, 2 * math.exp(-(z * z - z**3) * t / 4))
        twice = min(1.0, 2 * promised)
        far, apart = float((np.abs(lengths - 1) > z).mean()), float((np.abs(products - float(x @ y)) > z).mean())
        mean = float(lengths.mean())
        findings = {
            "value": Finding(said("promised chance of failure"), promised, digits=5, rounding="up"),
            "measured": Finding(said("measured"), far, digits=4, state="measured"),
            "mean": Finding(said("mean of |Ax|²"), mean, digits=4, state="measured"),
            "product": Finding(said("product of two: off by more than ζ, measured"), apart, digits=4, state="measured"),
            "product-promised": Finding(said("promised for products, twice that"), twice, digits=5, rounding="up"),
            "wrong-scale": Finding(said("mean of |Ax|² with entries ±1/T"), mean / t, digits=4, state="measured"),
            "draws": Finding(said("matrices drawn"), draws),
        }
        sentence = said(
            "Of {draws} projections to {t} dimensions {far} changed the length by more than {z}; promised was {promised}.",
            draws=draws,
            t=t,
            far=f"{100 * far:.3g}\u00a0%",
            z=self.zeta,
            promised=f"{text(100 * promised, 3, 'up')}\u00a0%",
        )
        panels = self._lengths(lengths, draws, z), self._bound(far, t, z)
        return self.answer(findings, panels, sentence, printed={"value": promised})

    def _lengths(self, lengths: Floats, draws: int, z: float) -> Plot:
        counts, edges = np.histogram(lengths, np.linspace(0, 2, 41))
        return Plot(
            "lengths",
            said("The square of the length, after"),
            Axis(said("|Ax|²"), limits=(0, 2)),
            Axis(said("share of the draws")),
            (Line(edges[:-1], counts / draws, said("drawn"), steps=True, low=np.zeros(40), high=counts / draws),),
            bands=(Band(0, 1 - z, said("too short")), Band(1 + z, 2, said("too long"))),
        )

    def _bound(self, far: float, t: int, z: float) -> Plot:
        at = geometric_places(10, 400, 80)
        return Plot(
            "bound",
            said("How often it fails, at most"),
            Axis("T", scale="log"),
            Axis(said("chance"), limits=(0, 1)),
            (curve(at, lambda m: min(1.0, 2 * math.exp(-(z * z - z**3) * m / 4)), said("promised")),),
            marks=(Mark(max(t, 10), far, said("measured")),),
            handles=(self.handle("t", least=10),),
        )
