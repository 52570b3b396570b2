"""[GRS] Theorem 6.3 with Figures 4 and 5: two users whom no one mechanism serves, and what sharing costs them.

Databases {0,1}^3, by who is ill; user 1 believes 1/4 in {1} and in {2}, 1/2 - e in {2,3}, e in {1,3}; user 2 the same with
{1,3} and {2,3} exchanged. The loss is |i - r|^(1 - delta); it is computed for delta = 1, a lower bound for every delta, and
attained by mechanisms that are never off by more than one, so that delta drops out. At alpha = 1/2 the least total regret of
one release for both is max(0, min(11/120 - e/5, 1/8 - e)), by a linear program over pairs of readings ([GRS] Lemma 6.4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.basics.rounding import figure, raised
from dpdesigner.core.mechanism.adjacency_graphs import BestMechanism, best_mechanism, databases, edges
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel, View
from dpdesigner.studies.exhibits.exhibit import (
    NUMBERS,
    Exhibit,
    grouped_bars,
    parameter,
    points,
    text,
)
from dpdesigner.studies.fields import declare, number, privacy
from dpdesigner.studies.findings import Finding, Findings, Rounding, State
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Line, Mark
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role, Sentence, Table

_PARTS = 120  # of 1: for such doubts the errors at ε = ln 2 are twelfths of a percent
_CUBE = databases(3)
_JOINED = edges(_CUBE)
_ILL = {"{1}": (1, 0, 0), "{2}": (0, 1, 0), "{1,3}": (1, 0, 1), "{2,3}": (0, 1, 1)}


class Theorem63(Exhibit):
    """Two users and one release."""

    exhibit = "grs/theorem-6.3"
    heading = message("Two users, one release")
    place = message("Theorem 6.3")
    claim = message(
        "Ann and Ben count the ill among patients 1, 2 and 3. If Ann gives “1 and 3” a small probability and Ben “2 and 3”, "
        "no shared release (ε = ln 2) is best for both."
    )
    verdict = message("2 misnamed rows; cost 4¹⁄₃ points")
    differs = message(
        "Databases {3} and {4} in the proof should read {1,3} and {2,3}, the rows of Figure 5; there is no person 4. "
        "The paper proves that sharing has a cost for small probabilities; here is the cost, for all. It is the same for every "
        "loss of the theorem, because no error exceeds one."
    )
    beside_inputs = "here", "expected"
    help = "two-users"
    pictured_numbers = ("each", "alone", "shared", "oblivious", "value", "sharing", "figure-4")
    views = (
        View("errors", message("Errors"), ("plans", "wrong", "price")),
        View("releases", message("Releases"), ("releases", "why", "price")),
        View("proof", message("Proof"), ("must", "figure-5", "price", NUMBERS)),
    )

    belief: Number = parameter(
        number(0, "1/2", symbol=message("probability"), parts=_PARTS),
        "1/40",
        message("Probability of 1 and 3"),
        message("for Ben: of 2 and 3"),
    )
    privacy: PrivacyLevel = declare(privacy("1/20", 3), default="ln 2", label=message("How private"), term=message("ε"))

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the linear programs of one user and of one release for both; the other user's mirrors the first."""
        e, known = exact(self.belief), self.privacy.exact_alpha
        alpha = Fraction(self.privacy.alpha) if known is None else known
        alone, both = _solved(e, alpha)
        more = both.value - 2 * alone.value
        price = more if more > _SAME else Fraction(0)
        proved = alone.proved and both.proved
        state: State = "proved" if proved else "given"
        findings = {
            "each": Finding(
                message("cost of sharing"),
                float(50 * price),
                message("percentage points"),
                6,
                _rounding(price),
                state,
            ),
            "alone": _error(message("wrong counts with separate releases"), alone.value, state),
            "shared": _error(message("wrong counts with a shared release"), both.value / 2, state),
            "oblivious": _error(
                message("wrong counts with a noisy count"), alpha / (1 + alpha), "given" if known is None else "proved"
            ),
            "value": _error(message("sum of both costs"), price, state),
            "sharing": _error(message("sum of both users’ wrong counts with a shared release"), both.value, state),
            "rows": Finding(message("who is ill in the proof’s databases"), message("{one}, {two}", one="{1,3}", two="{2,3}")),
        }
        printed: dict[str, Number] = {"rows": "{3}, {4}"}
        proof: list[Panel] = []
        if alpha == Fraction(1, 2) and price:
            findings |= _figures(alone, 4 * e < 1)
            printed["figure-4"] = 8
            if "column-1" in findings:
                printed |= {"column-1": "7/12", "column-2": "1/6"}
                proof.append(_contradiction())
        errors = alone.value, both.value / 2
        shown = _shown(*errors)
        sentence = message(
            _COSTS if price else _SERVED,
            alone=shown[0][0],
            half=shown[1][0],
        )
        least = text(100 * both.bound, rounding="down")
        curve = self._price(e, alpha, progress)
        releases = _releases(alone, both, alpha)
        why = _why(e, releases[-1]) if price else _FREE
        pictures = _published(releases, shown, why), Sentence(why, key="why"), _plans(errors, shown), _wrong(releases)
        return self.answer(
            findings,
            (self._here(price), _expected(e), *pictures, *proof, curve),
            sentence,
            printed=printed,
            must=_FREE if not price else _must(e) if proof else _ELSEWHERE,
            badge=(message("✓ proved in fractions"), "proved") if proved else self.badge,
            checks=(
                message("✓ proved: no shared release does better")
                if both.proved
                else message("✓ proved: Ann’s and Ben’s wrong counts together are at least {sum}%", sum=least),
            ),
        )

    def _here(self, price: Any) -> Sentence:
        """Return whether the doubts of this design are small enough for what is claimed."""
        words = _BELOW if 4 * exact(self.belief) < 1 else _ABOVE
        words = words if price else _NEITHER
        words = words if self.privacy.exact_alpha == Fraction(1, 2) else _OTHER_LEVEL
        return Sentence(words, "given" if price else "open", key="here")

    @property
    def line(self) -> str:
        """The inputs in one line."""
        return message("1 and 3: {e} · {privacy}", e=self.belief, privacy=self.privacy.description.partition(" (")[0])

    @classmethod
    def headline(cls, findings: Findings) -> str:
        """Return what sharing adds as the pictures have it, so that it adds up."""
        added = _shown(*(findings[key].value for key in ("alone", "shared")))[1][1]
        return message("{added} points", added=added or "0")

    @classmethod
    def in_short(cls, findings: Findings) -> str:
        """Return both shares, for where the sentence has no room."""
        (alone, _), (half, added) = _shown(*(findings[key].value for key in ("alone", "shared")))
        words = message("Sharing costs both: {half} wrong, instead of {alone}.")
        return message(words if added else message("One release serves both: {half} wrong."), half=half, alone=alone)

    @classmethod
    def pictured(cls) -> Panel:
        """Return a plot of the price of sharing."""
        return cls()._price(Fraction(1, 40), Fraction(1, 2), silent)

    def _price(self, e: Fraction, alpha: Fraction, progress: Progress) -> Plot:
        """Plot the price of sharing against the doubt, for which doubts it is free, and from which on a noisy count is best."""
        errors: dict[Fraction, Any] = _AT_LN_2
        if alpha != Fraction(1, 2):
            solved = _corners(min(e, Fraction(1, 2) - e), alpha, progress)
            errors = {place: (one.value, both.value / 2) for place, (one, both) in solved.items()}
        free = next(place for place, (one, half) in errors.items() if half - one <= _SAME)
        noisy = next(place for place, (_, half) in errors.items() if alpha / (1 + alpha) - half <= _SAME)
        rest = {Fraction(1, 2) - place: errors[place] for place in reversed(list(errors)[:-1])}  # the users are exchanged
        errors = {**errors, **rest}
        places, prices = list(errors), [half - one if half - one > _SAME else Fraction(0) for one, half in errors.values()]
        marks = [
            Mark(float(at), float(100 * prices[places.index(at)]), words, "main")
            for at, words in (
                (noisy, text(noisy, 3, "up") if noisy < free else ""),
                (free, text(free, 3, "up")),
                (Fraction(1, 2) - free, text(Fraction(1, 2) - free, 3, "down")),
                (Fraction(1, 2) - noisy, text(Fraction(1, 2) - noisy, 3, "down") if noisy < free else ""),
            )
            if words
        ]
        best = message("From {low} to {high}, a noisy count is the best shared release.", low=marks[0].text, high=marks[-1].text)
        header = message("probability of 1 and 3"), message("wrong, separate"), message("wrong, shared"), message("cost")
        rows = [(place, *errors[place], price) for place, price in zip(places, prices, strict=True)]
        return Plot(
            "price",
            message("Cost of sharing"),
            Axis(message("probability of 1 and 3"), limits=(0.0, 0.5)),
            Axis(message("cost for each user"), message("points")),
            (points(places, [100 * y for y in prices], message("cost for each user"), short=" "),),
            tuple(marks),
            bands=(Band(float(free), 0.5 - float(free), message("free")),),
            under=(best,) if noisy < free else (),
            handles=(replace(self.handle("belief"), text=str(self.belief), step=1 / _PARTS),),
            table=_table("price", message("Cost of sharing"), header, rows),
        )


