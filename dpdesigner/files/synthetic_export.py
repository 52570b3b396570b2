"""Export of synthetic data: columns, rows, small databases and halfspaces, each with its privacy statement."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpdesigner.core.basics.parsing import double, exact
from dpdesigner.core.basics.rounding import figure, group_thousands, size_text
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.error_bounds import net_size
from dpdesigner.core.synthetic.methods import make
from dpdesigner.core.synthetic.regions import make_grid, release
from dpdesigner.data.grid import guarded
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import json_text
from dpdesigner.files.declared_export import DeclaredExport
from dpdesigner.files.export import Listing, Releases, TableFile, refuse_count, released
from dpdesigner.files.tables import rows_text
from dpdesigner.messages import message, without_markup
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plain_language import reader_panel
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.answer import IntervalAnswer
from dpdesigner.studies.synthetic.design import real_counts
from dpdesigner.studies.synthetic.halfspace_answer import HalfspaceAnswer
from dpdesigner.studies.synthetic.halfspace_design import rule
from dpdesigner.studies.synthetic.net_answer import NetAnswer, draw_small
from dpdesigner.studies.synthetic.rectangle import TOUCHED, RectangleAnswer, real_table
from dpdesigner.studies.synthetic.sizes import EXAMPLES, SizesDesign


class _SeededExport(DeclaredExport):
    """Export of a design whose noise can be drawn from a seed."""

    alone = ""

    @property
    def for_study(self) -> bool:
        return self.outcome.design.seed is not None


class SyntheticExport(_SeededExport):
    """Export of a synthetic column; includes no result computed from the real column unless requested."""

    outcome: IntervalAnswer

    @property
    def sentence(self) -> str:
        """The error bound in words, which does not depend on the real column."""
        return without_markup(statements.sentence(self.outcome.facts))

    @property
    def checks(self) -> tuple[str, ...]:
        """The privacy and the bound; neither depends on the real column."""
        return tuple(map(str, statements.checks(self.outcome.facts)))

    def details(self) -> dict[str, Any]:
        """Return the privacy statement, line by line."""
        return {"statement": self.proof()}

    def proof(self) -> list[str]:
        """Return the privacy statement, line by line."""
        return statements.statement(self.outcome.facts)

    def listings(self) -> list[Listing]:
        """Return the tables, and last the error bounds of all methods; what they typically miss is private."""
        found = statements.alternatives(self.outcome.facts)
        rows = tuple((row.label, found.value_text(row)) for row in found.rows)
        return [*super().listings(), Listing(found.title, ("method", "error bound"), rows, found.note)]

    def panels(self) -> list[Any]:
        """Return the synthetic running total, its histogram and the budget."""
        return [panel for panel in super().panels() if isinstance(panel, Plot) and panel.lines and panel.key != "failures"]

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Yield the column as NAME.csv, its privacy statement as NAME-privacy.txt, and the tables as NAME-PANEL.csv."""
        values = [cell(value) for value in self.outcome.synthetic.tolist()]
        statement = statements.statement(self.outcome.facts)
        if formats:
            yield TableFile(f"{name}-privacy.txt", "\n".join(statement) + "\n", statement[0])
        for wanted in formats:
            if wanted == "json":
                tables = {table.key: table.as_rows() for table in self._tables}
                made = {"synthetic": [[self.outcome.design.column.title], *([value] for value in values)]}
                yield TableFile(f"{name}.json", json_text({**self.data(), "tables": {**made, **tables}}))
                continue
            if wanted in ("csv", "tsv"):
                title = header(self.outcome.design.column.title, wanted)
                yield TableFile(f"{name}.{wanted}", "\n".join([title, *values]) + "\n", statement[0])
            yield from self.table_files(name, wanted)

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release new columns, from the system's entropy or the seed, each as a list of values."""
        refuse_count(count, "a synthetic column has no true count")
        design = self.outcome.design
        source, real = source_of(design.seed), real_counts(design)
        made = [make(real, design.way, design.budget, design.accuracy, source) for _ in range(draws)]
        columns = [design.cells.values(each.counts) for each in made]
        whole = all((column == np.floor(column)).all() for column in columns)
        values = [(column.astype(np.int64) if whole else column).tolist() for column in columns]
        if design.seed is not None:
            return Releases(values, statements.for_study(design), exact=False)
        return released(values, design.privacy.epsilon_above, "releases of the same column")


def cell(value: float) -> str:
    """Return a number as a table cell; integers have no decimal point."""
    return str(int(value)) if value == int(value) else repr(value)


def header(title: str, wanted: str) -> str:
    """Return the name of the real column as a table cell."""
    plain = guarded(" ".join(title.split()) or "value")
    if wanted == "csv" and any(mark in plain for mark in ',;"'):
        return '"' + plain.replace('"', '""') + '"'
    return plain


