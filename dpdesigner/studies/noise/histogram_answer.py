"""The answer of a histogram: the noise of each cell, its cost and proof, and one release compared with the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from dpdesigner.arrays import Integers
from dpdesigner.core.basics import sensitivity
from dpdesigner.core.basics.level import ZONE_LIMITS, PrivacyLevel
from dpdesigner.core.basics.parsing import cut, exact, is_number
from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.noise import discrete_staircase
from dpdesigner.core.noise.discrete_staircase import MOST_CELLS
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.data.options import count_categories
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Why
from dpdesigner.studies.base import PanelAnswer
from dpdesigner.studies.findings import Finding, State, root_of
from dpdesigner.studies.noise.answer import NoiseAnswer, headlines, laplace_extra
from dpdesigner.studies.noise.histogram_counts import HistogramRelease, Truth, release_counts
from dpdesigner.studies.noise.histogram_design import OTHER, HistogramDesign, Released
from dpdesigner.studies.snapshot import Maker

#: Why a list taken from the data is not private, shown before it is taken.
NOT_PRIVATE = message(
    "The list itself reveals who is in the data: a category that only one person has appears only because of that "
    "person. Noise cannot hide this, and ε does not cover it. Use this list only if it is public anyway. A list fixed "
    "before the data, typed or from a file, keeps the guarantee. From now on the design, its report and its files state "
    "that the list is not private."
)


def categories_in(path: str, column: str) -> tuple[str, ...]:
    """Return all distinct values of a column in alphabetical order; publishing them is not private: see `NOT_PRIVATE`.

    Raises
    ------
    InputError
        If the file cannot be read, or holds more than may be listed.
    """
    categories = count_categories(path, column, None).categories
    if len(categories) >= MOST_CELLS:
        raise InputError(f"there must be at most {MOST_CELLS - 1} categories, got {len(categories)} in the data.", "categories")
    return categories


def listing(design: HistogramDesign) -> Message:
    """Return the origin of categories or cells, and the treatment of other rows; empty for public cells."""
    if design.categories is None:
        if design.listed == "public":
            return message("")
        return message(
            "The range of the cells was taken from the data: it reveals the least and the largest value. ε covers the counts, "
            "not the range."
        )
    if design.listed == "data":
        return message(
            "The list was taken from the data. It reveals which values occur, and a category that only one person has "
            "reveals that this person is in the data. ε covers the counts, not the list."
        )
    if not design.categories:
        return message("Type the names that may occur, without looking at the data.")
    if design.outside == "refuse":
        return message(
            "If any row has a value outside this list, nothing is counted. The privacy guarantee assumes that this "
            "cannot happen, because a refusal would itself reveal something about the data."
        )
    return message(
        "The list is declared public, fixed without the data. All other rows, including empty ones, are counted in “any other”."
    )


#: The seed of the release that is only simulated: one is shown before anything is released, the same every time.
STUDY_SEED = 7
_LISTED = 1000  # characters of the list of categories in a statement


def simulated(design: HistogramDesign, truth: Truth) -> Released:
    """Simulate a release with a fixed seed, for the owner of the data only: who knows the seed can remove the noise."""
    return Released(design, _simulated(truth, design.privacy, design.neighbours))


@lru_cache(maxsize=4)
def _simulated(truth: Truth, privacy: PrivacyLevel, neighbours: sensitivity.Neighbours) -> HistogramRelease:
    return release_counts(truth.counts, privacy, neighbours, for_study(STUDY_SEED).below)


def _above(level: PrivacyLevel) -> float:
    """Return ε rounded up; as typed, if that is a short decimal."""
    short = level.form == "epsilon" and is_number(level.number) and exact(level.number) == Fraction(repr(level.epsilon))
    return level.epsilon if short else level.epsilon_above


def statement(answer: HistogramAnswer) -> list[str]:
    """Return the privacy statement of a release, in which nothing is computed from the data."""
    design = answer.design
    one = {"add-remove": "one row added or removed", "replace": "one row replaced by any other"}[design.neighbours]
    titles = [str(design.title(cell)) for cell in range(design.size)]
    what = f"{design.column}, " if design.column else ""
    fixed = "fixed in advance" if answer.keeps else "taken from the data"
    cells = "1 count" if design.size == 1 else f"{design.size} counts"
    apart = ", " if design.categories else " to " if titles[0].replace(".", "").lstrip("-").isdecimal() else ", …, "
    ends = cut(apart.join(titles if design.categories else titles[:: design.size - 1 or 1]), _LISTED)
    every = f", all {design.size} at once within ±{answer.all_within()}" if design.size > 1 else ""
    others = "All other rows, also empty ones, are counted together." if OTHER in titles else design.uncounted
    sentences = [
        f"{cells}: {what}{ends}; the cells are {fixed}. {others}".rstrip(),
        f"Privacy: differentially private with epsilon = {figure(design.privacy.epsilon_above, 6)} for {one}. "
        f"{design.sensitivity.reason[:1].upper()}{design.sensitivity.reason[1:].rstrip('.')}.",
        f"Method: two-sided geometric noise with epsilon = {figure(answer.cell_privacy.epsilon_above, 6)} in each cell, drawn "
        "exactly, in whole numbers, from the operating system's entropy.",
        f"Error bound: each count is within ±{answer.within()} of the truth with probability at least 95%{every}.",
        "The privacy losses of releases of the same rows add up. Publish only one release of this table, not chosen by accuracy.",
    ]
    return sentences if answer.keeps else [*sentences, f"Warning: {answer.listing}"]


@dataclass(frozen=True, eq=False, repr=False)
class HistogramAnswer(PanelAnswer):
    """The noise of a histogram.

    Attributes
    ----------
    design : HistogramDesign
        What was asked.
    cell : NoiseAnswer
        The noise of one cell: of a count, at epsilon over the sensitivity.
    cost, laplace_cost : float
        The expected cost of all cells together, and that of a cell with Laplace noise.
    cells : int
        How many cells there are.
    cell_privacy : PrivacyLevel
        Of the noise of each cell.
    findings : mapping of str to Finding
    panels : mapping of str to Maker
    """

    design: HistogramDesign
    cell: NoiseAnswer
    panels: Mapping[str, Maker]

    @property
    def noise_shown(self) -> NoiseAnswer:
        """The noise whose curves are shown."""
        return self.cell

    def release(self, truth: Truth) -> Released:
        """Release true counts once, with exact noise from the system's entropy."""
        return Released(self.design, release_counts(truth.counts, self.design.privacy, self.design.neighbours))

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings, with the error of a cell first."""
        state: State = "proved" if self.proved else "open"
        kept: State = "proved" if self.keeps else "open"
        whole = message("total ε") if self.keeps else message("ε of the counts, not of the list")
        verdict, known = self.badge
        cell, measure, unit = self.cell.cost, self.design.cost, self.cell.design.replace(unit=self.design.rows).cost_unit
        usual = {"rows": "row"}.get(unit, "") if self.laplace_cost == 1 else unit  # other units are in the plural
        return {
            **root_of(cell, "root" in self.cell.findings, self.design.rows, state),
            "value": Finding(
                message("{what} of each cell", what=self.cell.design.cost_label), cell, unit, 4, "up", state, measure
            ),
            "proof": Finding(message("proof"), verdict, state=known, note=self.reason),
            "cells": Finding(message("cells"), self.cells),
            "sensitivity": Finding(message("sensitivity Δ"), int(self.design.sensitivity.value)),
            "epsilon": Finding(whole, _above(self.attained), digits=6, rounding="up", state=kept),
            "cell_epsilon": Finding(
                message("ε of each cell"), _above(self.cell_privacy), digits=6, rounding="up", state="proved"
            ),
            "cost": Finding(message("cost of all cells"), self.cost, unit, rounding="up", state=state, measure=(measure, "all")),
            "within": Finding(message("95% error bound, each"), message("±{bound}", bound=self.within())),
            "best": Finding(message("Geometric, each cell"), cell, unit, 4, "up", state, measure),
            "laplace": Finding(message("Laplace (not rounded), each cell"), self.laplace_cost, usual, 4, "up", measure=measure),
        }

    ranking = ("best", "laplace")  #: the findings with the costs of this noise and of another
    shorts: ClassVar[Mapping[str, Message]] = {"best": message("Geometric"), "laplace": message("Laplace (not rounded)")}

    #: The findings shown with full digits.
    numbers = ("cells", "sensitivity", "epsilon", "cell_epsilon", "value", "cost", "within")

    @property
    def badge(self) -> tuple[Message, State]:
        """The proved quality, or a note if the privacy guarantee is not kept."""
        if not self.keeps:
            texts = self.design.categories is not None
            return message("the list is not private") if texts else message("the cells are not private"), "open"
        return (message("✓ proved optimal per cell"), "proved") if self.proved else (message("not proved optimal"), "open")

    @property
    def checks(self) -> tuple[Message, ...]:
        """The level of all cells together, and the kind of noise."""
        total, exact = figure(self.attained.epsilon_above, 6), message("✓ whole-number noise, drawn exactly")
        if not self.keeps:
            texts = self.design.categories is not None
            told = message("ε = {total} covers the counts, not the {what}")
            return message(told, total=total, what=message("list") if texts else message("cells")), exact
        if self.attained.epsilon > ZONE_LIMITS[-1]:  # a tick would look like safety
            return message("hardly any privacy: each release has ε = {total}", total=total), exact
        return message("✓ private: each release has ε = {total}", total=total), exact

    @property
    def headlines(self) -> tuple[Message, ...]:
        """The expected error of a cell in plain words, and how much more Laplace noise costs, in versions from long to short."""
        return headlines(self, self.cell.design.cost_label, self.design.rows)

    @property
    def sentence(self) -> str:
        """The expected cost of a cell and the extra cost of Laplace noise in plain words."""
        return self.headlines[0]

    @property
    def note(self) -> str:
        """The reason why the noise is not proved optimal."""
        return "" if self.badge[1] == "proved" else f"{self.reason[:1].upper()}{self.reason[1:]}"

    @property
    def why(self) -> Why:
        """The explanation of the histogram."""
        return Why(template="histogram", help="histograms")

    @property
    def compared(self) -> Message:
        """The additional cost of Laplace noise, in a few words; empty if there is none."""
        more = self.laplace_cost / self.cell.cost - 1 if 0 < self.cell.cost < math.inf else math.nan
        return laplace_extra(100 * more) if 0 < more < math.inf else message("")

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy of all cells together: the requested level, shared among the cells that a row can change."""
        return self.design.privacy

    @property
    def keeps(self) -> bool:
        """Whether epsilon covers everything published; it does not cover categories or cells taken from the data."""
        return self.design.listed == "public"

    @property
    def listing(self) -> str:
        """Sentences on the origin of the categories and the treatment of other rows; empty for public cells."""
        return listing(self.design)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.design.size

    @property
    def cell_privacy(self) -> PrivacyLevel:
        """The privacy level of each cell's geometric noise."""
        return self.cell.design.privacy

    @property
    def cost(self) -> float:
        """The total expected cost of all cells."""
        return self.cells * self.cell.cost

    @cached_property
    def laplace_cost(self) -> float:
        """The expected cost of a cell with continuous Laplace noise of scale Delta / epsilon, not rounded."""
        return Laplace(self.design.epsilon, float(self.design.sensitivity.value)).cost(noise_cost(self.design.cost))

    @property
    def proved(self) -> bool:
        """Whether each cell's noise is proved to be the best additive noise, given the total epsilon."""
        return self.design.neighbours == "add-remove" and self.cell.proved

    @property
    def reason(self) -> str:
        """One sentence on why it is proved optimal, or why not."""
        if self.design.neighbours == "replace":
            return "a replaced row changes two cells, so each cell has half of ε; this is not proved optimal."
        return f"a row changes only one cell, so each cell has the full ε; {self.cell.reason}"

    @property
    def together(self) -> str:
        """A sentence on why no noise added to all cells at once is better (THEORY.md, section 5); empty if that is not proved."""
        if not self.proved:
            return ""
        return (
            "If the cost is a sum over cells, each even and rising with the error, no whole-number noise added to the "
            "cells costs less, dependent or not. The noise of one cell must be ε-private for that count, so it costs at "
            "least as much as geometric noise. Independent geometric noise in every cell costs exactly this in total."
        )

    def simulate(self, releases: int) -> Integers:
        """Return the errors of simulated releases, (releases, cells): noise alone, which tells nothing of the data."""
        return np.array(self.cell.draws(releases * self.cells), dtype=np.int64).reshape(releases, self.cells)

    @property
    def parts(self) -> int:
        """The number of cells that a row can change; each has the same part of ε."""
        return int(self.design.sensitivity.value)

    def within(self, chance: float = 0.95) -> int:
        """Return the error bound of a released cell that holds with this probability."""
        return discrete_staircase.error_within(self.cell_privacy, chance)

    def all_within(self, chance: float = 0.95) -> int:
        """Return the error bound that holds with this probability for all cells at once, whose noises are independent."""
        return self.within(chance ** (1 / self.cells))