_WHY = message(
    "Ann’s separate release neglects “{ann}”, Ben’s “{ben}”. A shared one that neglects both is wrong more often "
    "in the case that each expects most."
)
_WHY_NOISY = message(
    "Ann’s separate release neglects “{ann}”, Ben’s “{ben}”. The best shared one is a noisy count, which neglects neither."
)
_BELOW = message("“Small” means below 1/8 (we find).")
_ABOVE = message("It holds here with Ann and Ben swapped.")
_NEITHER = message("Not here: sharing is free.")
_OTHER_LEVEL = message("The claim is for ε = ln 2 only.")
_COSTS = message(
    "<b>Sharing one release costs both users.</b> Each is wrong in {half} of cases, instead of {alone} with separate releases, "
    "which spend 2ε together."
)
_SERVED = message("<b>One release serves both users.</b> Each is wrong in {half} of cases, as with separate releases.")
_MUST = message(
    "0 and 3 are always wrong. So {one} reads 2 with probability a if patient 1 is ill, b if 2, c if 1 and 3, d if 2 and 3, "
    "otherwise 1; and gives “1 and 3” a probability e below 1/8.\n"
    "1. As ε = ln 2, a ≥ c/2, c ≥ d/4, b ≥ d/2 and b ≥ 2d − 1.\n"
    "2. The error is a/4 + b/4 + e(1 − c) + (1/2 − e)(1 − d). As e is below 1/8, it is least only with c = d/4 and a = c/2, "
    "then d = 2/3 and b = 1/3.\n"
    "3. This is {one}’s separate release: a = 1/12, b = 1/3, c = 1/6, d = 2/3. {other}’s has a and b, c and d swapped.\n"
    "4. Suppose one release were best for both. From “2 and 3” to “1 and 3” two people change: a factor of 4 at most. "
    "{one}’s 2 falls to a quarter, so each of its outputs does; {other}’s rises fourfold. So no output is 2 for both.\n"
    "5. In “1 and 3” both then read 1 with 1 − 1/6 − 2/3 = 1/6; for patient 1, one person away, with at most 2 × 1/6 = 1/3.\n"
    "6. But there both read 1 with at least 11/12 + 2/3 − 1 = 7/12: a contradiction."
)
_ELSEWHERE = message("The proof is for ε = ln 2. For other values the linear programs decide.")
_FREE = message("Here a noisy count is best for each user, so one release serves both.")
#: At alpha = 1/2, where the curve bends: a user's error with separate releases, and with a shared one.
_AT_LN_2 = {
    Fraction(place): (Fraction(13, 48) + min(Fraction(place), Fraction(1, 8)) / 2, Fraction(half))
    for place, half in {"0": "19/60", "1/24": "1/3", "1/8": "1/3", "1/4": "1/3"}.items()
}
_SAME = 1e-9  #: costs that differ by less are equal
_LONGEST, _LARGEST = 60, 10**4  # denominators of a percentage that is shown as a fraction, and of one in a table
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_USERS = "Ann", "Ben"
_WHO = message("patient 1"), message("patient 2"), message("1 and 3"), message("2 and 3")  #: as `_ILL`
_PLANS = message("separate"), message("shared")
_ROLES: tuple[Role, ...] = ("truth", "main")
#: As `_CUBE`.
_NAMES = message("nobody"), message("patient 3"), *_WHO[1::2], *_WHO[::2], message("1 and 2"), message("all three")
_MIRRORED = [_CUBE.index((two, one, three)) for one, two, three in _CUBE]
_OWNERS = message("Ann’s separate release"), message("Ben’s separate release"), message("Shared release")
#: Outputs by what Ann and Ben read.
_OUTPUTS: dict[tuple[int, int], tuple[str, Role]] = {
    (1, 1): (message("both read 1"), "truth"),
    (2, 2): (message("both read 2"), "main"),
    (1, 2): (message("Ann reads 1, Ben 2"), "bound"),
    (2, 1): (message("Ann reads 2, Ben 1"), "rival"),
}
Release = dict[tuple[int, int], list[Any]]  # the probability of each output in each database


