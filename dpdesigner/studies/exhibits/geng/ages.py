"""[Geng], example: how many of four people are older than 32; the release is off by -1, 0, 1, 2, in half of cases by 0."""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.numbers.given import Number
from dpdesigner.studies.asked import whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars_beside, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent

_AGES = (20, 35, 43, 30)
_NOISE = {-1: Fraction(1, 8), 0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 8)}


class Ages(Exhibit):
    """Four ages, one answer."""

    exhibit = "geng/ages"
    heading = said("Four ages, one answer")
    place = said("first example")
    claim = said(
        "Of the ages 20, 35, 43, 30 two are above 32; K(D) = 1, 2, 3, 4 with probabilities 1/8, 1/2, 1/4, 1/8 is a mechanism."
    )
    verdict = said("1/8, 1/2, 1/4, 1/8")
    must = said(
        "It shows what a mechanism is, not one that is private: moved along with the answer, this noise gives a "
        "release that the neighbour never makes. Noise that is private has no end."
    )

    age: int = parameter(
        whole_number(0, 99, symbol=said("age"), slide=(0, 60), try_=((32, said("two are older")), (42, said("one is older")))),
        32,
        said("Older than"),
    )
    removed: int = parameter(
        whole_number(0, 4, symbol=said("person"), try_=((2, said("the one of 35")),)),
        2,
        said("Who leaves the table"),
        said("0: nobody"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Count, release, and lay the neighbour's release beside it."""
        older = [age > self.age for age in _AGES]
        count = sum(older)
        left = count - (self.removed > 0 and older[self.removed - 1])
        places = range(-1, 8)
        mine = [_NOISE.get(r - count, Fraction(0)) for r in places]
        theirs = [_NOISE.get(r - left, Fraction(0)) for r in places]
        impossible = sum((x for x, y in zip(mine, theirs, strict=True) if not y), Fraction(0))
        findings = {
            "value": Finding(said("people older"), count, state="proved"),
            "chances": Finding(
                said("chances of {low} to {high}", low=count - 1, high=count + 2), ", ".join(text(x) for x in _NOISE.values())
            ),
            "mean": Finding(
                said("mean of the release"), count + sum((z * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "distance": Finding(
                said("mean distance from the truth"), sum((abs(z) * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "impossible": Finding(said("chance of a release impossible without that person"), impossible, state="proved"),
        }
        printed: dict[str, Number] = {"chances": "1/8, 1/2, 1/4, 1/8"}
        if self.age == 32:
            printed["value"] = 2
        sentence = said(
            "{count} of four are older than {age}; the release says {count} in half of cases.", count=count, age=self.age
        )
        return self.answer(findings, (self._released(places, mine, theirs),), sentence, printed=printed)

    def _released(self, places: range, mine: list[Fraction], theirs: list[Fraction]) -> Plot:
        names = tuple(map(str, places))
        return Plot(
            "released",
            said("How likely each release is"),
            Axis(said("released"), scale="names", names=names),
            Axis(said("chance"), limits=(0, 0.6)),
            bars_beside(
                (mine, said("all four")),
                (theirs, said("without person {k}", k=self.removed) if self.removed else said("all four")),
            ),
        )
