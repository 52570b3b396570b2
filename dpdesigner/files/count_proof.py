"""The verification of a count design: in sentences with the numbers behind them, and as the file next to a table.

Nothing is said that was not checked.
"""

from __future__ import annotations

import hashlib
import json
import math
from fractions import Fraction
from typing import Any

from dpdesigner.core.basics.parsing import exact_text
from dpdesigner.core.basics.rounding import Quotient, rounded_up, small
from dpdesigner.core.mechanism.verification import Verification
from dpdesigner.errors import ProofError
from dpdesigner.files.atomic import json_text
from dpdesigner.files.export import Listing
from dpdesigner.files.formatting import number
from dpdesigner.files.tables import LARGEST_TABLE_N, ProvedTable, csv_text, printed_digits
from dpdesigner.studies.count.answer import CountOverview, LinearProgramCheck
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import CountAnswer, MechanismResult
from dpdesigner.studies.count.run import DeltaAnswer
from dpdesigner.studies.findings import format_finding

_MOST_PRICES, _LONGEST_ENTRY, _LONGEST_FRACTION, _RATIO_DIGITS = 24, 13, 24, 17
_VERIFIED = (
    "every row sums to exactly 1 and every ratio of neighbouring entries is within [alpha, 1/alpha], "
    "in exact arithmetic on the text of the table"
)
_VERIFIED_DELTA = (
    "every row sums to exactly 1, and for neighbouring rows P and Q the sum of (P - e^epsilon Q)+ is at most delta in both "
    "orders, in exact arithmetic on the text of the table"
)
#: The class of releases that the certificate compares with.
_RIVAL = "release of a whole number from 0 to n that depends only on the count and has this privacy"


def proof_sentences(solved: CountOverview, tables: tuple[ProvedTable, ProvedTable] | None, bare: bool = False) -> list[str]:
    """Return the verified facts.

    Parameters
    ----------
    solved : CountOverview
    tables : pair of ProvedTable, or None
        The table as shown and the whole one, if they were made.
    bare : bool
        Whether to state the privacy only, and nothing that is computed from the prior.
    """
    design, best, lp_check = solved.design, solved.best, solved.lp_check
    sentences = [_privacy(best)]
    if tables is None:
        exported = "; an export contains its own proof" if design.n <= LARGEST_TABLE_N else ""
        sentences.append(f"This report contains no table of the mechanism, so no text was checked{exported}.")
    else:
        printed, whole = tables
        above = design.privacy.epsilon_above
        asked = "no privacy was requested" if above == math.inf else f"requested: {above!r}, rounded up"
        how = "was read back from its text and checked in exact arithmetic"
        sentences.append(f"The complete table, with all its digits, {how}: {_found(printed)}; {asked}.")
        sentences.append(f"The whole table (CSV) was read back and checked in the same way: {_found(whole)}.")
    if bare:
        return sentences
    sentences += [_optimality(solved), _theorem(design)]
    if lp_check is not None:
        sentences.append(
            _beside(solved.solved) if best is lp_check and isinstance(solved.solved, CountAnswer) else _lp_check(lp_check)
        )
    return sentences


def proof_listings(solved: CountOverview) -> list[Listing]:
    """Return the prices w of the certificate, one for each true count, if the closed form is the answer to the design."""
    outcome = solved.solved
    if solved.best is not outcome or outcome.design.mu is not None:
        return []
    prior, n = outcome.design.prior, outcome.design.n
    beliefs = prior.exact[:_MOST_PRICES] if outcome.exact else prior.probabilities[:_MOST_PRICES].tolist()
    prices = outcome.certificate.dual[: len(beliefs)]
    rows = tuple((str(i), _short(p), _short(w)) for i, (p, w) in enumerate(zip(beliefs, prices, strict=True)))
    notes = [f"Shown: the first {_MOST_PRICES} of {n + 1} rows."] if n >= _MOST_PRICES else []
    if any(_short(value) != _whole(value) for value in (*beliefs, *prices)):
        notes.append(f"Fractions of more than {_LONGEST_FRACTION} characters are rounded to 12 digits.")
    if not outcome.exact:
        notes.append("Rounded to doubles; the certificate lowers every price by its shift before it adds them up.")
    return [Listing("The prices of the certificate", ("true count", "prior", "price w"), rows, " ".join(notes))]