def _shown(*errors: Any) -> list[tuple[str, str]]:
    """Return each error in percent, and what it adds to the first: fractions if all are short, otherwise decimals.

    The last error and what it adds are rounded up, with two digits or more; the first is their difference as they are shown.
    """
    errors = tuple(errors[0] if error - errors[0] <= _SAME else error for error in errors)
    more = [error - errors[0] for error in errors]
    if all(isinstance(part, Fraction) and (100 * part).denominator <= _LONGEST for part in (*errors, *more)):
        return [
            (f"{_mixed(100 * error)}%", _mixed(100 * added) if added else "") for error, added in zip(errors, more, strict=True)
        ]
    places = max(2, 1 - math.floor(math.log10(100 * min(filter(None, more), default=1))))
    shared, added = _up(errors[-1], places), _up(more[-1], places)  # what is left is the first, to one unit
    decimals = [((shared - added) / 10**places, 0.0), (shared / 10**places, added / 10**places)]
    return [(f"{error:.{places}f}%", f"{added:.{places}f}" if added else "") for error, added in decimals]


def _up(share: Fraction | float, places: int) -> int:
    """Return a share in percent, rounded up, in units of its last decimal."""
    units: Fraction | float = 10 ** (places + 2) * (share if isinstance(share, Fraction) else share - _SAME / 100)
    return math.ceil(units)


