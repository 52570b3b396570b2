"""[Geng], example: how many of four people are older than 32; the error is -1, 0, 1 or 2, and 0 with probability 1/2."""

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
    place = said("Slide “Background on Differential Privacy”")
    claim = said(
        "Of the people aged 20, 35, 43 and 30, two are older than 32. A randomised mechanism K releases 1, 2, 3, 4 with "
        "probabilities 1/8, 1/2, 1/4, 1/8 for this database."
    )
    verdict = said("count 2; 1/8, 1/2, 1/4, 1/8")
    must = said(
        "The slide gives the probabilities for one database only. If the same noise is added to the neighbour’s count, some "
        "releases are possible for one database and impossible for the other, so that mechanism is not ε-private for any ε."
    )

    age: int = parameter(
        whole_number(0, 99, symbol=said("age"), slide=(0, 60), try_=((32, said("two are older")), (42, said("one is older")))),
        32,
        said("Older than"),
    )
    removed: int = parameter(
        whole_number(0, 4, symbol=said("person"), try_=((2, said("the one of 35")),)),
        2,
        said("Removed person"),
        said("0: nobody"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Count, and give the probabilities of the release for both databases."""
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
                said("probabilities of {low} to {high}", low=count - 1, high=count + 2),
                ", ".join(text(x) for x in _NOISE.values()),
            ),
            "mean": Finding(
                said("expected release"), count + sum((z * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "distance": Finding(
                said("expected error"), sum((abs(z) * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "impossible": Finding(said("probability of a release impossible without that person"), impossible, state="proved"),
        }
        printed: dict[str, Number] = {"value": 2, "chances": "1/8, 1/2, 1/4, 1/8"} if self.age == 32 else {}
        sentence = said(
            "{count} of four people are older than {age}; the release is {count} with probability 1/2.", count=count, age=self.age
        )
        return self.answer(findings, (self._released(places, mine, theirs),), sentence, printed=printed)

    def _released(self, places: range, mine: list[Fraction], theirs: list[Fraction]) -> Plot:
        names = tuple(map(str, places))
        return Plot(
            "released",
            said("Probability of each release"),
            Axis(said("released"), scale="names", names=names),
            Axis(said("probability"), limits=(0, 0.6)),
            bars_beside(
                (mine, said("all four")),
                (theirs, said("without person {k}", k=self.removed) if self.removed else said("all four")),
            ),
        )
