"""The run of an inspection: the table is read and checked, every pair of rows compared, and the results put into findings."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import double_above, figure, rounded_down, share_digits
from dpdesigner.core.inspection import reading as readings
from dpdesigner.core.inspection.optimum import approximate_optimum, deficiency, epsilon_of_equal_use, optimum
from dpdesigner.core.inspection.profile import Profile, crowd_profile, logarithm, profile
from dpdesigner.core.inspection.reading import Reader
from dpdesigner.core.inspection.table import ReleaseTable, sampled
from dpdesigner.data.office_tables import NoiseTable
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.inspect.answer import (
    PANELS,
    SMALL_FLOOR,
    WHY,
    WHY_CROWD,
    InspectAnswer,
    certain,
    instead,
    just_as_much,
    people_text,
    rate_on,
    released_column,
    worst_for,
    worst_place,
)
from dpdesigner.studies.inspect.design import DIGITS, InspectDesign, false_alarms, file_of, read_source, remembered, table_key
from dpdesigner.studies.plain_language import more
from dpdesigner.studies.study import Progress, silent

Exact = Fraction | float

_CATEGORIES = "categories"
_DOUBLES = 1e-12  # error of tables computed in doubles


def run(design: InspectDesign, progress: Progress = silent, *, roughly: bool = False) -> InspectAnswer:
    """Inspect a table.

    Parameters
    ----------
    design : InspectDesign
    progress : Progress
    roughly : bool
        In doubles, and several releases on a coarse grid: while a drag lasts.

    Raises
    ------
    InputError
        If it cannot be read, its rows are not distributions, or what is asked does not fit it.
    """
    progress(None, "reading the table")
    source, releases = read_source(design)
    key = table_key(design)
    group = releases.n if source.format == _CATEGORIES else min(design.group, releases.n)
    whole = remembered(("sampled", key, design.sampling), lambda: sampled(releases, design.sampling))
    if roughly:
        key = (key, "roughly")
        whole = remembered(("doubles", key, design.sampling), whole.in_doubles)
    group = min(group, whole.n)
    parts = ("profile", key, design.sampling, group, design.releases, roughly)
    found = remembered(parts, lambda: profile(whole, group, design.releases, progress, roughly=roughly))
    people: Profile | None = found if source.format == _CATEGORIES else found.named
    if design.attacker == "outsider":
        others = readings.others_count(design.others, whole.n - group)
        people = remembered(
            ("crowd", *parts, tuple(others)), lambda: crowd_profile(whole, others, group, design.releases, progress)
        )
        people = people and people.named
    reader = remembered(
        ("reader", key, design.sampling, str(design.prior), design.loss),
        lambda: Reader(whole, _prior(design, whole), design.loss),
    )
    findings = _findings(design, key, found, people, reader, progress, roughly)
    found.kinks  # noqa: B018  (for the pictures, which must not wait for them)
    own_delta = findings["delta"].value
    asked = exact(design.delta or (0 if found.exact else _DOUBLES))
    private = Fraction(own_delta) <= asked and (design.delta is not None or found.exp_epsilon != math.inf)  # type: ignore[arg-type]
    told = _headlines(design, found, people or found.named, findings, private, _cause(source, found))
    state: State = "refuted" if not private else "open" if source.completed else "proved"
    return InspectAnswer(
        design=design,
        findings=findings,
        panels=PANELS,
        sentence=told[0],
        headlines=told,
        badge=(_badge(design, found, findings, private, bool(source.completed)), state),
        checks=_checks(design, source, found),
        why=WHY if design.attacker == "informed" else WHY_CROWD,
        stated=() if private and not source.completed else instead(design, findings),
        source=source,
        releases=releases,
        profile=found,
        people=people or found.named,
        reader=reader,
        passed=private and not source.completed,
    )


def _prior(design: InspectDesign, table: ReleaseTable) -> Prior:
    given = design.prior
    if not isinstance(given, str) and len(given) != table.n + 1:
        raise InputError(f"the prior must have n + 1 = {table.n + 1} weights, got {len(given)}.", "prior")
    return Prior(given, table.n)


def _findings(
    design: InspectDesign,
    key: Hashable,
    found: Profile,
    people: Profile | None,
    reader: Reader,
    progress: Progress,
    roughly: bool,
) -> dict[str, Finding]:
    return {
        **_in_people(design, found, people),
        **_privacy(design, found),
        **_leakage(reader),
        **_use(design, key, reader, progress, roughly),
        **_errors(design, reader),
    }


def _in_people(design: InspectDesign, found: Profile, people: Profile | None) -> dict[str, Finding]:
    rate, state = exact(design.base_rate), _state(found)
    if people is None:
        note = message("at most: the attacker is assumed to know everybody else, because this many releases have too many sets")
        people = found.named
    else:
        note = message("the attacker knows everybody else" if design.attacker == "informed" else "the attacker knows the crowd")
    false = rate_on(design, people.curves[worst_place(design, people)].curve, people)
    chance = figure(100 * max(rate, 1 - rate), 3)
    right = message("attacker right (by chance {chance}%)", chance=chance)
    at = message("found out at {false}", false=false_alarms(false))
    shares = {
        "success": (right, people.success(rate)),
        "posterior": (message("a suspicion rises at most to"), people.posterior(rate)),
        "found_out": (at, people.found_out(false)),
        "advantage": (message("lead over chance"), people.total_variation),
    }
    known: dict[str, Any] = {"share": True, "rounding": "up", "state": state, "note": note}
    return {key: Finding(label, share, digits=_digits(share), **known) for key, (label, share) in shares.items()}


def _privacy(design: InspectDesign, found: Profile) -> dict[str, Finding]:
    state, level = _state(found), design.privacy
    ratio, place = found.exp_epsilon, found.epsilon_place
    where = "" if place is None else f"{place.row}, {place.neighbour}, {found.table.labels[place.column]}"
    delta = _delta(found, 1 / level.alpha_above if level.alpha_above else math.inf, level.exact_alpha is not None)
    low = None if found.exact else found.delta_below(1 / float(level.alpha_above))
    below = "" if low is None else message("at most; at least {below}", below=_below(float(low)))
    d2, rho = found.divergences
    return {
        "exp_epsilon": Finding(message("largest ratio, e^ε"), ratio, rounding="up", state=state),
        "epsilon": Finding(message("privacy ε"), logarithm(ratio), digits=4, rounding="up", state=state),
        "epsilon_at": Finding(
            message("reached at row, neighbour, release"), where or None, note="" if where else message("nowhere")
        ),
        "delta": Finding(
            message("δ at ε = {epsilon}", epsilon=design.epsilon), delta, digits=DIGITS, rounding="up", state=state, note=below
        ),
        "delta_floor": Finding(message("δ at any ε"), found.delta_floor, rounding="up", state=state),
        **_epsilon_at_delta(design, found, state),
        "total_variation": Finding(message("total variation"), found.total_variation, rounding="up", state=state),
        "renyi_2": Finding(message("Rényi divergence, order 2"), d2, digits=6, rounding="up"),
        "rho": Finding(message("zCDP ρ"), rho, digits=6, rounding="up"),
        "mu": Finding(message("Gaussian μ"), found.gaussian, digits=6, rounding="up", note=_gaussian_note(found)),
    }


def _epsilon_at_delta(design: InspectDesign, found: Profile, state: State) -> dict[str, Finding]:
    labels = {"exp_epsilon_at_delta": message("least e^ε for this δ"), "epsilon_at_delta": message("least ε for this δ")}
    if design.delta is None:
        return {key: Finding(label, None, note=message("no δ was given")) for key, label in labels.items()}
    asked = exact(design.delta)
    ratio = found.ratio_at(asked)
    if ratio == math.inf:
        note = message(
            "δ = {delta} cannot be reached at any ε: the minimum is {floor}",
            delta=design.delta,
            floor=figure(float(found.delta_floor), 3),
        )
        return {key: Finding(label, math.inf, note=note) for key, label in labels.items()}
    values = {"exp_epsilon_at_delta": ratio, "epsilon_at_delta": logarithm(ratio)}
    return {key: Finding(label, values[key], digits=4, rounding="up", state=state) for key, label in labels.items()}


def _leakage(reader: Reader) -> dict[str, Finding]:
    capacity = reader.capacity
    return {
        "posterior_vulnerability": Finding(
            message("probability of guessing the count"), reader.vulnerability, share=True, digits=3, rounding="up"
        ),
        "capacity_sum": Finding(message("any guess becomes more likely by a factor of"), capacity, rounding="up"),
        "min_capacity_bits": Finding(message("min-capacity"), math.log2(capacity), "bits", rounding="up", digits=3),
    }


def _use(design: InspectDesign, table_read: Hashable, reader: Reader, progress: Progress, roughly: bool) -> dict[str, Finding]:
    loss, prior, table = design.loss, reader.prior, reader.table
    key = (table_read, design.sampling, prior, loss)
    loss.check(table.n)
    best = reader.best_loss
    progress(None, "the least loss of geometric noise")
    single = remembered(("profile", *key[:2], 1, 1, False), lambda: profile(table))
    own = remembered(("optimum", *key), lambda: optimum(prior, loss, single.exp_epsilon))
    same = remembered(("same", *key), lambda: epsilon_of_equal_use(prior, loss, best))
    level, covered = design.privacy, loss.coverage(table.n).covered
    own_delta = single.delta(1 / level.alpha_above if level.alpha_above else math.inf)
    approximate = (
        None if roughly else remembered(("approximate", *key, level), lambda: approximate_optimum(prior, loss, level, own_delta))
    )
    lacking = remembered(("deficiency", *key[:2]), lambda: deficiency(table, single.exp_epsilon))
    each = design.level_each
    alpha = each.exact_alpha if each.exact_alpha is not None else float(each.alpha_above)
    ratio = 1 / alpha if alpha else math.inf
    asked = remembered(("asked", *key, each), lambda: optimum(prior, loss, ratio)) if covered else None
    same = each.epsilon if asked is not None and just_as_much(asked, best) and each.epsilon < 700 else same
    together = (
        None
        if roughly and design.releases > 1
        else remembered(("together", *key, design.releases), lambda: reader.releases_loss(design.releases, progress))
    )
    up: dict[str, Any] = {"digits": 3, "rounding": "up", "measure": loss}
    down, unknown = {**up, "rounding": "down"}, message("not known for this loss")
    bounded = "" if covered else message("the theorem does not cover this loss: what the certificate proves")
    closed = message("in closed form") if approximate is not None else unknown
    lost = message("loss of the worst user, per unit of the range of the loss")
    too_many = message("too many sets of releases") if together is None else ""
    shared = "" if each == level else message("ε = {each} for each release and person", each=design.epsilon_each)
    same_note = "" if covered else message("of geometric noise")
    return {
        "best_loss": Finding(message("expected error of the best reading"), best, **up),
        "reading": Finding(message("read as"), ", ".join(map(str, reader.reading))),
        "face_loss": Finding(message("expected error at face value"), reader.face_loss, **up),
        "optimum": Finding(message("least error at this table’s ε"), own, note=bounded, **down),
        "optimum_delta": Finding(message("least error at this ε and the table’s δ there"), approximate, note=closed, **down),
        "optimum_requested": Finding(
            message("error of geometric noise at the requested ε"), asked, note=shared if covered else unknown, **up
        ),
        "epsilon_same_use": Finding(
            message("geometric noise is equally accurate at ε ="), same, digits=3, rounding="up", note=same_note
        ),
        "deficiency": Finding(lost, None if lacking is None else lacking.high, digits=3, rounding="up", note=_lacking(lacking)),
        "releases_loss": Finding(message("expected error of all releases read together"), together, note=too_many, **up),
    }


def _lacking(lacking: Any) -> str:
    if lacking is None:
        return message("not computed for a table of this size")
    return "" if lacking.exact else message("at most; at least {low}", low=_below(float(lacking.low)))


def _digits(share: Exact) -> int:
    return share_digits(share, 2 if share < 0.1 else 3)


def _below(value: float) -> str:
    return f"{rounded_down(value, 3):g}"


def _errors(design: InspectDesign, reader: Reader) -> dict[str, Finding]:
    table, confidence = reader.table, exact(design.confidence)
    bound, mass = readings.error_bound(table, confidence)
    bias, variance = readings.moments(table)
    label, place = released_column(design, table)
    beliefs = reader.posterior(place)
    after = message("after the release {release}", release=label)
    findings = {
        "error_bound": Finding(message("the error is at most"), bound, note=message("at face value")),
        "error_bound_mass": Finding(message("with at least"), mass, share=True, digits=3, rounding="down"),
    }
    if beliefs is None:
        note = message("{release} is never released", release=label)
        for key, name in (("low", message("least")), ("high", message("largest")), ("mass", message("probability"))):
            findings[f"interval_{key}"] = Finding(name, None, note=note)
        findings["posterior_mean"] = Finding(message("mean count"), None, note=note)
    else:
        interval = readings.interval(beliefs, confidence)
        findings |= {
            "interval_low": Finding(message("interval: least count"), interval.low, note=after),
            "interval_high": Finding(message("interval: largest count"), interval.high, note=after),
            "interval_mass": Finding(
                message("interval: probability"), interval.mass, share=True, digits=3, rounding="down", note=after
            ),
            "posterior_mean": Finding(message("mean count"), interval.mean, digits=3, note=after),
        }
    return findings | {
        "bias_max": Finding(message("largest bias at face value"), bias, digits=3, rounding="up"),
        "variance_max": Finding(message("largest variance at face value"), variance, digits=3, rounding="up"),
    }


def _delta(found: Profile, ratio: Exact, rational: bool) -> Exact:
    if ratio == math.inf:
        return found.delta_floor
    value = found.delta(ratio)
    return value if rational or not isinstance(value, Fraction) else double_above(value)


def _state(found: Profile) -> State:
    return "proved" if found.exact else "measured"


def _gaussian_note(found: Profile) -> str:
    if found.releases > 1 and not found.exact and math.isfinite(found.gaussian):
        return message("the ratios are rounded up to a grid")
    return ""


def _risk(design: InspectDesign, found: Profile, people: Profile, findings: dict[str, Finding]) -> list[str]:
    """Say what an attacker finds out, in a short form and in full."""
    after = message(
        " after {k} releases, each of a new sample" if design.sampling else " after {k} independent releases", k=design.releases
    )
    values: dict[str, Any] = {"again": after if design.releases > 1 else ""}
    rare = found.delta_floor < SMALL_FLOOR
    if rare and (often := certain(design, found)):
        return [message("An attacker is certain about one person up to {often}{again}.", often=often, **values)]
    if found.exp_epsilon != math.inf or design.attacker != "informed" or rare:
        known = [message("An attacker"), message("An attacker who knows everybody else")]
        if design.attacker != "informed":
            known = [message("An attacker who knows only the distribution of the others’ count")]
        values["whom"] = message("one person") if design.group == 1 else message("a group of {size} people", size=design.group)
        values["won"] = people_text(findings["success"].value)  # type: ignore[arg-type]
        right = message("{known} is right about {whom} at most {won} times in 100{again}.")
        return [message(right, known=each, **values) for each in known]
    sure = people.delta_floor >= SMALL_FLOOR
    i, k = worst_for(design, people if sure else found, lambda curve: curve.floor)
    some = message("a group of {size} people", size=abs(i - k)) if abs(i - k) > 1 else message("a person")
    words = message(
        "If the count is {i} without {some} and {k} with, their absence is certain up to {proof} times in 100{again}."
    )
    if people is found:  # categories
        words = message("Of one answer rather than another, an attacker is certain up to {proof} times in 100{again}.")
    elif (i, k) == (1, 0):
        words = message("A person alone in their cell is found out with certainty up to {proof} times in 100{again}.")
    elif sure:
        words = message(
            "If the count is {i} with {some} and {k} without, they are found out with certainty up to {proof} times in 100"
            "{again}."
        )
    proof = people_text(people.delta_floor if sure else found.delta_floor)
    return [message(words, i=i, k=k, some=some, proof=proof, **values)]


def _headlines(
    design: InspectDesign, found: Profile, people: Profile, findings: dict[str, Finding], private: bool, cause: str
) -> tuple[str, ...]:
    """Say what an attacker finds out, the cause, and what the best private noise would change, and shorter forms."""
    told, best = _risk(design, found, people, findings), findings["best_loss"].number
    if cause and certain(design, found):
        told.append(f"{told[-1]} {cause}")
    own = private and found.exp_epsilon != math.inf
    least, sure = findings["optimum" if own else "optimum_requested"], bool(certain(design, found))
    if best and least.number is not None and not (own and least.note) and design.releases == design.group == 1:
        forms = _better(design, best, least.number, own, sure)
        told += [message("{risk} {better}", risk=told[-1], better=better) for better in reversed(forms)]
    return tuple(reversed(told))


def _cause(source: NoiseTable, found: Profile) -> str:
    """Say that rounding made probabilities 0: where rows miss 1 by rounding only, and only last digits prove anything."""
    if not source.rounded_to or found.delta_floor * 10**source.rounded_to > 100:
        return ""
    return message("Rounding to {count} decimals made some probabilities exactly 0.", count=source.rounded_to)


def _better(design: InspectDesign, best: float, least: float, own: bool, sure: bool) -> tuple[str, ...]:
    """Say how much the expected error changes with the best noise: larger to the nearest percent, smaller rounded down.

    Of a table that proves something with certainty there is a shorter form.
    """
    noise = message("the best noise of the same ε" if own else "private noise at ε = {epsilon}", epsilon=design.epsilon)
    if own and best <= least * (1 + 1e-9):
        return (message("No noise of the same ε has a smaller expected error."),)
    smaller = message("{percent}% smaller", percent=math.floor(100 * (1 - least / best)))
    change = smaller if least <= 0.99 * best else more(best, best if just_as_much(least, best) else max(least, best), "larger")
    values = {"noise": noise, "change": change, "epsilon": design.epsilon}
    if not sure or own:
        return (message("With {noise}, the expected error is {change}.", **values),)
    short = message("Private noise at ε = {epsilon} avoids this; the error is {change}.", **values)
    return message("With {noise}, that never happens; the expected error is {change}.", **values), short


def _badge(design: InspectDesign, found: Profile, findings: dict[str, Finding], private: bool, bare: bool) -> str:
    """Say how private the table is; `bare`: as completed, because the table as printed passes nothing."""
    own = figure(float(findings["epsilon"].number or 0), 4)
    values = {"epsilon": design.epsilon, "delta": design.delta, "own": own, "yes": "" if bare else "✓ "}
    if design.delta is not None:
        if private and not bare and found.exp_epsilon != math.inf:
            return message("✓ private · ε = {epsilon}, δ = {delta}", **values)  # not where a release can be certain proof
        return message("{yes}meets ε = {epsilon}, δ = {delta}" if private else "✗ misses ε = {epsilon}, δ = {delta}", **values)
    if private or found.exp_epsilon != math.inf:
        held = "ε = {own}" if bare else "✓ private · ε = {own}"
        return message(held if private else "✗ misses ε = {epsilon}: ε = {own}", **values)
    return message("✗ not private")


def _checks(design: InspectDesign, source: NoiseTable, found: Profile) -> tuple[str, ...]:
    pairs = len(found.pairs)
    filled = "the table as written is not a mechanism; the largest entry of each row gets the missing probability ({rows})"
    words = source.words.replace("read: ", f"read {name}: ", 1) if (name := file_of(design.table).name) else source.words
    checks = [words, message(filled if source.completed else "every row sums to 1 exactly", rows=source.completed)]
    checks.append(message("{pairs} ordered pairs of neighbours compared", pairs=pairs))
    if found.exact:
        checks.append(message("in fractions"))
    elif not found.table.exact:
        checks.append(message("computed in doubles, accurate to 1e−12, not proved"))
    else:
        checks.append(message("ln of the ratios rounded up to a grid of 1e−4"))
    if source.format not in ("plain", _CATEGORIES):
        checks.append(
            message(
                "The same people get the same key, so asking again reveals nothing more. Overlapping cells do reveal more, and "
                "these views describe one cell. The keys must stay secret."
            )
        )
    return (*checks, *source.remarks[:3])