def sidecar(solved: CountOverview, table: ProvedTable, csv_name: str | None) -> dict[str, Any]:
    """Return the certificate and the proof that accompany a table, as JSON values.

    Parameters
    ----------
    solved : CountOverview
        Whose best mechanism the table holds.
    table : ProvedTable
    csv_name : str or None
        The name of the CSV file, if there is one.
    """
    design, best = solved.design, solved.best
    certificate: dict[str, Any] = {"gap": number(best.gap), "exact": isinstance(best.gap, Fraction), "basis": best.basis}
    proof: dict[str, Any] = {
        "statement": _VERIFIED_DELTA if design.uncovered else _VERIFIED,
        "epsilon": number(table.epsilon),
        "epsilon_asked": number(design.privacy.epsilon_above),
    }
    if design.uncovered:
        proof["delta"], proof["delta_asked"] = number(table.delta), number(design.uncovered)
    if best is solved.solved:
        found = solved.solved.certificate
        certificate["dual"] = [number(entry) for entry in found.dual]
        certificate["shift"] = number(found.shift)
        if isinstance(best, DeltaAnswer) and not best.by_program and best.design.mu is None:
            dual = best.reading.dual
            certificate["rising"] = _numbers(dual.rising)
            certificate["falling"] = _numbers(dual.falling)
    if csv_name is not None:
        proof["csv"] = csv_name
        proof["sha256"] = hashlib.sha256(table.csv.encode("utf-8")).hexdigest()
    return {"certificate": certificate, "proof": proof}


def sidecar_text(data: dict[str, Any], table: ProvedTable, with_table: bool) -> str:
    """Return an answer as the text of a file, optionally with the table in it, which is then checked by reading back."""
    if with_table:
        size = range(len(table.texts))
        rows = [[str(i), *row] for i, row in enumerate(table.texts)]
        data["tables"] = {"mechanism": [["true\\released", *map(str, size)], *rows]}
    text = json_text(data)
    if with_table and csv_text([row[1:] for row in json.loads(text)["tables"]["mechanism"][1:]]) != table.csv:
        raise ProofError("the table is not written, because it reads back differently from JSON.")
    return text


def printed_note(table: ProvedTable) -> str:
    """Return how the entries of a table for print were rounded; empty if they are exact."""
    if table.alpha == table.privacy.exact_alpha and table.short:
        return ""
    level = " and at a slightly more private level" if table.alpha > table.privacy.alpha_above else ""
    goes_on = any(shortened(text) != text for row in table.texts for text in row)
    return (
        f"Written with {printed_digits(len(table.texts) - 1)} digits{level}, the largest entry of each row being what the others "
        f"leave of 1{'; where it ends in …, its digits go on' if goes_on else ''}."
    )


def released_columns(table: ProvedTable, most: int) -> list[int]:
    """Return the results with a positive probability; all results if the table has at most this many columns."""
    every = list(range(len(table.texts)))
    return every if len(every) <= most else [r for r in every if any(row[r] != "0" for row in table.texts)]


def shortened(text: str) -> str:
    """Return an entry shortened to fit a narrow column."""
    return text if len(text) <= _LONGEST_ENTRY or "e" in text else f"{text[: _LONGEST_ENTRY - 1]}…"


def _privacy(best: MechanismResult) -> str:
    if delta := best.design.uncovered:
        level = f"({best.design.privacy.epsilon_above!r}, {float(delta)!r})"
        return f"The mechanism ({best.method}) is {level}-differentially private by its construction; epsilon is rounded up."
    if best.compact_mechanism.epsilon == math.inf:
        return f"The mechanism ({best.method}) gives no privacy: epsilon is infinite, as requested."
    return (
        f"The mechanism ({best.method}) is {best.compact_mechanism.epsilon!r}-differentially private by its construction; "
        f"the figure is "
        "rounded up."
    )


def _found(table: ProvedTable) -> str:
    verification = table.verification
    rows = "its one row sums" if verification.n_rows == 1 else f"all {verification.n_rows} rows sum"
    if table.delta:
        return f"{rows} to exactly 1, no entry is negative, and {table.level}"
    return f"{rows} to exactly 1, no entry is negative, {_ratio(verification)}"