def _mixed(part: Fraction) -> str:
    """Return a mixed fraction: 4¹⁄₃."""
    whole, rest = divmod(part.numerator, part.denominator)
    return f"{whole or ''}{raised(rest)}⁄{str(part.denominator).translate(_LOWERED)}" if rest else f"{whole}"


def _lying(low: Any, high: Any, y: float, name: str, role: Role, text: str) -> Line:
    """Return a bar that lies along the x axis, with the text that the mouse shows."""
    ends: dict[str, Any] = {"low": np.full(2, y - 0.33), "high": np.full(2, y + 0.33), "filled": True, "short": " "}
    ends["texts"] = (text, text)
    return Line(np.array([float(low), float(high)]), np.full(2, y), name, role, **ends)


def _plans(errors: Sequence[Any], shown: Sequence[tuple[str, str]]) -> Plot:
    """Plot how often each user errs with separate releases and with a shared one, as bars on one axis."""
    ends = [100 * float(error) for error in errors]
    texts = [message("{error} (+{added})", error=error, added=added) if added else error for error, added in shown]
    tips = [message("{plan}: {text}", plan=plan, text=text) for plan, text in zip(_PLANS, texts, strict=True)]
    bars = [_lying(0, end, 2.0 - k, _PLANS[k], _ROLES[k], tips[k]) for k, end in enumerate(ends)]
    least = Line(np.full(2, ends[0]), np.array([0.5, 1.5]), _PLANS[0], "aid", dashed=True, short=" ")
    title, heads = message("How often each is wrong"), (message("release"), message("wrong"))
    return Plot(
        "plans",
        title,
        Axis(limits=(0.0, 2.2 * ends[1]), ticks=()),
        Axis(limits=(0.55, 2.45), ticks=tuple((2.0 - place, plan) for place, plan in enumerate(_PLANS))),
        (*bars, least),
        tuple(Mark(end, 2.0 - place, texts[place], _ROLES[place]) for place, end in enumerate(ends)),
        room=3,
        spoken="; ".join(tips),
        under=(message("At ε/2 each, so ε in total, separate releases would be no better than the shared one."),),
        table=_table("plans", title, heads, list(zip(_PLANS, errors, strict=True))),
    )


