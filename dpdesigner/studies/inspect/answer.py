"""The answer to an inspection: what the table gives away, how it reads, and its pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpdesigner.core.inspection.curves import TradeOff
from dpdesigner.core.inspection.optimum import Deficiency, deficiency
from dpdesigner.core.inspection.profile import Profile, profile
from dpdesigner.core.inspection.reading import Reader
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.core.numbers.parsing import exact, exact_text
from dpdesigner.core.numbers.rounding import figure, significant
from dpdesigner.data.office_tables import NoiseTable
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel, Why
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.inspect.design import InspectDesign
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot
from dpdesigner.studies.table_panels import Rank, Ranking, Sentence, Table

_MOST_AGAIN = 40
_AGAIN = (1, 2, 3, 5, 10)
_FLOOR = 1e-6  # of the picture of delta

WHY = Why(
    message(
        "<b>What can be found out.</b> Of two counts that differ by one person, an attacker sees one release and says “in” or "
        "“not in”. The best tests say “in” where the ratio of the two probabilities is large; they are the corners of the curve, "
        "and between them a test is drawn at random. The worst two counts are shown: {found_out} are found out.\n\n"
        "<b>δ</b> is what the ratio e<sup>ε</sup> does not cover: the largest sum of P − e<sup>ε</sup> Q over releases, "
        "{delta} here. It is 0 from the largest ratio on, {exp_epsilon}.\n\n"
        "<b>Use.</b> Every release is read as what costs least by this belief and loss: {best_loss}. Geometric noise, which is "
        "the best noise for a count, costs as much at ε = {epsilon_same_use}."
    ),
    formula=message("δ(ε) = max Σ<sub><i>r</i></sub> (<i>M<sub>ir</sub></i> − e<sup>ε</sup> <i>M<sub>kr</sub></i>)<sub>+</sub>"),
    sources=message(
        "A. Ghosh, T. Roughgarden, M. Sundararajan (2009), for the best noise. J. Neyman, E. S. Pearson (1933), for the tests."
    ),
    help="inspect",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class InspectAnswer(Answer):
    """What an inspection found.

    Attributes
    ----------
    source : NoiseTable
        The table as it was read.
    releases : ReleaseTable
        As probabilities, before sampling.
    profile : Profile
        Of every two neighbouring rows, for an attacker who knows everybody else.
    people : Profile
        For the attacker of the design; the same where that one knows everybody else.
    reader : Reader
        The table as this user reads it.
    passed : bool
        Whether the table as written is a mechanism, and as private as was asked.
    """

    design: InspectDesign
    source: NoiseTable
    releases: ReleaseTable
    profile: Profile
    people: Profile
    reader: Reader
    passed: bool

    @property
    def worst(self) -> tuple[tuple[int, int], TradeOff]:
        """The pair of rows at which most are found out at the false alarms asked, and its curve."""
        place = self.people.worst_pair(exact(self.design.false_alarms))
        return self.people.pairs[place], self.people.curves[place].curve

    def curve(self, i: int, k: int) -> TradeOff:
        """Return the trade-off curve of two neighbouring rows, for someone counted in row i and not in row k."""
        return self.profile.curves[self.profile.pairs.index((i, k))].curve

    @cached_property
    def deficiency(self) -> Deficiency | None:
        """What the worst user loses per unit of the range of their loss; None where it takes too long."""
        return deficiency(self.reader.table, profile(self.reader.table).exp_epsilon)

    def details(self) -> dict[str, Any]:
        """Return the kinks of delta, the corners of the worst curve and every pair, as JSON values, fractions as text."""
        (i, k), curve = self.worst
        return {
            "kinks": [{"exp_epsilon": _json(t), "delta": _json(delta)} for t, delta in self.profile.kinks],
            "corners": {
                "pair": [i, k],
                "points": [{"false_alarms": _json(q), "found_out": _json(p)} for q, p in curve.points],
            },
            "pairs": [
                {
                    "in": i,
                    "out": k,
                    "exp_epsilon": _json(each.ratio if each.ratio == math.inf else each.ratio**self.profile.releases),
                    "delta": _json(several.curve.delta(1 / self.design.privacy.alpha_above)),
                    "total_variation": _json(several.curve.delta(Fraction(1))),
                }
                for (i, k), each, several in zip(self.profile.pairs, self.profile.contrasts, self.profile.curves, strict=True)
            ],
        }

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the pictures of the open tab; what a tab shows is computed when it is opened."""
        tabs: dict[str, Callable[[], Panel]] = {
            "reading": self._readings,
            "again": self._again,
            "intervals": self._posterior,
        }
        if (own := tabs.get(view.get("view") or "")) is not None:
            return (own(), self._matrix())
        return (self._found_out(), self._delta(), self._matrix(), self._use(), Sentence(self._pair_words()))

    def _found_out(self) -> Plot:
        (i, k), curve = self.worst
        points = [(float(q), float(p)) for q, p in curve.points]
        x, y = np.array([q for q, _ in points]), np.array([p for _, p in points])
        lines = [
            Line(x, y, message("found out")),
            Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), message("guessing"), "aid", dashed=True),
        ]
        same = self.findings["epsilon_same_use"].number
        if same is not None and 0 < same < 700:
            alpha = math.exp(-same)
            corner = alpha / (1 + alpha)
            useful = message("as useful, ε = {epsilon}", epsilon=figure(same, 3))
            lines.append(Line(np.array([0, corner, 1.0]), np.array([0, 1 - corner, 1.0]), useful, "rival", dashed=True))
        at = float(exact(self.design.false_alarms))
        text = message(
            "{found} at {false}", found=significant(100 * float(self.findings["found_out"].number or 0), 3), false=f"{100 * at:g}"
        )
        title = (
            message("Found out, against false alarms")
            if i < 0
            else message("Found out, against false alarms: counts {k} and {i}", i=i, k=k)
        )
        axes = (
            Axis(message("named wrongly, of those who are not in"), limits=(0.0, 1.0)),
            Axis(message("found out, of those who are in"), limits=(0.0, 1.0)),
        )
        return Plot("found-out", title, *axes, tuple(lines), handles=(Handle(at, text, "false_alarms", step=0.01),))

    def _delta(self) -> Plot:
        kinks = self.profile.kinks
        last = max([math.log(float(t)) for t, _ in kinks if t != math.inf] + [1.0])
        end = min(1.15 * max(last, self.design.privacy.epsilon), 20.0) if last < 20 else max(5.0, self.design.privacy.epsilon)
        places = np.unique(
            np.concatenate([np.linspace(0, end, 161), [math.log(float(t)) for t, _ in kinks if math.log(float(t)) <= end]])
        )
        ratios = np.array([float(t) for t, _ in kinks])
        values = np.interp(np.exp(places), ratios, np.array([float(delta) for _, delta in kinks]))
        values = np.where(values > 0, values, np.nan)
        epsilon = self.design.privacy.epsilon
        drawn = np.isfinite(values)
        lines = [Line(places, values, message("δ")) if drawn.any() else Line(places, np.full(len(places), _FLOOR), message("δ"))]
        marks: tuple[Mark, ...] = ()
        if (delta := self.findings["delta"].number) is not None and delta > 0:
            marks = (Mark(epsilon, delta, message("δ = {delta}", delta=figure(delta, 3))),)
        handle = Handle(epsilon, message("ε = {epsilon}", epsilon=significant(epsilon, 3)), "epsilon")
        low = max(float(np.nanmin(values)) / 3, _FLOOR) if drawn.any() else _FLOOR
        y = Axis(message("δ"), scale="log", limits=(low, 1.0))
        return Plot(
            "delta", message("What ε leaves open: δ"), Axis("ε", limits=(0.0, end)), y, tuple(lines), marks, handles=(handle,)
        )

    def _matrix(self) -> Matrix:
        table = self.releases
        texts = self._fraction if table.exact and table.weights.size <= 2000 else None
        return Matrix(
            "table",
            message("The table"),
            dense_cells(table.doubles),
            message("true count"),
            message("released value"),
            texts=texts,
        )

    def _fraction(self, i: int, r: int) -> str | None:
        return str(self.releases.probability(i, r))

    def _use(self) -> Ranking:
        found = self.findings
        rows = [Rank(message("read as well as possible"), found["best_loss"].number)]
        if (same := found["epsilon_same_use"].number) is not None and math.isfinite(same):
            rows.append(
                Rank(message("geometric noise, ε = {epsilon}", epsilon=figure(same, 3)), found["best_loss"].number, "bound")
            )
        rows.append(Rank(message("taken for the count itself"), found["face_loss"].number, "rival"))
        rows.append(Rank(message("not looking at the data"), float(self.reader.constant_loss), "rival"))
        return Ranking("use", message("Expected error"), tuple(rows))

    def _readings(self) -> Table:
        table, reading = self.reader.table, self.reader.reading
        rows = [(str(label), str(read)) for label, read in zip(table.labels, reading, strict=True)]
        note = message("A release that never comes is read as the smallest of all that are as good.")
        return Table(
            "readings", message("Best reading of each release"), (message("release"), message("read as")), tuple(rows), note
        )

    def _again(self) -> Table:
        rows = []
        table, false = self.profile.table, exact(self.design.false_alarms)
        for releases in _AGAIN if table.n <= _MOST_AGAIN else ():
            found = self.profile if releases == self.profile.releases else profile(table, self._group, releases, roughly=True)
            at = found.delta(1 / self.design.privacy.alpha_above)
            success = found.success(exact(self.design.base_rate))
            rows.append((str(releases), *(figure(100 * float(value), 4) for value in (found.found_out(false), success, at))))
        header = (message("releases"), message("found out, of 100"), message("bets won, of 100"), message("δ at ε, in percent"))
        return Table("again", message("The same count released again"), header, tuple(rows), message("Rounded up."))

    @property
    def _group(self) -> int:
        return max((abs(i - k) for i, k in self.profile.pairs), default=1)

    def _posterior(self) -> Plot:
        label, place = released_column(self.design, self.reader.table)
        beliefs = self.reader.posterior(place)
        counts = np.arange(self.reader.table.n + 1, dtype=float)
        values = np.zeros(len(counts)) if beliefs is None else np.array([float(value) for value in beliefs])
        line = Line(counts, values, message("after the release {release}", release=label), spikes=True)
        handle = Handle(float(label), message("released {release}", release=label), "released", step=1.0)
        axes = Axis(message("true count"), scale="whole"), Axis(message("probability"))
        return Plot("posterior", message("What is believed after a release"), *axes, (line,), handles=(handle,))

    def _pair_words(self) -> str:
        (i, k), _ = self.worst
        if i < 0:
            return message("The attacker knows only how the count of all others is spread.")
        never = [r for r in np.flatnonzero(self.profile.table.weights[i]).tolist() if not self.profile.table.weights[k, r]]
        if never:
            chance = self.curve(i, k).floor
            return message(
                "If the count is {i}, {chance} in 100 releases are impossible at {k}, and prove it. At {false} false alarms "
                "in 100, {found} in 100 are found out.",
                i=i,
                k=k,
                chance=figure(100 * float(chance), 3),
                false=f"{100 * float(exact(self.design.false_alarms)):g}",
                found=figure(100 * float(self.findings["found_out"].number or 0), 3),
            )
        return message(
            "At the counts {k} and {i} most are found out: {found}.",
            i=i,
            k=k,
            found=format_finding(self.findings["found_out"]),
        )


def released_column(design: InspectDesign, table: ReleaseTable) -> tuple[int, int]:
    """Return the release that intervals are told for, and its column: the middle of 0..n if none is named, else the nearest."""
    wanted = table.n // 2 if design.released is None else int(exact(design.released))
    place = min(range(len(table.labels)), key=lambda r: (abs(table.labels[r] - wanted), r))
    return table.labels[place], place


def _json(value: Fraction | float) -> str | float:
    if isinstance(value, Fraction):
        return exact_text(value) if value.denominator.bit_length() < 2000 else float(value)
    return "inf" if value == math.inf else value
