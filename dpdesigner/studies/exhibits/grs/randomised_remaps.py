"""[GRS] Section 2: a random reading of a release is never better than the best certain one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.dense.exact import solve_exactly
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.certificate import Solution
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.studies.asked import number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, points, shares, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter, study_seed
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Role


class RandomisedRemaps(Exhibit):
    """Reading at random does not help."""

    exhibit = "grs/randomised-remaps"
    heading = said("Reading at random does not help")
    place = said("Section 2")
    claim = said("Users may remap releases at random, with any probabilities; some deterministic remap is always as good.")
    verdict = said("linear: the best end is certain")
    must = said(
        "The cost is a sum over releases of weighted averages of the costs of single readings; an average is never "
        "below the least of its parts."
    )
    badge = (said("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(1, 12, symbol="n"), 5, said("How many people"))
    alpha: Number = how_private_alpha("1/2", "1/100", "99/100", ends=("", ""), try_=(("1/2", said("ε = ln 2")),))
    chance: Number = parameter(
        number(0, 1, symbol="t", ends=(said("always the best"), said("always at random"))), "1/3", said("How often at random")
    )
    seed: int = study_seed(said("Which random reading"))

    def run(self, progress: Progress = silent) -> Answer:
        """Mix the best remap with a random one drawn from a seed; loss |i - r|, uniform prior, all in fractions."""
        n, alpha, t = self.n, exact(self.alpha), exact(self.chance)
        prior = [Fraction(1, n + 1)] * (n + 1)
        loss = [[Fraction(abs(i - r)) for r in range(n + 1)] for i in range(n + 1)]
        best = solve_exactly(prior, loss, alpha)
        scores = _scores(n, alpha, prior, loss)
        drawn = np.random.default_rng(self.seed).integers(0, 10, (n + 1, n + 1)) + 1
        random = sum(
            (Fraction(int(drawn[j, r]), int(drawn[j].sum())) * scores[j][r] for j in range(n + 1) for r in range(n + 1)),
            Fraction(0),
        )
        mixed = (1 - t) * best.value + t * random
        stands = sum((scores[j][j] for j in range(n + 1)), Fraction(0))
        findings = {
            "value": Finding(said("loss of the mixed reading"), mixed, rounding="up", state="proved"),
            "best": Finding(said("loss of the best certain reading"), best.value, rounding="up", state="proved"),
            "random": Finding(said("loss of the random reading"), random, rounding="up", state="proved"),
            "stands": Finding(said("loss at face value"), stands, rounding="up", state="proved"),
            "advantage": Finding(
                said("gain by randomness, at most"), max(Fraction(0), best.value - min(mixed, random)), state="proved"
            ),
        }
        sentence = said(
            "Read at random in {t} of cases, the release costs {mixed}; read with certainty, {best}.",
            t=text(t),
            mixed=text(mixed, rounding="up"),
            best=text(best.value, rounding="up"),
        )
        return self.answer(findings, (self._scores(n, scores), self._mixed(best, random)), sentence, printed={"advantage": 0})

    def _mixed(self, best: Solution, random: Fraction) -> Plot:
        return Plot(
            "mixed",
            said("Loss of reading at random now and then"),
            Axis(said("share at random t"), limits=(0, 1)),
            Axis(said("expected loss")),
            (
                curve(shares(), lambda x: (1 - x) * best.value + x * random, said("mixed")),
                curve(shares(), lambda x: best.value, said("best certain reading"), "aid"),
            ),
            handles=(self.handle("chance"),),
        )

    def _scores(self, n: int, scores: list[list[Fraction]]) -> Plot:
        roles: tuple[Role, ...] = ("main", "other", "rival")
        shown = zip(roles, scores, strict=False)
        return Plot(
            "scores",
            said("What each reading of a release costs"),
            Axis(said("read as r"), scale="whole"),
            Axis(said("cost")),
            tuple(
                points(range(n + 1), costs, said("release {j}", j=j), role, dashed=False) for j, (role, costs) in enumerate(shown)
            ),
        )


def _scores(n: int, alpha: Fraction, prior: list[Fraction], loss: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return what reading release j as r adds to the expected loss."""
    weights, powers = geometric.exact_weights(alpha, n), geometric.powers(alpha, n)
    return [
        [sum((prior[i] * weights[j] * powers[abs(i - j)] * loss[i][r] for i in range(n + 1)), Fraction(0)) for r in range(n + 1)]
        for j in range(n + 1)
    ]