def _expected(e: Fraction) -> Strips:
    """Plot how likely each user holds each table; the doubted one is selected."""
    x = Axis(message("who is ill"), scale="names", names=_WHO)
    plots, y = [], Axis(limits=(0.0, 66.0))
    for user, name in enumerate(_USERS):
        beliefs, hers = list(_belief(e, user).values()), message("{user}’s belief", user=name)
        held = np.array([100 * float(belief) for belief in beliefs])
        words = message("Change probability")
        drag = Drag("belief", _doubted, _doubt_of, words, cue=message("drag"), fixed=(0, 1, 3 - user))
        bars = Bars(held, hers, "rival", texts=_in_percent, drags=(drag,))
        table = _WHO[2 + user]
        hint = message("{table}: unlikely", table=table) if 4 * e < 1 else message("{table}: likely", table=table)
        hint = message("all equally likely") if 4 * e == 1 else hint
        shown: dict[str, Any] = {"selected": 2 + user, "room": 1, "hint": hint}
        key, title = f"expected-{'ab'[user]}", message("What {user} expects", user=name)
        rows = _table(key, title, (message("who is ill"), hers), list(zip(_WHO, beliefs, strict=True)))
        plots.append(Plot(key, title, x, y, bars=(bars,), table=rows, **shown))
    return Strips("expected", message("What Ann and Ben expect"), tuple(plots))


def _releases(alone: BestMechanism, both: BestMechanism, alpha: Any) -> tuple[Release, Release, Release]:
    """Return Ann's separate release, Ben's, and a shared one; of several best ones, the noisy count.

    Of one release for both and its mirror image, each is used half of the time: then both users err equally often.
    """
    two = [alpha**2 / (1 + alpha), alpha / (1 + alpha), 1 / (1 + alpha), 1 - alpha**2 / (1 + alpha)]
    noisy: Release = {(1, 1): [1 - two[sum(row)] for row in _CUBE], (2, 2): [two[sum(row)] for row in _CUBE]}
    ann: Release = {(r, r): [row[r] for row in alone.matrix] for r in range(4)}
    shared: Release = {
        (r, s): [(both.matrix[k][4 * r + s] + both.matrix[other][4 * s + r]) / 2 for k, other in enumerate(_MIRRORED)]
        for r in range(4)
        for s in range(4)
    }
    ann = ann if alone.value < two[1] - _SAME else noisy
    shared = shared if both.value / 2 < two[1] - _SAME else noisy
    ben = {output: [chances[other] for other in _MIRRORED] for output, chances in ann.items()}
    return tuple({at: each[at] for at in _OUTPUTS if max(each.get(at, [0])) > _SAME} for each in (ann, ben, shared))  # type: ignore[return-value]


def _published(releases: Sequence[Release], shown: Sequence[tuple[str, str]], why: str) -> Strips:
    """Plot with what probability each release publishes what, by who is ill."""
    counts = [message("{who}: count {r}", who=who, r=sum(row)) for who, row in zip(_WHO, _ILL.values(), strict=True)]
    x, y = Axis(scale="names", names=tuple(counts)), Axis(limits=(0.0, 1.3), ticks=())
    places, plots = list(map(_CUBE.index, _ILL.values())), []
    hints = [message("wrong in {error}", error=shown[0][0])] * 2 + [message("each wrong in {error}", error=shown[1][0])]
    for key, owner, release, hint in zip(("ann", "ben", "shared"), _OWNERS, releases, hints, strict=True):
        known = [(_OUTPUTS[at][0] if key == "shared" else message("publishes {r}", r=at[0]), _OUTPUTS[at][1]) for at in release]
        names = [name for name, _ in known]
        bars = grouped_bars(*(([each[k] for k in places], *look) for each, look in zip(release.values(), known, strict=True)))
        table = _table(key, owner, (message("who is ill"), *names), list(zip(_NAMES, *release.values(), strict=True)))
        under = (why,) if key == "shared" else ()
        plots.append(Plot(key, owner, x, y, bars=bars, hint=hint, table=table, under=under))
    return Strips("releases", message("What each release publishes"), tuple(plots))


