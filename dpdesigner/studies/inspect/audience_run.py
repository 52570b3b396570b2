"""Solve one release for many readers: each reader's best remap, the cost of separate tables, targets and levels."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dpdesigner.core.basics.level import ZONE_LIMITS, PrivacyLevel
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.rounding import at_most, figure, loss_text, of_100, rounded_down, significant
from dpdesigner.core.inspection.optimum import deficiency
from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.inspection.reader_results import ReaderResult, kernels, results_of, total_loss
from dpdesigner.core.inspection.release_value import joint_ratio
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.data.office_tables import NoiseTable
from dpdesigner.messages import message
from dpdesigner.studies.data_inputs import MENDED
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.inspect.audience_answer import WHY, WHY_TABLE, AudienceAnswer, unreachable
from dpdesigner.studies.inspect.audience_design import LARGEST_KERNEL_N, AudienceDesign
from dpdesigner.studies.inspect.audience_panels import panels_for
from dpdesigner.studies.inspect.audience_readers import readers_of_table
from dpdesigner.studies.inspect.design import InspectDesign, read_rounded
from dpdesigner.studies.plain_language import ZONES, about, loss_words, more, percent_above, percent_digits, ratio_below
from dpdesigner.studies.study import Progress, silent

Exact = Fraction | float


def run(design: AudienceDesign, progress: Progress = silent, *, roughly: bool = False) -> AudienceAnswer:
    """Compute every reader's best remap of one release; refuse a table that cannot be read, or that the readers do not fit.

    Parameters
    ----------
    design : AudienceDesign
    progress : Progress
    roughly : bool
        In doubles and without linear programs for losses that the theorem does not cover: while a drag lasts.
    """
    source = table = ratio = None
    n, level = design.n, design.privacy
    if design.table != "":
        progress(None, "reading the table")
        source, table = existing(design)
        n, ratio = table.n, profile(table).exp_epsilon
        level = PrivacyLevel.from_alpha(0 if ratio == math.inf else 1 / Fraction(ratio))  # the table is no more private
    readers = readers_of_table(design.readers, n, design.n)
    results = results_of(readers, level, table, [each.privacy for each in design.levels], roughly, progress)
    targets = [result.least_epsilon for result in results if result.reader.target is not None]
    least = None if not targets or None in targets else max(value for value in targets if value is not None)
    findings = _findings(design, results, level, table, ratio, least, roughly)
    for result in results:
        findings |= _of_reader(result, ratio)
    proved = all(result.proved for result in results)
    least_excess = "" if source is None or roughly else _within_rounding(source, readers, results, table, level)
    return AudienceAnswer(
        design=design,
        findings=findings,
        panels=panels_for(design, results, table, n, source),
        sentence=_sentence(design, results, level, table, least_excess),
        badge=_badge(design, results, proved),
        checks=_checks(design, results, level, source),
        why=WHY if table is None else WHY_TABLE,
        n=n,
        level=level,
        existing=table,
        results=tuple(results),
        least_epsilon=least,
    )


def existing(design: AudienceDesign) -> tuple[NoiseTable, ReleaseTable]:
    """Return the existing table of a design that has one, as its file is now: as read, and as probabilities."""
    return read_rounded(InspectDesign(design.table))


# Findings ----------------------------------------------------------------------------------------------------------------


def _findings(
    design: AudienceDesign, results: Sequence[ReaderResult], level: PrivacyLevel, table: ReleaseTable | None,
    ratio: Exact | None, least: float | None, roughly: bool,
) -> dict[str, Finding]:  # fmt: skip
    weights = [exact(spec.weight) for spec in design.readers]
    count, best = len(results), sum(result.optimal for result in results)
    own: Exact = joint_ratio(level, 1, 1) if ratio is None else ratio
    state: State = "proved" if table is None or table.exact else "measured"
    found = dict[str, Finding]()
    if table is None:
        if design.levels:
            label, together = message("ε of all levels"), design.spent.level.epsilon_above
            found["levels_epsilon"] = Finding(label, together, digits=4, rounding="up", state="proved")
        served = results[0].reader.name if best else message("no reader")
        served = message("{best} of {count} readers", best=best, count=count) if count > 1 else served
        found["served"] = Finding(message("optimal for"), served, state="proved" if best == count else "open")
    elif ratio == math.inf:
        why = message("no private release compares with it, and separate tables have no ε to share")
        found["private"] = Finding(message("this table has"), message("no ε"), state="open", note=why)
    else:
        worst = max((result.excess for result in results if result.excess is not None), default=None)
        label, digits = message("above the best release by up to"), percent_digits(worst or 0)
        found["worst_excess"] = Finding(label, worst, share=True, digits=digits, rounding="up")
    found |= {
        "total": Finding(
            message("weighted sum of losses"),
            total_loss(weights, [result.served.loss for result in results]),
            rounding="up",
            note=message("different units are added as they are"),
        ),
        "exp_epsilon": Finding(message("ratio e^ε, one release"), own, rounding="up", state=state),
    }
    if count > 1 and ratio != math.inf:
        losses = [result.separate_loss for result in results]
        using = sum(result.separate.uses_the_data for result in results if result.separate is not None)
        informed = sum(result.best.uses_the_data for result in results)
        same = joint_ratio(level, informed, 1) if best == count else None  # less may do where a better release is possible
        found |= {
            "separate_total": Finding(message("separate tables, same total ε"), total_loss(weights, losses), rounding="down"),
            "separate_exp_epsilon": Finding(
                message("ratio e^ε, separate tables"), joint_ratio(level, using, count), rounding="up"
            ),
            "separate_exp_epsilon_same": Finding(message("ratio e^ε needed to match it"), same, rounding="up"),
        }
    if any(result.reader.target is not None for result in results):
        missed = next((result for result in results if result.unreachable), None)
        note = "" if missed is None else unreachable(missed)
        found["least_epsilon"] = Finding(message("ε that meets all targets"), least, rounding="up", note=note)
    if table is not None and ratio is not None:
        lacking = None if roughly else deficiency(table, ratio)
        note = message("not computed for a table of this size") if lacking is None else ""
        found["deficiency"] = Finding(message("deficiency"), None if lacking is None else lacking.high, rounding="up", note=note)
    if design.levels and table is None:
        ratios = [joint_ratio(each.privacy, 1, 1) for each in design.drawn]
        product = math.prod(ratios)
        found["levels_exp_epsilon"] = Finding(message("ratio e^ε, all levels"), max(ratios), rounding="up", state="proved")
        found["levels_exp_epsilon_independent"] = Finding(message("ratio e^ε, separate draws"), product, rounding="up")
        few = design.n <= LARGEST_KERNEL_N and not roughly
        if tables := few and kernels([each.privacy for each in design.levels], design.n):
            found["kernels"] = Finding(message("tables between levels"), tables, state="proved")
    return found


def _of_reader(result: ReaderResult, ratio: Exact | None) -> dict[str, Finding]:
    name, served, best = result.reader.name, result.served, result.best
    measure = (result.reader.loss_title, result.reader.cautious)
    remap: Any = served.remap if served.reading is None else tuple(tuple(row) for row in served.reading.tolist())
    worst = message("expected regret in the worst case") if result.reader.cautious == "regret" else message("expected loss")
    label = message("expected loss in the worst case") if result.reader.cautious == "loss" else worst
    excess = None if ratio == math.inf else result.excess
    digits, above = percent_digits(excess or 0), message("above the least possible, as a share of it")
    state: State = "proved" if result.proved else "open"
    made: dict[str, Finding] = {
        "loss": Finding(label, served.loss, rounding="up", measure=measure, state=state if result.optimal else "open"),
        "optimum": Finding(message("least possible at the same ε"), best.optimum, rounding="down", measure=measure, state=state),
        "regret": Finding(message("above the least possible by"), result.regret, rounding="up", measure=measure),
        "excess": Finding(above, excess, share=True, digits=digits, rounding="up"),
        "remap": Finding(message("reading of each output"), remap),
        "face": Finding(message("expected loss at face value"), served.face, rounding="up", measure=measure),
        "ignore": Finding(message("ignoring the release"), served.ignore, measure=measure),
        "covered": Finding(message("Theorem A covers the loss"), result.reader.covered, state="proved"),
        "gap": Finding(message("gap of the certificate"), best.gap, digits=1, rounding="up", state=state),
    }
    if result.separate is not None:
        note = "" if result.separate.uses_the_data else message("ignores the data")
        label, extra = message("expected loss with a separate table"), message("extra cost of a separate table")
        made["separate"] = Finding(label, result.separate_loss, rounding="down", measure=measure, note=note)
        made["separate_excess"] = Finding(extra, result.separate_excess, share=True, digits=3, rounding="down")
    if result.target is not None:
        label = message("least ε for the target {target}", target=result.reader.target)
        made["least_epsilon"] = Finding(label, result.least_epsilon, rounding="up", note=unreachable(result))
    if result.reader.cautious:
        made["least_favourable"] = Finding(message("least favourable prior"), served.least_favourable, state=state)
    if result.levels:
        losses, label = tuple(each.loss for each in result.levels), message("expected loss of a reader who sees all levels")
        made["levels"] = Finding(message("expected loss at each level"), losses, rounding="up")
        made["colluding"] = Finding(label, losses[0], rounding="up", measure=measure)
    return {f"{name}/{key}": finding for key, finding in made.items()}


# Words -------------------------------------------------------------------------------------------------------------------


def _sentence(
    design: AudienceDesign, results: Sequence[ReaderResult], level: PrivacyLevel, table: ReleaseTable | None, rounding: str
) -> str:
    if table is not None:
        return _table_sentence(str(design.table).endswith(MENDED), results, level, rounding)
    if len(design.drawn) > 1:
        return _levels_sentence(design)
    count = len(results)
    outside = [result for result in results if not result.optimal]
    if count == 1:
        best = message("<b>No private release of a whole count is better for {name}.</b> The expected loss is {loss}.")
        out = message("<b>The expected loss of {name} is {loss}.</b> Theorem A does not cover it: another release may be better.")
        return message(out if outside else best, name=results[0].reader.name, loss=loss_text(results[0].served.loss))
    if not outside:
        most, name = max((result.separate_excess or 0, result.reader.name) for result in results)
        anybody = message("either reader") if count == 2 else message("any of the {count} readers", count=count)
        first = message("<b>Publish one number: no other private count at this ε serves {anybody} better.</b>", anybody=anybody)
        if most < 0.0005:
            return message("{first} A table for each at the same total ε would be no better.", first=first)
        guesses = [
            each for each in results if loss_words(each.reader.loss) == message("right or wrong") and not each.reader.cautious
        ]
        if guesses:
            wrong, name = max((each.served.loss, each.reader.name) for each in guesses)
            return message("{first} {name} is still wrong {share} times in 100.", first=first, name=name, share=of_100(wrong, 3))
        words = message("{first} A table for each at the same total ε would cost {name} at least {most}.")
        return message(words, first=first, name=name, most=more(1.0, ratio_below(most, 2), digits=2))
    first = message("<b>One release is best for {best} of {count} readers.</b>", best=count - len(outside), count=count)
    worst = max(outside, key=lambda result: float(result.excess or 0))
    if worst.excess is None:
        return message("{first} The loss of {name} is outside Theorem A.", first=first, name=worst.reader.name)
    told = message("{first} For {name}, whose loss is outside Theorem A, it is {excess}% above the optimum.")
    return message(told, first=first, name=worst.reader.name, excess=percent_above(worst.excess))


def _levels_sentence(design: AudienceDesign) -> str:
    """Return the sentence on several levels, with their total ε and that of separate draws (rounded up)."""
    *names, last = [*(each.title for each in design.levels), message("the release")][: len(design.drawn)]
    named = message("{first} and {last}", first=", ".join(names), last=last)
    apart, total = min(sum(level.privacy.epsilon for level in design.drawn), 1e6), figure(design.spent.level.epsilon_above, 4)
    words = message("<b>Give {names} a number each: from one draw, the total ε is {total}.</b> Drawn separately, it is {apart}.")
    return message(words, names=named, total=total, apart="∞" if apart == 1e6 else at_most(apart, 4))


def _within_rounding(source: NoiseTable, readers: Any, results: Any, table: ReleaseTable | None, level: PrivacyLevel) -> str:
    """Return the excess over the best release at the least ε that the table’s rounding allows; empty if that is its own ε."""
    if not any(result.excess for result in results) or not 0 < (least := source.least_unrounded) < level.epsilon / 1.001:
        return ""
    excesses = [each.excess for each in results_of(readers, PrivacyLevel.from_epsilon(least), table) if each.excess is not None]
    words = message("; its rounding allows ε = {epsilon}, too: there at most {most}%") if len(excesses) == len(results) else ""
    return message(words, most=percent_above(max(0.001, *excesses)), epsilon=significant(float(rounded_down(least, 3)), 3))


def _table_sentence(mended: bool, results: Sequence[ReaderResult], level: PrivacyLevel, rounding: str) -> str:
    which = message("The mended table" if mended else "This table")
    if level.exact_alpha == 0:
        return message("<b>{w} is not private at any ε</b>: draw nothing from it. It is compared with the true count.", w=which)
    excesses = [result.excess for result in results if result.excess is not None]
    worst = max(excesses, default=0)
    best = "{first} and is as good as the best release with this ε." if len(excesses) == len(results) else "{first}."
    most = message("{first} and costs readers up to {most}% more than the best release with this ε{rounding}.")
    words = most if worst else message(best)
    zone = ZONES[bisect_left(ZONE_LIMITS, level.epsilon)]
    first = message("<b>{w} has ε = {e} ({zone} privacy)</b>", w=which, e=figure(level.epsilon_above, 4), zone=zone)
    told = message(words, first=first, most=percent_above(worst), rounding=rounding)
    read = max(results, key=lambda each: float(each.served.face or 0) / (float(each.served.loss) or 1))
    face, loss = float(read.served.face or 0), float(read.served.loss)
    words = message("{told} The best reading lowers {name}’s expected loss from about {face} at face value to {loss}.")
    return told if face < 1.1 * loss else message(words, name=read.reader.name, loss=about(loss), face=about(face), told=told)


def _badge(design: AudienceDesign, results: Sequence[ReaderResult], proved: bool) -> tuple[str, State]:
    if design.table != "":
        return message("a given table"), "open"
    if design.levels:  # the number beside it is their ε, and not that of the readers
        words = {"best": sum(result.optimal for result in results), "count": len(results)}
        if proved and words["best"] == words["count"]:
            return message("✓ optimal for {best} of {count} readers", **words), "proved"
        return message("optimal for {best} of {count} readers", **words), "open"
    if not proved:
        return message("not proved for every reader"), "open"
    return message("✓ proved optimal"), "proved"


def _checks(
    design: AudienceDesign, results: Sequence[ReaderResult], level: PrivacyLevel, source: NoiseTable | None
) -> tuple[str, ...]:
    if source is not None:
        sums = message("every row sums to exactly 1") if not source.wrong_sums else message("every row sums to 1 up to rounding")
        return source.mended_words or sums, message("attained ε = {epsilon}", epsilon=figure(level.epsilon_above, 4))
    return (
        message("one draw, ε = {epsilon}, rounded up", epsilon=figure(design.spent.level.epsilon_above, 4)),
        message("{count} certificates checked", count=sum(result.proved for result in results)),
    )