def _ratio(verification: Verification) -> str:
    if verification.largest is None:
        return f"a positive entry faces a zero in {verification.n_infinite} places, so epsilon is infinite"
    if verification.worst is None:
        return "and there are no neighbouring rows, so epsilon is 0"
    above = verification.largest.rounded_up(_RATIO_DIGITS)
    largest = f"at most {above:g}" if Quotient(above).exceeds(verification.largest) else f"{above:g}"
    ratio = f"the largest ratio of two neighbouring entries is {largest} ({verification.worst.description})"
    return f"{ratio}, so epsilon is {verification.epsilon!r}, rounded up"


def _optimality(solved: CountOverview) -> str:
    """Return the certificate in words, with its numbers."""
    outcome, best, findings = solved.solved, solved.best, solved.findings
    value, bound, gap = (
        format_finding(findings["value"], "full"),
        format_finding(findings["bound"], "full"),
        format_finding(findings["gap"]),
    )
    if best is not outcome:
        return (
            f"The expected loss is {value} and at most {gap} above that of any {_RIVAL}: the dual solution of the "
            "linear program was made feasible by testing the constraint cone column by column, and every rounding "
            "error counts against it."
        )
    if isinstance(outcome, DeltaAnswer):
        return _optimality_with_delta(outcome, value, bound, gap)
    certificate = outcome.certificate
    if isinstance(certificate.gap, Fraction):
        return (
            f"No {_RIVAL} has an expected loss below {bound}: that is the sum of the prices w, by weak duality of the "
            f"linear program. Basis of their feasibility: {certificate.basis}. The mechanism costs {value}: the gap "
            f"is {certificate.gap}."
        )
    return (
        f"No {_RIVAL} has an expected loss below {bound}: that is the sum of the prices w, each lowered by "
        f"{small(certificate.shift)}, less the rounding errors of the sums, by weak duality of the linear program. "
        f"Basis of their feasibility: {certificate.basis}, with every rounding error counted against them. The "
        f"mechanism costs {value}, up to a rounding error that the gap includes: it is at most {gap} above the "
        "optimum."
    )


def _optimality_with_delta(outcome: DeltaAnswer, value: str, bound: str, gap: str) -> str:
    """Return the certificate with delta in words; its prices were tested for every release."""
    if outcome.by_program:
        how = "the dual solution of the linear program, lowered until every release passed the test"
    else:
        how = "a dual solution of the linear program with delta, tested for every release"
    return (
        f"No {_RIVAL.replace('this privacy', 'this epsilon and delta')} has an expected loss below {bound}: that is the sum of "
        f"the prices w less delta times the prices of the steps, by weak duality; {how}. The mechanism costs {value}: the gap "
        f"is at most {gap}."
    )


def _theorem(design: CountDesign) -> str:
    coverage = design.loss.coverage(design.n)
    if coverage.covered and design.uncovered:
        return (
            "Theorem used: the domination theorem for (epsilon, delta), proved in the help; we do not know whether it "
            "was known before. Its condition holds: the loss {coverage.reason}"
        )
    if coverage.covered:
        return (
            "Theorem used: Theorem A, the extension of Ghosh, Roughgarden and Sundararajan (2009), Theorem 3.1. Its condition "
            f"holds: the loss {coverage.reason}"
        )
    return f"No theorem is used. The loss is outside Theorem A: {coverage.reason}"


def _beside(outcome: CountAnswer) -> str:
    value, gap = format_finding(outcome.findings["value"], "full"), format_finding(outcome.findings["gap"])
    return (
        f"For comparison: the best reading of the geometric mechanism costs {value}, at most {gap} above the optimum "
        "by its own certificate."
    )


def _lp_check(lp_check: LinearProgramCheck) -> str:
    gap = format_finding(lp_check.findings["gap"])
    return (
        f"Independent check: a linear program over all these releases found {lp_check.value!r}. Making it exactly "
        f"private added {rounded_up(lp_check.repair_cost, 3):g}. By its own certificate it is within {gap} of the "
        f"optimum ({lp_check.iterations} iterations)."
    )


def _numbers(given: Any) -> list[Any]:
    """Return numbers as JSON values, one for each step, or for each level and step."""
    return [_numbers(entry) if isinstance(entry, (list, tuple)) else number(entry) for entry in given]


def _whole(value: float | Fraction) -> str:
    return exact_text(value) if isinstance(value, Fraction) else str(value)


def _short(value: float | Fraction) -> str:
    text = _whole(value)
    return text if len(text) <= _LONGEST_FRACTION else f"{float(value):.12g}"