def _wrong(releases: Sequence[Release]) -> Strips:
    """Plot how often each user misreads a table, if it is the true one, with separate releases and with the shared one."""
    plots = []
    for user, name in enumerate(_USERS):
        cases = [
            [sum(each[_CUBE.index(row)] for output, each in release.items() if output[user] != sum(row)) for row in _ILL.values()]
            for release in (releases[user], releases[2])
        ]
        looks = zip(cases, _PLANS, _ROLES, strict=True)
        bars = tuple(Bars(100 * np.array(each, dtype=float), plan, role, texts=_at_most) for each, plan, role in looks)
        x, y = Axis(scale="names", names=_WHO), Axis(message("wrong in this case"), "%", limits=(0.0, 105.0), optional=True)
        key, title = "ab"[user], message("When {user} is wrong", user=name)
        table = _table(key, title, (message("who is ill"), *_PLANS), list(zip(_WHO, *cases, strict=True)))
        plots.append(Plot(key, title, x, y, bars=bars, hint=message("in %, by who is ill"), table=table))
    return Strips("wrong", message("When each is wrong"), tuple(plots))


def _why(e: Fraction, shared: Release) -> str:
    """Return why sharing costs here."""
    ann, ben = _WHO[2:] if 4 * e < 1 else _WHO[:1:-1]
    return message(_WHY_NOISY if (2, 2) in shared else _WHY, ann=ann, ben=ben)


def _must(e: Fraction) -> str:
    """Return the proof; for a large probability the users are exchanged."""
    one, other = _USERS if 4 * e < 1 else _USERS[::-1]
    return message(_MUST, one=one, other=other)


