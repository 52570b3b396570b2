"""Export of one release for many readers: the release, and for each reader the remap, the resulting table and a note."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from dpdesigner.core.basics.parsing import exact_text, parse_integer
from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.inspection.reader_results import ReaderResult, ReadGeometric, Reading, exact_reading
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.data.grid import lines
from dpdesigner.data.mechanism_tables import CORNER, TableText
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.atomic import json_text
from dpdesigner.files.declared_export import DeclaredExport
from dpdesigner.files.export import Releases, TableFile
from dpdesigner.files.formatting import Format, file_name
from dpdesigner.files.programs import Program, audience_program
from dpdesigner.files.tables import ProvedTable, decimal_table, fraction_table, level_tables, rows_text
from dpdesigner.messages import message
from dpdesigner.studies.findings import public
from dpdesigner.studies.inspect.audience_answer import AudienceAnswer, note_words
from dpdesigner.studies.inspect.audience_design import LARGEST_TABLES_N, AudienceDesign
from dpdesigner.studies.inspect.audience_run import existing
from dpdesigner.studies.inspect.design import named_releases

_UNPROTECTED = message(
    "The prior of {names} was counted from data without noise: do not publish it or any file that contains it. "
    "The reading reveals something about it, too."
)
_LARGEST_INDUCED = 400  # of n: each reader has a table


class AudienceExport(DeclaredExport):
    """A release and all its readers."""

    formats = {  # noqa: RUF012
        **DeclaredExport.formats,
        "csv": Format(message("CSV"), message("The release, the levels, each reader’s remap, table and note; tables are proved")),
    }
    fractions = True
    programs = True

    outcome: AudienceAnswer

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warn that nothing protects a prior from data."""
        names = [spec.name for spec in self.outcome.design.readers if spec.counted]
        return (message(_UNPROTECTED, names=", ".join(names)),) if names else ()

    @classmethod
    def counts_data(cls, study: AudienceDesign) -> bool:
        """Return whether a reader's prior is from a column."""
        return any(spec.counted for spec in study.readers)

    @property
    def sentence(self) -> str:
        """The sentence of the answer, with the warnings."""
        return " ".join((super().sentence, *self.warnings))

    def details(self) -> dict[str, Any]:
        """Return for each reader the certificate and the reading of every output."""
        outcome = self.outcome
        return {
            **({"warning": self.warnings[0]} if self.warnings else {}),
            "readers": [
                {
                    "name": result.reader.name,
                    "covered": result.reader.covered,
                    "certificate": {"gap": _text(result.best.gap), "optimum": _text(result.best.optimum)},
                    "least_favourable": [_text(weight) for weight in result.served.least_favourable],
                    "note": [list(row) for row in outcome.note_rows(place)],
                }
                for place, result in enumerate(outcome.results)
            ],
        }

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the findings; those about one reader begin with the reader's name."""
        keys = public(self.outcome.findings)
        readers = [f"{key.partition('/')[0]}: " if "/" in key else "" for key in keys]
        added = () if len({each.reader.loss_title for each in self.outcome.results}) == 1 else ("total", "separate_total")
        facts = zip(keys, readers, super().facts(full), strict=True)  # sums of different units say nothing
        return [(f"{reader}{label}", text) for key, reader, (label, text) in facts if key not in added]

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse fractions if alpha is irrational."""
        super().check(formats, fractions)
        levels = (self.outcome.level, *(level.privacy for level in self.outcome.design.levels))
        if fractions and self.outcome.existing is None and any(level.exact_alpha is None for level in levels):
            problem = "fractions need a rational alpha, for example 1/2; give alpha itself, or epsilon as ln 2."
            raise InputError(problem, "epsilon")

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make the release, and for each reader the remap and the resulting table, each proved, and notes."""
        for wanted in formats:
            if wanted == "json":
                tables = {table.key: table.as_rows() for table in self._tables}
                yield TableFile(f"{name}.json", json_text({**self.data(), "tables": tables}))
            elif wanted == "tex":
                yield from self.table_files(name, wanted)
            else:
                yield from self._proved(name, wanted, fractions)
                yield TableFile(f"{name}-notes.txt", self.note(*range(len(self.outcome.results))))

    def _proved(self, name: str, wanted: str, fractions: bool) -> Iterator[TableFile]:
        outcome, n = self.outcome, self.outcome.n
        if outcome.existing is None:
            yield _vouched(f"{name}-release.{wanted}", RemappedGeometric(outcome.level, n, range(n + 1)), wanted, fractions)
        if outcome.design.chained and n <= LARGEST_TABLES_N:
            yield from self._levels(name, wanted, fractions)
        for place, stem in enumerate(self.stems):
            yield self.remap(place, f"{name}-{stem}.remap.{wanted}", wanted)
            if outcome.existing is None and n <= _LARGEST_INDUCED:
                yield _vouched(f"{name}-{stem}.{wanted}", self._induced(outcome.results[place]), wanted, fractions)

    def _levels(self, name: str, wanted: str, fractions: bool) -> Iterator[TableFile]:
        """Make the table of the most precise level, those that draw each level from the one before, and how to use them."""
        design, drawn, steps, above = self.outcome.design, self.outcome.design.drawn, list[str](), ""
        tables = level_tables([level.privacy for level in drawn], self.outcome.n, fractions)
        for stem, level, (texts, found) in zip(self.level_stems, drawn, tables, strict=True):
            file, alone = f"{name}-{stem}.{wanted}", f"epsilon is at most {found.epsilon!r}"
            header = [f"{above}\\{level.title}" if above else CORNER, *map(str, range(len(texts)))]
            text = rows_text([header, *([str(i), *row] for i, row in enumerate(texts))], wanted)
            if list(TableText(text, file, True, True).rows()) != [list(map(Fraction, row)) for row in texts]:
                raise ProofError(f"{file} is not written: it reads back differently.")
            further = f" no further epsilon is spent; alone, {level.title}:" if above else ""
            words = f"proved on its text: every row sums to exactly 1 and{further} {alone}"
            yield TableFile(file, text, words, {"epsilon": found.epsilon})
            row = f"the number of {above}" if above else "the true count"
            steps.append(f"{len(steps) + 1}. {level.title}: drawn from row i of {file}, where i is {row}. Alone, {alone}.")
            above = level.title
        total, apart = design.spent.level.epsilon_above, figure(sum(level.privacy.epsilon_above for level in drawn), 6)
        own = next(level.title for level in drawn if level.privacy.alpha_below == design.privacy.alpha_below)
        parts = [
            f"{self.title}: {len(drawn)} numbers from one draw. Together, epsilon is at most {total!r}.",
            "\n".join(steps),
            "Only the first number is drawn from the data; the others are post-processing and spend no epsilon. "
            f"The release is the number of {own}. Draw no second number from the true count: "
            f"drawn separately, all have epsilon {apart}. The tables of the release and of the readers say what its number "
            "tells about the true count; nothing is drawn from them.",
        ]
        yield TableFile(f"{name}-levels.txt", "\n\n".join(parts) + "\n")

    @cached_property
    def level_stems(self) -> list[str]:
        """Return the name of each level in file names."""
        return [f"level-{place}-{file_name(level.title)}" for place, level in enumerate(self.outcome.design.drawn, 1)]

    def remap(self, place: int, name: str, wanted: str) -> TableFile:
        """Make the table of a reader's remap, proved on its text."""
        result, outputs = self.outcome.results[place], self.outcome.outputs
        reading = _reading(result, len(outputs))
        labels = [result.reader.reading_name(r) for r in range(len(reading[0]))]
        return _remap_file(name, outputs, reading, labels, wanted)

    def _induced(self, result: ReaderResult) -> Mechanism:
        n, level, reading = self.outcome.n, self.outcome.level, _reading(result, self.outcome.n + 1)
        if result.served.reading is None and len(reading[0]) == n + 1:
            return RemappedGeometric(level, n, [column or 0 for column in result.served.remap])
        return ReadGeometric(level, reading)

    @cached_property
    def stems(self) -> list[str]:
        """Return the name of each reader in file names, all different."""
        stems: list[str] = []
        for place, result in enumerate(self.outcome.results, 1):
            stem = file_name(result.reader.name)
            taken = {"release", "notes", "levels", *map(str.casefold, self.level_stems), *(other.casefold() for other in stems)}
            stems.append(f"{stem}-{place}" if stem.casefold() in taken else stem)
        return stems

    def note_file(self, place: int) -> tuple[str, Sequence[str], Callable[[str], str]]:
        """Return the usual name of a reader's note, what kinds of file it can be, and what writes it for a name."""

        def written(name: str) -> str:
            return self.remap(place, name, "csv").text if name.endswith(".csv") else self.note(place)

        kinds = message("Text (*.txt)"), message("Table (*.csv)")
        return f"{file_name(self.title)}-{self.stems[place]}-note.txt", kinds, written

    def note(self, *places: int) -> str:
        """Return what these readers need to read the release, as text."""
        outcome, parts = self.outcome, []
        for place, (title, at) in product(places, outcome.by_level.items()):
            rows = [f"{released:>12}  {read}" for released, read in at.note_rows(place, True)]
            level = f": the number given to {title}, ε at most {figure(at.level.epsilon_above, 6)}" if title else ""
            head = [f"{at.results[place].reader.name}{level}", f"{'released':>12}  read as"]
            parts.append("\n".join([*head, *rows, "", note_words(at, place)]))
        released, epsilon = named_releases(outcome.outputs), figure(outcome.level.epsilon_above, 6)
        opening = f"{self.title}: one release of {released}, ε at most {epsilon}"
        if outcome.existing is not None:
            opening += f" (as printed). {existing(outcome.design)[0].mended_words}".removesuffix(". ")
        if outcome.existing is None and outcome.design.levels:
            opening += f"; with all its levels at most {figure(outcome.design.spent.level.epsilon_above, 6)}"
        opening += "\nFind the released number at the left, and read it as the one at its right."
        return "\n\n".join([opening, *parts]) + "\n"

    def made_program(self, language: str, head: str) -> Program:
        """Return a program that releases once, draws each level from the one before, and remaps the numbers for each reader."""
        if self.outcome.existing is not None:
            raise InputError("an existing table has no program; draw from it with the program that published it.", "table")
        if language != "py":
            raise InputError("one release for several readers has a program in Python only; choose Python (py).", "format")
        readings = dict[str, dict[str, list[list[tuple[str, Fraction]]]]]()
        for title, result in ((title, each) for title, at in self.outcome.by_level.items() for each in at.results):
            reading = _reading(result, self.outcome.n + 1)
            names = [result.reader.reading_name(r) for r in range(len(reading[0]))]
            own = [[(names[r], share) for r, share in enumerate(row) if share] for row in reading]
            readings.setdefault(title, {})[result.reader.name] = own
        return audience_program({title: at.level for title, at in self.outcome.by_level.items()}, readings, head)

    @property
    def true_results(self) -> int:
        """The counts 0 to n, for geometric noise."""
        return self.outcome.n + 1 if self.outcome.existing is None else 0

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw outputs exactly, from the operating system's entropy; each reader applies their remap to them."""
        n = self.outcome.n
        if self.outcome.existing is not None:
            raise InputError("the table exists already; draw from it with the program that published it.", "table")
        if count is None:
            raise InputError(f"the true result must be given with --count, a whole number from 0 to {n}.", "count")
        true = parse_integer(count, "the count", 0, n)
        mechanism = RemappedGeometric(self.outcome.level, n, range(n + 1))
        return Releases(tuple(mechanism.draw(true) for _ in range(draws)))


