"""[GRS] Section 2.3: a random remap is never better than the best deterministic one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.dense.remap import solve_exactly
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import Solution
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, points, shares, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter, study_seed
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role


class RandomisedRemaps(Exhibit):
    """Random remaps do not help."""

    exhibit = "grs/randomised-remaps"
    heading = message("Random remaps do not help")
    place = message("Section 2.3")
    claim = message(
        "A deterministic remap is optimal, even among randomised ones: for each output, choose the result with the "
        "least expected loss under the posterior."
    )
    verdict = message("the best remap is deterministic")
    must = message(
        "For each output, the expected loss of a random remap is an average of the losses of single readings. An average is "
        "never below the smallest of them."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(1, 12, symbol="n"), 5, message("Number of people"))
    alpha: Number = how_private_alpha("1/2", "1/100", "99/100", ends=("", ""), try_=(("1/2", message("ε = ln 2")),))
    chance: Number = parameter(
        number(0, 1, symbol="t", ends=(message("always the best remap"), message("always at random"))),
        "1/3",
        message("Weight of the random remap"),
    )
    seed: int = study_seed(message("Which random remap"))

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
            "value": Finding(message("expected loss of the mixed remap"), mixed, rounding="up", state="proved"),
            "best": Finding(message("expected loss of the best remap"), best.value, rounding="up", state="proved"),
            "random": Finding(message("expected loss of the random remap"), random, rounding="up", state="proved"),
            "stands": Finding(message("expected loss at face value"), stands, rounding="up", state="proved"),
            "advantage": Finding(
                message("gain from randomising, at most"), max(Fraction(0), best.value - min(mixed, random)), state="proved"
            ),
        }
        sentence = message(
            "With the random remap used with probability {t} the expected loss is {mixed}; with the best remap alone, {best}.",
            t=text(t),
            mixed=text(mixed, rounding="up"),
            best=text(best.value, rounding="up"),
        )
        return self.answer(findings, (self._scores(n, scores), self._mixed(best, random)), sentence, printed={"advantage": 0})

    def _mixed(self, best: Solution, random: Fraction) -> Plot:
        return Plot(
            "mixed",
            message("Expected loss of a mixture"),
            Axis(message("weight of the random remap, t"), limits=(0, 1)),
            Axis(message("expected loss")),
            (
                curve(shares(), lambda x: (1 - x) * best.value + x * random, message("mixed")),
                curve(shares(), lambda x: best.value, message("best remap"), "aid"),
            ),
            handles=(self.handle("chance"),),
        )

    def _scores(self, n: int, scores: list[list[Fraction]]) -> Plot:
        roles: tuple[Role, ...] = ("main", "other", "rival")
        shown = zip(roles, scores, strict=False)
        return Plot(
            "scores",
            message("Loss of each reading of an output"),
            Axis(message("read as r"), scale="whole"),
            Axis(message("loss")),
            tuple(
                points(range(n + 1), costs, message("output {j}", j=j), role, dashed=False)
                for j, (role, costs) in enumerate(shown)
            ),
        )


def _scores(n: int, alpha: Fraction, prior: list[Fraction], loss: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return what reading release j as r adds to the expected loss."""
    weights, powers = geometric.exact_weights(alpha, n), geometric.powers(alpha, n)
    return [
        [sum((prior[i] * weights[j] * powers[abs(i - j)] * loss[i][r] for i in range(n + 1)), Fraction(0)) for r in range(n + 1)]
        for j in range(n + 1)
    ]
