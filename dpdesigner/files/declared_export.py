"""Export of declared kinds: findings and panels as tables; personal values only if an attack or auction allows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from dpdesigner.core.basics.rounding import figure, group_thousands
from dpdesigner.files.atomic import json_text
from dpdesigner.files.export import Attachment, Export, Listing, Releases, TableFile, cut, refuse_count, released
from dpdesigner.files.formatting import TABLE_FORMATS, Format, file_name
from dpdesigner.files.tables import rows_text
from dpdesigner.messages import message, without_markup
from dpdesigner.studies.auction.answer import AuctionAnswer, choosing, first_price, money
from dpdesigner.studies.auction.design import Drawn, single_prices
from dpdesigner.studies.auction.run import announcement
from dpdesigner.studies.base import PanelAnswer, flattened, for_owner, tables_of
from dpdesigner.studies.findings import format_finding, public
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.snapshot import Found
from dpdesigner.studies.study import Progress
from dpdesigner.studies.table_panels import Sentence, Table

_FINDINGS = "findings"  # the key of the table of all findings
_MOST, _MOST_WIDE = 24, 12  # rows of a table that a report shows, and rows and columns of a wide one
_SIX_DIGITS = "Rounded to six digits."
_DECIMAL = re.compile(r"-?\d+\.\d+(e[+-]?\d+)?")


class DeclaredExport(Export):
    """The export of the answer to a declared design, without secret values."""

    formats: ClassVar[Mapping[str, Format]] = TABLE_FORMATS

    outcome: PanelAnswer

    @property
    def headline(self) -> tuple[str, str]:
        """The label of the first public finding, and its value as the window has it; empty if all findings are secret."""
        label, value = super().headline
        return label, (value and self.outcome.design.headline(self.outcome.findings)) or value

    def proof(self) -> list[str]:
        """Return the sentence, the proved statement, and the verified facts."""
        texts = (self.sentence, self.outcome.badge[0], *self.checks)
        return [text for text in texts if text]

    def listings(self) -> list[Listing]:
        """Return the tables but that of the findings, each complete as a CSV file; long ones are cut, those of figures empty."""
        stem, listings = file_name(self.title), []
        for table in self._tables:
            if table.key == _FINDINGS:  # which `facts` has
                continue
            whole = Attachment(f"{stem}-{table.key}.csv", _text(table, "csv"))
            full = () if table.drawn else table.rows
            rows = tuple(tuple(map(_readable, row)) for row in full)
            pairs = (pair for row, cells in zip(rows, full, strict=True) for pair in zip(row, cells, strict=True))
            rounded = any(short != cell and float(short) != float(cell) for short, cell in pairs)
            note = " ".join(filter(None, (table.note, _SIX_DIGITS if rounded else "")))
            most = _MOST_WIDE if len(table.header) > _MOST_WIDE + 1 else _MOST
            listings.append(cut(Listing(table.title, table.header, rows, note, whole), most, ""))
        return listings

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Export every panel as a table, ``NAME-PANEL.csv``; as JSON, one file with the design, the findings and all tables."""
        for wanted in formats:
            if wanted == "json":
                tables = {table.key: table.as_rows() for table in self._tables}
                yield TableFile(f"{name}.json", json_text({**self.data(), "tables": tables}))
            else:
                yield from self.table_files(name, wanted)

    def table_files(self, name: str, wanted: str) -> Iterator[TableFile]:
        """Export every panel as a table, ``NAME-PANEL.csv``."""
        yield from (TableFile(f"{name}-{table.key}.{wanted}", _text(table, wanted)) for table in self._tables)

    def panels(self) -> list[Any]:
        """Return the plots, matrices and rankings, without secret values."""
        drawn = [
            panel
            for panel in flattened(self.outcome.panels_in({}))
            if not for_owner(panel) and not isinstance(panel, Sentence | Table)
        ]
        return [panel.public() if isinstance(panel, Plot) else panel for panel in drawn]

    @cached_property
    def _tables(self) -> list[Table]:
        return self.tables_of_panels()

    def tables_of_panels(self) -> list[Table]:
        """Return the tables of all panels, without secret values."""
        return tables_of(self.outcome)


