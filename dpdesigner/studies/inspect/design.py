"""The design of an inspection: a table, who looks at it, how often, and whose use it is judged by."""

from __future__ import annotations

from typing import Any, ClassVar

from dpdesigner.core.numbers.given import Number
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.studies.asked import asked, choice, number, whole_number
from dpdesigner.studies.bits_input import BeliefInput, LossInput, OptionalInput, ReleasesInput, SamplingInput
from dpdesigner.studies.declared import Declared, View
from dpdesigner.studies.number_inputs import MOST_EPSILON, EpsilonInput
from dpdesigner.studies.said import said

MEND = "largest"


class InspectDesign(Declared):
    """Any table of releases: what it gives away about one person, and how useful it is.

    Parameters
    ----------
    table : path-like, str or rows of numbers
        Rows are the true counts 0, 1, 2, …, columns the releases: a file (CSV, TSV, or a perturbation table for Tau-Argus, SAS or
        cell-key-perturbation), its text, rows of numbers, or ``"geometric: N, EPSILON"``.
    epsilon : Number
        At which delta is told.
    delta : Number, optional
        At which epsilon is told.
    prior, loss
        Of the reader, as for a `CountDesign`.
    releases : int
        How many times the same count is released.
    group : int
        How many people act together: rows so far apart are neighbours.
    sampling : str
        ``"1/3"``: each person is counted with this probability; ``"3 of 12"``: so many of so many people are; empty: all.
    base_rate : Number
        How likely the person is in the data for the attacker.
    false_alarms : Number
        How many of those who are not in the data the attacker names wrongly.
    attacker : {"informed", "outsider"}
        Whether the attacker knows everybody else, or only how the others' count is spread.
    others : str or sequence of Number
        How it is spread over 0..n - group: a prior; fair coins if empty.
    released : int, optional
        The release that intervals are told for; by default the middle one.
    confidence : Number
        Of intervals and error bounds.
    n : int, optional
        The largest count, for tables that say what happens to every count.
    mend : {"no", "largest"}
        Whether what rows lack of 1 is put on their largest entries; what is found is then of the mended table.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.InspectDesign([["2/3", "1/3"], ["1/3", "2/3"]]).run().findings
    >>> found["exp_epsilon"].value, found["advantage"].value
    (Fraction(2, 1), Fraction(1, 3))
    """

    kind: ClassVar[str] = "inspect"
    views: ClassVar[tuple[View, ...]] = (
        View("away", said("What it gives away"), ("found-out", "delta", "table")),
        View("reading", said("Reading"), ("readings", "table")),
        View("again", said("Again"), ("again", "table")),
        View("intervals", said("Intervals"), ("posterior", "table")),
    )

    table: Any = asked(
        ReleasesInput(),
        default="geometric: 20, ln 2",
        label=said("The table"),
        term=said("rows: true counts, columns: releases"),
        note=said("file: and the path of a table, or geometric: with n and ε"),
        undo=said("Change the table"),
    )
    n: Number | None = asked(
        OptionalInput(1, 5000, "n", whole=True),
        default=None,
        label=said("Largest count"),
        note=said("For tables of statistics offices, which say what happens to every count"),
        undo=said("Change the largest count"),
        joined=True,
        aside=True,
    )
    mend: str = asked(
        choice(("no", said("as written")), ("largest", said("largest entry takes the rest"))),
        default="no",
        label=said("Rows that do not sum to 1"),
        undo=said("Mend the rows"),
        aside=True,
    )
    epsilon: Number = asked(
        EpsilonInput(0, MOST_EPSILON, symbol="ε", try_=(("ln 2", ""), ("1", "")), slide=(0, 5)),
        default="ln 2",
        label=said("Privacy asked for"),
        term=said("δ is told at this ε"),
    )
    delta: Number | None = asked(
        OptionalInput(0, 1, "δ"), default=None, label=said("with δ at most"), undo=said("Change δ"), joined=True
    )
    releases: int = asked(
        whole_number(1, 1000, symbol="k", slide=(1, 20)),
        default=1,
        label=said("Releases of the same count"),
        undo=said("Change the number of releases"),
    )
    group: int = asked(
        whole_number(1, 1000, slide=(1, 10)),
        default=1,
        label=said("People who act together"),
        undo=said("Change the group"),
        aside=True,
    )
    sampling: str = asked(
        SamplingInput(),
        default="",
        label=said("Only a sample was counted"),
        term=said("1/3, or 3 of 12"),
        undo=said("Change the sample"),
        aside=True,
    )
    attacker: str = asked(
        choice(("informed", said("knows all others")), ("outsider", said("knows the crowd"))),
        default="informed",
        label=said("Who looks"),
        undo=said("Change the attacker"),
        aside=True,
    )
    others: Any = asked(
        BeliefInput(said("binomial:1/2")),
        default="",
        label=said("The others’ count"),
        when=lambda design: design.attacker == "outsider",
        undo=said("Change the crowd"),
        aside=True,
    )
    false_alarms: Number = asked(
        number(0, 1, try_=(("1/100", said("1 in 100")),)), default="1/100", label=said("False alarms"), aside=True
    )
    base_rate: Number = asked(number(0, 1, try_=(("1/2", said("50:50")),)), default="1/2", label=said("Base rate"), aside=True)
    prior: Any = asked(
        BeliefInput(), default="uniform", label=said("What readers believe"), term=said("prior"), undo=said("Change the prior")
    )
    loss: Loss = asked(
        LossInput(), default="absolute", label=said("What an error costs"), term=said("loss"), undo=said("Change the loss")
    )
    released: Number | None = asked(
        OptionalInput(-5000, 10_000, whole=True),
        default=None,
        label=said("Released value"),
        undo=said("Change the release"),
        aside=True,
    )
    confidence: Number = asked(number("1/2", "0.9999"), default="0.95", label=said("Confidence"), joined=True, aside=True)

    @property
    def privacy(self) -> PrivacyLevel:
        """The level at which delta is told."""
        return PrivacyLevel.from_epsilon(self.epsilon)
