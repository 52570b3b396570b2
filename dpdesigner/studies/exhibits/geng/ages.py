"""[Geng], example: how many of four people are older than 32; the error is -1, 0, 1 or 2, and 0 with probability 1/2."""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.numbers.parsing import Number
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import grouped_bars, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

_AGES = (20, 35, 43, 30)
_NOISE = {-1: Fraction(1, 8), 0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 8)}


class Ages(Exhibit):
    """Four ages, one answer."""

    exhibit = "geng/ages"
    heading = message("Four ages and one answer")
    place = message("Slide “Background on Differential Privacy”")
    claim = message(
        "Among people aged 20, 35, 43 and 30, two are older than 32. A randomised mechanism K releases 1, 2, 3, 4 with "
        "probabilities 1/8, 1/2, 1/4, 1/8 for this database."
    )
    verdict = message("count 2; 1/8, 1/2, 1/4, 1/8")
    must = message(
        "The slide gives the probabilities for one database only. If the same noise is added to the count of a "
        "neighbour, some releases are possible for one database and impossible for the other. That mechanism is not "
        "ε-private for any ε."
    )

    age: int = parameter(
        whole_number(
            0, 99, symbol=message("age"), slide=(0, 60), try_=((32, message("two are older")), (42, message("one is older")))
        ),
        32,
        message("Older than"),
    )
    removed: int = parameter(
        whole_number(0, 4, symbol=message("person"), try_=((2, message("aged 35")),)),
        2,
        message("Person removed"),
        message("0: nobody"),
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
            "value": Finding(message("people above the age"), count, state="proved"),
            "chances": Finding(
                message("probabilities of {low} to {high}", low=count - 1, high=count + 2),
                ", ".join(text(x) for x in _NOISE.values()),
            ),
            "mean": Finding(
                message("expected release"), count + sum((z * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "distance": Finding(
                message("expected error"), sum((abs(z) * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "impossible": Finding(message("probability of a release impossible without that person"), impossible, state="proved"),
        }
        printed: dict[str, Number] = {"value": 2, "chances": "1/8, 1/2, 1/4, 1/8"} if self.age == 32 else {}
        sentence = message(
            "{count} of four people are older than {age}. The release is {count} with probability 1/2.", count=count, age=self.age
        )
        return self.answer(findings, (self._released(places, mine, theirs),), sentence, printed=printed)

    def _released(self, places: range, mine: list[Fraction], theirs: list[Fraction]) -> Plot:
        names = tuple(map(str, places))
        return Plot(
            "released",
            message("Probability of each release"),
            Axis(message("released"), scale="names", names=names),
            Axis(message("probability"), limits=(0, 0.6)),
            grouped_bars(
                (mine, message("with all four people")),
                (theirs, message("without person {k}", k=self.removed) if self.removed else message("with all four people")),
            ),
        )