def _readable(cell: str) -> str:
    """Return a cell of a report: a decimal number with at most six digits, to the nearest."""
    return f"{float(cell):.6g}" if _DECIMAL.fullmatch(cell) else cell


def _text(table: Table, wanted: str) -> str:
    return rows_text(table.as_rows(), wanted, table.note or table.title)


class InspectExport(DeclaredExport):
    """An inspected table of releases: what it reveals about a person."""

    outcome: Any

    @property
    def headline(self) -> tuple[str, str]:
        """The share who are found out with certainty where no ε holds; otherwise the attacker's best success."""
        sure = self.outcome.certain
        return (message("at worst, an attacker is certain about a person"), sure) if sure else super().headline


class AttackExport(DeclaredExport):
    """An attack on a secret column; neither the column nor its location is ever exported."""

    reported: ClassVar[tuple[str, ...]] = ("solve", "private", "ranges", "curves")

    outcome: Any

    @classmethod
    def completed(cls, outcome: Any, done: Mapping[str, Any], progress: Progress) -> Any:
        """Return the outcome with the ranges of published answers, or with the private release and the runs of the curves."""
        if outcome.design.answers:
            return outcome.completed(ranges=_found(done, "ranges", outcome) or outcome.find_ranges(progress))
        if not outcome.design.noisy:
            outcome = outcome.completed(private=_found(done, "private", outcome) or outcome.find_private(progress))
        return outcome.completed(curves=_found(done, "curves", outcome) or outcome.find_curves(progress))

    @property
    def sentence(self) -> str:
        """The result in brief."""
        own = super().sentence
        return without_markup(self.outcome.brief) if own and not self.outcome.design.answers else own

    def prepare(self, progress: Progress) -> None:
        """Make the runs of the curves, which are kept."""
        if self.outcome.curves is None and not self.outcome.design.answers:
            self.outcome.find_curves(progress)

    def inputs(self) -> dict[str, Any]:
        """Return the inputs; where answers were published, without those of a drawn attack."""
        asked, design = super().inputs(), self.outcome.design
        idle = {each.key for each in design.inputs() if not each.matters(design)} if design.answers else ()
        return {key: value for key, value in asked.items() if key not in idle}

    @classmethod
    def shows_values(cls, study: Any) -> bool | None:
        """Return whether the design reveals everybody's value."""
        return bool(study.tell == "values")

    def stated(self) -> list[tuple[str, str]]:
        """Add the answers of an audit that expose all they count, with their people only if values are shown, and the advice."""
        audit, design, label = self.outcome, self.outcome.design, self.outcome.problem.questions.label
        out = [(message("Answers left out"), "; ".join(map(label, design.out)))] if design.out else []
        if not (design.answers and audit.ranges and audit.findings["certain"].value):
            return [*super().stated(), *out]
        counted, people = audit.problem.questions.members, audit.problem.rows_in
        lines = [
            f"{label(q)}: {people(counted(q)) if design.tell == 'values' else _people(counted(q))}" for q in audit.ranges.alone
        ]
        named = [(message("Answers that expose all they count"), "; ".join(lines))] if lines else []
        shared = {q for reason in audit.ranges.reasons.values() if reason[1:] for q in reason}.difference(audit.problem.alone)
        named += [(message("Answers that expose with others"), "; ".join(map(label, sorted(shared))))] if shared else []
        return [*super().stated(), *out, *named, (message("What to do"), self._advice())]

    def _advice(self) -> str:
        audit, design = self.outcome, self.outcome.design
        error, answers = audit.problem.noise_error(design.epsilon_in_all), audit.problem.asked[1]
        words: dict[str, Any] = {"few": int((answers < error).sum()), "t": len(answers), "e": design.epsilon}
        advice = [message("Publish noisy counts.")]
        if (rest := audit.ranges.rest) is not None:
            words |= {"left": int((rest.certain >= 0).sum()), "n": audit.problem.n}
            left = message("{left} of {n}" if rest.complete else "at least {left} of {n}", **words)
            gap = "If you leave out every answer that alone exposes somebody, {left} values stay certain. A gap can itself show "
            advice.append(message(gap + "what was left out.", left=left))
        noise = "With a total ε of {e}, the noise is larger than {few} of the {t} counts."
        advice.append(message("Choose an ε below {e}." if error < 1 / 2 else noise, **words))
        return " ".join(advice)

    def proof(self) -> list[str]:
        """Return the sentence and the checks; for published answers, also why certain values are certain."""
        texts, ranges = super().proof(), self.outcome.ranges
        if ranges is not None:
            why = (
                "For each person, two linear programs find the least and the largest value between 0 and 1 that fit the answers. "
            )
            texts.append(why + "A least value above 0 means 1, and a largest value below 1 means 0, if the answers are right.")
            texts += ["The integer solver found a column of 0 and 1 that fits all answers."] if ranges.fitting else []
        return texts

    def computed(self) -> dict[str, Any]:
        """Return the results that pictures need not compute again; the other attackers need no run of their own."""
        found = {"curves": self.outcome.curves, "private": self.outcome.private, "ranges": self.outcome.ranges}
        known = {name: Found(self.outcome, value) for name, value in found.items() if value is not None}
        return {**super().computed(), "others": None, **known}

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make tables of the findings, including the curves."""
        return super(AttackExport, type(self)(self._whole, self.done)).files(name, formats, fractions)

    def panels(self) -> list[Any]:
        """Return the curves."""
        return [panel for panel in self._whole.panels_in({}) if isinstance(panel, Plot)]

    @cached_property
    def _whole(self) -> Any:
        """The outcome with curves, of the same runs as on the page."""
        if self.outcome.curves is not None or self.outcome.design.answers:
            return self.outcome
        return self.outcome.completed(curves=self.outcome.find_curves())

    @cached_property
    def _tables(self) -> list[Table]:
        findings = public(self._whole.findings).values()
        rows = tuple((finding.label, format_finding(finding, "full"), finding.note) for finding in findings)
        table = Table(_FINDINGS, message("Results"), (message("what"), message("value"), message("note")), rows)
        return [table, *(panel if isinstance(panel, Table) else panel.as_table() for panel in self._whole.panels_in({}))]


def _people(counted: Any) -> str:
    """Return how many people an answer counts."""
    many = int(counted.sum())
    return message("{many} people", many=group_thousands(many)) if many != 1 else message("1 person")


def _found(done: Mapping[str, Any], name: str, outcome: Any) -> Any:
    """The result of a page's job for this outcome."""
    found = done.get(name)
    return found.value if isinstance(found, Found) and found.answer is outcome else None


