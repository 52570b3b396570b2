"""[BLR] Lemmas 3.12 and 3.13: a release that is useful for a class gives back most of a database of shattered points.

S has d points, T is half of them, Q_T counts the share of a database in T. Lemma 3.12: Q_T(T) - Q_T(T') = |T sym.diff. T'|/d.
Lemma 3.13: from a release D' that is within alpha of T on every query, T' = argmin Q_T'(T') - Q_T'(D') has |T sym.diff. T'| <=
2 d alpha. Q_T'(T') = 1, so T' holds the d/2 points with the largest shares in D'. Here D' is the histogram of T with geometric
noise of ratio exp(-eps/2) in each of the d cells; negative counts become 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.draws import Source, for_study, geometric_noise
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import bars, curve, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter, study_seed
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

_RELEASES = 200
_MOST_PAIRS = 10  # points up to which all pairs of halves are compared


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """A release of half of the points, and the half that is reconstructed from it.

    Attributes
    ----------
    half : tuple of int
        T.
    shares : ndarray
        (d,): D', as shares; they sum to 1.
    rebuilt : tuple of int
        T'.
    error : float
        alpha: the largest error of any query on the d points, all 2^d of them.
    """

    half: tuple[int, ...]
    shares: Floats
    rebuilt: tuple[int, ...]
    error: float

    @property
    def distance(self) -> int:
        """|T sym.diff. T'|."""
        return len(set(self.half) ^ set(self.rebuilt))


class Lemmas31213(Exhibit):
    """Useful answers give the database back."""

    exhibit = "blr/lemmas-3.12-13"
    heading = message("Useful answers reveal the database")
    place = message("Lemmas 3.12, 3.13")
    claim = message(
        "For halves T, T′ of d shattered points, Q_T(T) − Q_T(T′) = |T △ T′|/d. From a release within α of T on every query, "
        "argmin v_T′ reconstructs a half with |T △ T′| ≤ 2dα."
    )
    verdict = message("|T △ T′| ≤ 2dα in every release")
    must = message(
        "For T itself, v_T = Q_T(T) − Q_T(D′) is at most α, so for the argmin it is too. By Lemma 3.12 it is at least "
        "|T △ T′|/d − α. Together these give |T △ T′| ≤ 2dα: an accurate release cannot hide the database."
    )
    slow = True
    quick_picture = True
    badge = (message("drawn from a seed"), "measured")

    d: int = parameter(
        whole_number(2, 60, symbol="d", slide=(2, 60), try_=(6, 20, 60)), 20, message("Shattered points"), message("d, even")
    )
    epsilon: Number = how_private("4", try_=("1/2", 2, 4))
    seed: int = study_seed(message("Seed of the half and the noise"))

    def check(self) -> None:
        """Only an even number has halves."""
        if self.d % 2:
            raise InputError(f"d must be even, got {self.d}.", "d", str(self.d - 1))

    def run(self, progress: Progress = silent) -> Answer:
        """Check Lemma 3.12 on all pairs of few points, and reconstruct from many releases."""
        d = self.d
        level, source = PrivacyLevel.from_epsilon(exact(self.epsilon) / 2), for_study(self.seed)
        generator = np.random.default_rng(self.seed)
        made = []
        for k in range(_RELEASES):
            progress(k / _RELEASES)
            made.append(_reconstructed(tuple(sorted(generator.permutation(d)[: d // 2].tolist())), d, level, source))
        first, kept = made[0], sum(each.distance <= 2 * d * each.error + 1e-9 for each in made)
        mean = float(np.mean([len(set(each.half) & set(each.rebuilt)) for each in made])) / (d // 2)
        small = min(d, _MOST_PAIRS)
        findings = {
            "value": Finding(message("|T △ T′| of the release shown"), first.distance),
            "bound": Finding(message("bound 2dα"), 2 * d * first.error, digits=4, rounding="up"),
            "alpha": Finding(message("α of the release shown, over all 2^d queries"), first.error, digits=4, rounding="up"),
            "kept": Finding(message("releases within the bound, out of {many}", many=_RELEASES), kept, state="measured"),
            "recovered": Finding(message("share of T recovered, on average"), mean, digits=3, state="measured"),
            "lemma-3.12": Finding(
                message("Lemma 3.12 holds for all pairs of halves, d = {d}", d=small), _identity(small), state="proved"
            ),
        }
        sentence = message(
            "{right} of the {half} points of T are recovered from this release. For α = {alpha} the lemma guarantees "
            "at least {least}.",
            right=len(set(first.half) & set(first.rebuilt)),
            half=d // 2,
            alpha=f"{first.error:.3g}",
            least=max(0, d // 2 - int(d * first.error + 1e-9)),
        )
        return self.answer(findings, (self._shown(first), self._all(made)), sentence, printed={"lemma-3.12": message("yes")})

    def _shown(self, first: Reconstruction) -> Plot:
        d, inside = self.d, 2 / self.d
        truth = [inside * (k in first.half) for k in range(d)]
        rebuilt = [k for k in range(d) if k in first.rebuilt]
        return Plot(
            "shown",
            message("A half T, a private release of it, and T′"),
            Axis(message("point"), limits=(-0.6, d - 0.4)),
            Axis(message("share of the database")),
            (
                bars(truth, message("T"), "truth", beside=(0, 2)),
                bars(first.shares.tolist(), message("release D′"), beside=(1, 2)),
                points(rebuilt, [0.0] * len(rebuilt), message("reconstructed: T′"), "rival"),
            ),
        )

    def _all(self, made: list[Reconstruction]) -> Plot:
        made = sorted(made, key=lambda each: (each.error, each.distance))
        most = max(*(each.error for each in made), 0.05)
        return Plot(
            "all",
            message("Error and reconstruction in {many} releases", many=len(made)),
            Axis(message("error α of the release"), limits=(0.0, most * 1.05)),
            Axis("|T △ T′| / d", limits=(0.0, max(1.0, 2.1 * most))),
            (
                points(
                    [each.error for each in made], [each.distance / self.d for each in made], message("reconstructed"), dots=True
                ),
                curve((0.0, most * 1.05), lambda x: 2 * x, message("bound 2α"), "bound"),
            ),
        )


def _reconstructed(half: tuple[int, ...], d: int, level: PrivacyLevel, source: Source) -> Reconstruction:
    """Release the histogram of a half, and reconstruct the half from it."""
    truth = np.zeros(d)
    truth[list(half)] = 1
    noisy = np.maximum(truth + geometric_noise(level, d, source), 0)
    shares = noisy / noisy.sum() if noisy.sum() else np.full(d, 1 / d)
    # Q_T'(T') is 1 for every half, so v_T' is least for the d/2 largest shares.
    rebuilt = tuple(sorted(np.argsort(-shares, kind="stable")[: d // 2].tolist()))
    # The worst of all 2^d queries holds just the points with too small a share, or just the others.
    error = float(np.maximum(truth / (d // 2) - shares, 0).sum())
    return Reconstruction(half, np.asarray(shares), rebuilt, error)


def _identity(d: int) -> bool:
    """Return whether Q_T(T) - Q_T(T') = |T sym.diff. T'|/d for all pairs of halves of d points, in fractions."""
    halves = [frozenset(half) for half in combinations(range(d), d // 2)]
    return all(1 - Fraction(len(one & other), d // 2) == Fraction(len(one ^ other), d) for one in halves for other in halves)