class RectangleExport(_SeededExport):
    """Export of two synthetic columns; includes no result computed from the real columns."""

    open_words = True  # of the real columns they contain only the number of rows
    outcome: RectangleAnswer

    def tables_of_panels(self) -> list[Any]:
        """Return the synthetic counts."""
        return [panel for panel in self.outcome.panels_in({}) if panel.key == "counts"]

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Add the rows as NAME.csv, and the privacy statement."""
        yield from super().files(name, formats, fractions)
        design = self.outcome.design
        if formats:
            text = "\n".join([f"Privacy: {statements.private(design)}", *self.proof()]) + "\n"
            yield TableFile(f"{name}-privacy.txt", text)
        for wanted in formats:
            if wanted in ("csv", "tsv"):
                mark = "," if wanted == "csv" else "\t"
                titles = [header(given.title, wanted) for given in (design.first, design.second)]
                rows = [mark.join(map(cell, pair)) for pair in self.outcome.synthetic.tolist()]
                yield TableFile(f"{name}.{wanted}", "\n".join([mark.join(titles), *rows]) + "\n")

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release both columns anew, one after the other in a list."""
        refuse_count(count, "synthetic columns have no true count")
        design = self.outcome.design
        source, real, shape = source_of(design.seed), real_table(design), design.shape(design.method)
        made = [make_grid(real, shape, design.budget, TOUCHED, source).counts.ravel().tolist() for _ in range(draws)]
        return released(made, design.privacy.epsilon_above, "releases of the same rows", design.seed)


OWNERS = (
    "Computed from the database itself, for its owner. One small database drawn by `sample` may be published; the "
    "probabilities may not."
)


_NO_ALTERNATIVES = "No alternatives are listed: their errors are computed from the real database."


class NetExport(_SeededExport):
    """Export of the distribution over small databases."""

    open_words = True  # of the real database they contain only the number of rows
    outcome: NetAnswer

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Add the database that was drawn and its statement, and all probabilities if results for its owner may go into files."""
        yield from super().files(name, formats, fractions)
        if formats:
            yield TableFile(f"{name}-privacy.txt", self.outcome.given.statement())
        for wanted in formats:
            if wanted in ("csv", "tsv"):
                yield TableFile(f"{name}.{wanted}", rows_text([["row"], *([row] for row in self.outcome.rows)], wanted))
        if not self.outcome.design.tells:
            return
        for wanted in formats:
            if wanted in ("csv", "tsv"):
                header = [*(f"rows of point {point}" for point in range(self.outcome.net.queries.points)), "probability"]
                pairs = zip(self.outcome.net.counts.tolist(), self.outcome.probabilities.tolist(), strict=True)
                rows = [[*map(str, counts), repr(chance)] for counts, chance in pairs]
                yield TableFile(f"{name}-probabilities.{wanted}", rows_text([header, *rows], wanted), OWNERS)

    def proof(self) -> list[str]:
        """Add the note that results computed from the database itself belong to its owner, or why there are no alternatives."""
        return [*super().proof(), OWNERS if self.outcome.design.tells else _NO_ALTERNATIVES]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw small databases exactly, from the system's entropy or the seed, each as rows of points."""
        refuse_count(count, "a small database is drawn from the counts of the design")
        outcome, design = self.outcome, self.outcome.design
        source = source_of(design.seed)
        drawn = [draw_small(design.counts, outcome.net, design.budget, source) for _ in range(draws)]
        values = [outcome.net.counts[which].tolist() for which in drawn]
        return released(values, design.privacy.epsilon_above, "releases of the same data", design.seed)