_FOR_THE_SELLER = (
    "Expected and best revenue and the lower bound are computed from the bids and are not private. They are for the "
    "seller; only a drawn price may be published."
)
_MECHANISM = (
    "Mechanism (McSherry and Talwar 2007): the density of a price is proportional to exp(ε × its revenue / the cap). Another bid "
    "of one bidder moves revenues in one direction only, by at most the cap, so no density changes by more than a factor exp(ε)."
)
_SECRET = (
    "The bids are secret, so this leaves out all results computed from them, except a price to announce. They are included if "
    "the design states that the bids are public."
)


class AuctionExport(DeclaredExport):
    """A price determined by bids."""

    reported: ClassVar[tuple[str, ...]] = ("solve", "draw")
    lasting: ClassVar[tuple[str, ...]] = ("draw",)

    outcome: AuctionAnswer

    @classmethod
    def completed(cls, outcome: AuctionAnswer, done: Mapping[str, Any], progress: Progress) -> AuctionAnswer:
        """Add the bidder who gains most by lying, if the page has not computed that yet."""
        return outcome if outcome.most is not None else replace(outcome, most=outcome.most_to_gain(progress))

    def details(self) -> dict[str, Any]:
        """Return the price to announce, if one was drawn, and for whom the numbers are intended or why most are left out."""
        remark, single = _FOR_THE_SELLER if self.outcome.design.bids_public else _SECRET, self._single
        price = first_price(single, self.outcome.design)
        if price and len(single) > 1:
            words = message("{price}, the first of {count} draws; choosing among them costs up to {cost}")
            price = message(words, price=price, count=len(single), cost=choosing(single))
        return {**({"price to announce": price} if price else {}), "remark": remark}

    @property
    def _single(self) -> list[Drawn]:
        found = self.done.get("draw")
        return single_prices(found.value, self.outcome.design) if isinstance(found, Found) else []

    def computed(self) -> dict[str, Any]:
        """Return the results with one price as a mark, not as one that just falls, which a picture does not show."""
        found = self.done.get("draw")
        if not isinstance(found, Found) or len(found.value[-1].prices) != 1:
            return super().computed()
        return {**super().computed(), "draw": replace(found, answer=None)}

    def stated(self) -> list[tuple[str, str]]:
        """Add the price to announce with its conditions, where it has some that the headline leaves out, and what else is not."""
        price = self.details().get("price to announce")
        conditions = [(message("To announce"), f"{price}.")] * (price not in (None, self.headline[1]))
        told = [(message("To publish"), _FOR_THE_SELLER)] if self.outcome.design.bids_public else []
        return [*super().stated(), *conditions, *told]

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Add the details."""
        return [*super().facts(full), *self.details().items()]

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that were made; for secret bids only the privacy check, which holds for all bids."""
        return super().checks if self.told else self.outcome.checks[:1]

    @property
    def headline(self) -> tuple[str, str]:
        """The price to announce; before one is drawn, the first public finding, with the digits of the bars for money."""
        if not first_price(self._single, self.outcome.design):
            value = self.findings.get("value")
            return super().headline if value is None else (value.label, format_finding(value))
        return message("Price to announce"), money(self._single[0].prices[0], self.outcome.design.unit)

    @property
    def sentence(self) -> str:
        """The sentence of the answer, or on the price to announce; for secret bids the statement that holds whatever they are."""
        answer, single = self.outcome, self._single
        if super().sentence and (told := announcement(answer, single)):
            return without_markup(told[1])
        words = {"cap": money(answer.cap, answer.design.unit), "limit": figure(100 * answer.limit, 3)}
        words |= {"n": str(answer.demand.bidders), "epsilon": figure(answer.epsilon, 4)}
        return super().sentence or message(
            "One price for {n} bidders is drawn at random, up to a public cap of {cap}. Announcing one draw costs ε = {epsilon}. "
            "Whatever the bids, no lie raises a bidder’s expected surplus by more than {limit}%.",
            **words,
        )

    def proof(self) -> list[str]:
        """Return the sentence, the proved statement, why it holds, and for whom the numbers are intended."""
        return [*super().proof(), *([_MECHANISM] if self.outcome.design.single else ()), self.details()["remark"]]

    def panels(self) -> list[Any]:
        """Return the pictures, all of which show the bids."""
        return super().panels() if self.outcome.design.bids_public else []

    @cached_property
    def _tables(self) -> list[Table]:
        """The findings, with the remark, and the tables of all panels where the bids are public."""
        findings = public(self.outcome.findings).values()
        rows = tuple((finding.label, format_finding(finding, "full"), finding.note) for finding in findings)
        details = self.details()
        header = (message("what"), message("value"), message("note"))
        found = Table(
            _FINDINGS, message("Results"), header, (*rows, *((key, text, "") for key, text in details.items())), details["remark"]
        )
        return [*(super()._tables if self.outcome.design.bids_public else ()), found]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw prices exactly, from the operating system's entropy."""
        refuse_count(count, "an auction draws a price from its bids")
        return released([self.outcome.draw() for _ in range(draws)], self.outcome.epsilon, "prices from the same bids")