def _table(key: str, title: str, header: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> Table:
    """Return numbers as a table for files: as fractions, if those are short."""

    def cell(value: Any) -> str:
        return repr(float(value)) if isinstance(value, Fraction) and value.denominator > _LARGEST else str(value)

    return Table(key, title, header, tuple(tuple(map(cell, row)) for row in rows))


def _in_percent(value: float) -> str:
    return f"{value:.4g}%"


def _at_most(value: float) -> str:
    return f"{figure(value, 4)}%"


def _doubt_of(beliefs: Floats, which: int) -> str:
    return str(Fraction(round(float(beliefs[which]) / 100 * _PARTS), _PARTS))


def _doubted(beliefs: Floats, which: int, where: float) -> Floats:
    """Return the beliefs after the bar of a doubted table was dragged; the other table with two ill gives way."""
    pair = min(max(where, 0.0), 50.0)
    return np.array([*beliefs[:2], *((pair, 50 - pair) if which == 2 else (50 - pair, pair))])


def _error(label: str, value: Fraction | float, state: State = "given") -> Finding:
    return Finding(label, value, digits=4 if value >= 1 / 10 else 3, rounding=_rounding(value), state=state, share=True)


def _rounding(value: Fraction | float) -> Rounding:
    """Return up, unless the value is a fraction, which a report shows, too."""
    return "nearest" if isinstance(value, Fraction) else "up"


def _belief(e: Fraction, user: int) -> dict[tuple[int, ...], Fraction]:
    """Return a user's prior on each database that either user considers possible."""
    pair = (e, Fraction(1, 2) - e) if user == 0 else (Fraction(1, 2) - e, e)
    return dict(zip(_ILL.values(), (Fraction(1, 4), Fraction(1, 4), *pair), strict=True))


def _contradiction() -> Plot:
    """Show how often both would read 1 in two databases one person apart, and what alpha = 1/2 allows."""
    least, most = Fraction(7, 12), Fraction(1, 6)
    allowed = 2 * most
    title = message("One release best for both? (Figure 5)")
    header = message("who is ill"), message("both read 1: at least"), message("at most, by ε")
    read = message("both read 1: {share}", share=most)
    more = message("both read 1: at least {share}", share=least)
    lines = (
        _lying(0, most, 2, "", "main", read),
        _lying(0, allowed, 1, "", "main", message("ε = ln 2 allows {share}", share=allowed)),
        _lying(allowed, least, 1, "", "bound", more),
    )
    return Plot(
        "figure-5",
        title,
        Axis(message("probability that both read 1"), limits=(0.0, 0.8)),
        Axis(limits=(0.6, 2.4), ticks=((1.0, _WHO[0]), (2.0, _WHO[2]))),
        lines,
        marks=(
            Mark(float(most), 2.0, str(most), "main"),
            Mark(float(least), 1.0, f"≥ {least}", "bound"),
        ),
        bands=(Band(float(allowed), 0.8, message("over {share}: not private", share=allowed)),),
        room=4,
        under=(
            message("The two best releases would need {least} for patient 1; privacy allows {most}.", least=least, most=allowed),
        ),
        table=_table("figure-5", title, header, [(_WHO[2], most, most), (_WHO[0], least, allowed)]),
    )


def _costs(e: Fraction, user: int) -> list[list[Fraction]]:
    prior = _belief(e, user)
    return [[prior.get(row, Fraction(0)) * (sum(row) != r) for r in range(4)] for row in _CUBE]


def _programs(e: Fraction) -> tuple[list[list[Fraction]], ...]:
    """Return the costs of the first user, and those of one release for both."""
    one, two = _costs(e, 0), _costs(e, 1)
    return one, [[mine + theirs for mine in row for theirs in other] for row, other in zip(one, two, strict=True)]


def _solved(e: Fraction, alpha: Fraction) -> tuple[BestMechanism, ...]:
    return tuple(best_mechanism(costs, alpha, _JOINED) for costs in _programs(e))


def _corners(e: Fraction, alpha: Fraction, progress: Progress) -> dict[Fraction, tuple[BestMechanism, ...]]:
    """Return the solutions at e, at the ends of the curve, and wherever it bends.

    The least cost is a minimum of functions linear in e, one per mechanism: where the lines of two neighbouring places cross,
    it bends, or lies below both.
    """
    found: dict[Fraction, tuple[BestMechanism, ...]] = {}

    def solve(x: Fraction) -> None:
        if x not in found:
            progress(1 - 1 / (1 + len(found) / 4), message("another prior"))
            found[x] = _solved(x, alpha)

    def cost(place: Fraction, at: Fraction, program: int) -> Any:
        pairs = zip(_programs(at)[program], found[place][program].matrix, strict=True)
        return sum(c * p for costs, chances in pairs for c, p in zip(costs, chances, strict=True) if c)

    def bend(low: Fraction, high: Fraction, program: int) -> None:
        over_high = cost(low, high, program) - cost(high, high, program)
        over_low = cost(high, low, program) - cost(low, low, program)
        between = low
        if min(over_low, over_high) > _SAME:
            between += (high - low) * Fraction(over_low / (over_low + over_high)).limit_denominator(10**6)
        if low < between < high:
            solve(between)
            bend(low, between, program)
            bend(between, high, program)

    ends = sorted({Fraction(0), e, max(e, Fraction(1, 4))})
    for x in ends:
        solve(x)
    for low, high in pairwise(ends):
        for program in (0, 1):
            bend(low, high, program)
    return dict(sorted(found.items()))


def _figures(alone: BestMechanism, first: bool) -> dict[str, Finding]:
    """Return the values of Figures 4 and 5: the best release of the first or second user, and column l of one for both."""
    four = [Fraction(1, 12), Fraction(1, 3), Fraction(5, 6), Fraction(1, 3)]
    ours = [1 - alone.matrix[_CUBE.index(row)][sum(row)] for row in _ILL.values()]
    ours = ours if first else [ours[place] for place in (1, 0, 3, 2)]
    same = sum(abs(float(mine - theirs)) < 1e-9 for mine, theirs in zip(ours, four, strict=True))
    figures = {"figure-4": Finding(message("numbers of Figure 4 confirmed, of 8"), 2 * same)}
    if same == len(four):  # if each gets the release of Figure 4, both read 1 with at least this probability
        figures["column-1"] = Finding(message("both read 1 in {1}"), 1 - ours[0] - ours[1])
        figures["column-2"] = Finding(message("both read 1 in {1,3}"), ours[2] - (1 - ours[3]))
    return figures