class HalfspaceExport(_SeededExport):
    """Export of the released structure; never contains the points."""

    alone = "-structure"

    outcome: HalfspaceAnswer

    def details(self) -> dict[str, Any]:
        """Return the rule that the findings are about."""
        return {"rule": rule(self.outcome.design, self.outcome.turned)}

    def stated(self) -> list[tuple[str, str]]:
        """Return the question, what is given away, and how to ask."""
        question = f"What share of the rows meets a rule, like {self.details()['rule']}?"
        if self.outcome.design.asks:
            return [("Question", question)]
        given = " ".join(self.outcome.given.statement().split("\n")).strip()
        how = "Open the JSON file in dpdesigner and type a rule, or in Python: dpdesigner.read_halfspaces(FILE).answer(RULE)."
        return [("Question", question), ("What is given away", given), ("How to ask", how)]

    @property
    def headline(self) -> tuple[str, str]:
        """The share of the rule, and how near it is, of own rows; the error of invented ones."""
        outcome, (label, value) = self.outcome, super().headline
        if outcome.design.drawn or not outcome.released.plan.plane:
            return label, value
        told = (
            outcome.told(outcome.turned).removeprefix("A counted rule (dot): ").replace("(dots, ", "(")
        )  # which the window shows
        return label, told.removesuffix(".") if told.startswith(value) else f"{value}. {told}"

    def proof(self) -> list[str]:
        """Add the steps from the counts to an answer."""
        return [*super().proof(), *([] if self.outcome.design.asks else [self.outcome.how])]

    def panels(self) -> list[Any]:
        """Return the released answer for every plane, and the points if they were drawn at random."""
        return [panel for panel in super().panels() if panel.key == "answers" or self.outcome.design.drawn]

    def tables_of_panels(self) -> list[Any]:
        """Return the tables; answers with each rule in words, and points only if they were drawn at random."""
        design, tables = self.outcome.design, {table.key: table for table in super().tables_of_panels()}
        answers = tables["answers"]
        rows = tuple((*row, rule(design, float(row[0]))) for row in answers.rows)
        tables["answers"] = replace(answers, header=(*answers.header, message("rule")), rows=rows)
        return [table for key, table in tables.items() if key != "points" or design.drawn]

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Add NAME-structure.json, which answers new queries, as NAME.json with the structure does, and the privacy statement."""
        asks = self.outcome.design.asks
        for each in super().files(name, formats, fractions):
            plain = each.name == f"{name}.json" and not asks
            yield replace(each, text=json_text({**json.loads(each.text), "structure": self.outcome.structure})) if plain else each
        if formats and not asks:
            use = {"use": "give this one away; “how” in it says how to ask it"}
            yield TableFile(f"{name}-structure.json", json_text(self.outcome.structure), data=use)
            yield TableFile(f"{name}-privacy.txt", self.outcome.given.statement())

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release the counts anew, projection by projection."""
        refuse_count(count, "halfspaces release all their counts")
        outcome, design = self.outcome, self.outcome.design
        if design.asks:
            raise InputError("these counts are released already, in the file.", "points")
        source = source_of(design.seed)
        made = [release(outcome.counted, outcome.released.plan, design.budget, source) for _ in range(draws)]
        values = [each.counts.ravel().tolist() for each in made]
        return released(values, design.privacy.epsilon_above, "releases of the same points", design.seed)


class SizesExport(DeclaredExport):
    """Export of a plan, with its question in words."""

    def stated(self) -> list[tuple[str, str]]:
        """Return the question, what to do, what epsilon means and what the error leaves out."""
        asked, solved = self.outcome.design, self.outcome.design.solved()
        like, error = EXAMPLES.get(asked.queries), asked.input_named("error").input.text(asked.error)
        queries = f"all queries like {like}" if like else f"all {asked.class_size} queries"
        rows, wanted = f"{group_thousands(asked.rows)} rows", f"enough to answer {queries} within {error} of the rows"
        question = {
            "rows": f"How many rows are {wanted}, at ε = {asked.epsilon}?",
            "error": f"With {rows} and ε = {asked.epsilon}, how large are the errors of {queries}?",
            "epsilon": f"What ε is {wanted}, with {rows}?",
        }[asked.find]
        most = f"an attacker wins at most {reader_panel(solved.privacy).rows[0].text} of 100 bets at 50 : 50 on one row"
        privacy = f"One row may be replaced by another; the number of rows is public. If rows are independent, {most}"
        theory = "" if solved.runs(solved.used, double(solved.error)) else " This is possible in theory only."
        told = [
            ("Question", question),
            ("What to do", f"{_steps(solved)}{theory}"),
            ("Privacy", f"{privacy} at ε = {solved.epsilon}."),
        ]
        return [*told, ("Sampling", solved.sampling)]

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the numbers of the plan, and those of the theorems where a synthetic database is used."""
        pairs = zip(self.findings, super().facts(full), strict=True)
        return [pair for key, pair in pairs if self._theorems or not key.startswith(("small-", "value-"))]

    def listings(self) -> list[Listing]:
        """Leave out the theorems where noise is used; they remain files."""
        return [each for each in super().listings() if self._theorems or "Theorem" not in each.title]

    @property
    def _theorems(self) -> bool:
        return str(self.outcome.design.solved().used) == "database"


def _steps(solved: SizesDesign) -> str:
    """Return what is released: noise of which scale, on what, or a synthetic database."""
    epsilon, queries = solved.privacy.epsilon, solved.query_class.queries
    if solved.used == "database":
        small = group_thousands(int(net_size(queries, float(exact(solved.error)) / 2).right) + 1)
        return f"Draw one of all databases of {small} rows with probability proportional to e^(−ε n error / 2), for your n rows."
    if solved.on_answers:
        scale = f"{size_text(queries)}/ε = {figure(queries / epsilon, 3)}"
        return f"Add Laplace noise of scale {scale} to the count of each of the {size_text(queries)} queries."
    points = size_text(double(solved.points))
    noisy = f"Add Laplace noise of scale 2/ε = {figure(2 / epsilon, 3)} to the count of each of the {points} possible rows."
    return f"{noisy} Add up those of a query, or subtract the others from n if they are fewer."