def _text(value: Any) -> str | float | None:
    return exact_text(value) if isinstance(value, Fraction) else None if value is None else float(value)


def _reading(result: ReaderResult, outputs: int) -> Reading:
    """Return the probability of each reading of each output, as fractions."""
    served = result.served
    if served.reading is not None:
        return exact_reading(served.reading.tolist())
    columns = result.reader.readings
    return tuple(
        tuple(Fraction(int(r == (served.remap[j] or 0))) for r in range(columns)) for j in range(outputs)
    )  # an output that has probability 0 for the reader is remapped to the first


def _remap_file(name: str, outputs: Sequence[str], reading: Reading, labels: Sequence[str], wanted: str) -> TableFile:
    """Make the table of a remap and check the text read back: each output's probabilities must sum to exactly 1."""
    rows = [
        [output, labels[r], exact_text(share)]
        for output, shares in zip(outputs, reading, strict=True)
        for r, share in enumerate(shares)
        if share
    ]
    text = rows_text([["released", "read_as", "probability"], *rows], wanted)
    sums: dict[str, Fraction] = {}
    for line in list(lines(text, name))[1:]:
        sums[line.cells[0]] = sums.get(line.cells[0], Fraction(0)) + Fraction(line.cells[2])
    if sums.keys() != set(outputs) or any(total != 1 for total in sums.values()):
        raise ProofError(f"{name} is not written: the readings of an output do not sum to 1.")
    return TableFile(name, text, "proved on its text: the readings of every output sum to exactly 1, and cost no further epsilon")


def _vouched(name: str, mechanism: Mechanism, wanted: str, fractions: bool) -> TableFile:
    table: ProvedTable = fraction_table(mechanism) if fractions else decimal_table(mechanism)
    text = table.csv if wanted == "csv" else table.tsv
    words = f"proved on its text: every row sums to exactly 1 and {table.level}"
    return TableFile(name, text, words, {"epsilon": table.epsilon})
