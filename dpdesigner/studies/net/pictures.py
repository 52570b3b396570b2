"""The pictures of a net: every small database as a dot, as large as it is likely, and the drawn one beside the real one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.rounding import figure, group_thousands, rounded_down, significant
from dpdesigner.core.synthetic.net import Net, Usefulness
from dpdesigner.messages import message
from dpdesigner.studies.net.design import NetDesign
from dpdesigner.studies.panels import Axis, Band, Bars, Landing, Line, Plot
from dpdesigner.studies.release_inputs import percent_sure
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Sentence

_LIKELY = 0.01  # dots of this probability and more are in colour
_LEAST, _LARGEST = 0.011, 0.24  # radius of a dot as a share of the height: at least, and of one that is certain
_WIDE = 1.7  # the width of the plot, in heights
_FULL = 0.98  # of the height that the highest stack may take
_SHOWN = 2000  # dots at most: the likeliest
_MAIN: Role = "main"
_RIVAL: Role = "rival"


def drawn_one(chances: Floats, seed: int, draws: int) -> int:
    """Return which database is drawn, for study: the same one for the same seed and number of draws."""
    return int(np.random.default_rng((seed, draws)).choice(len(chances), p=chances / chances.sum()))


def candidates(design: NetDesign, net: Net, useful: Usefulness, drawn: int, of: object) -> Plot:
    """Return a dot for each small database: its worst error along the axis, its probability as the area."""
    epsilon, kept = design.privacy.epsilon, not design.tells
    shown, radii, heights = _stacked(net, design.counts, epsilon)
    errors, chances = 100 * net.errors(design.counts)[shown], net.probabilities(design.counts, epsilon)[shown]
    lines = []
    for some, role in ((chances >= _LIKELY, _MAIN), (chances < _LIKELY, _RIVAL)):
        if some.any():
            order = np.flatnonzero(some)[np.argsort(errors[some], kind="stable")]
            lines.append(Line(errors[order], heights[order], "", role, dots=True, sizes=radii[order], secret=kept))
    bands = (Band(100 * useful.best, 100 * useful.exact, "", "main", secret=kept),)
    landing = None
    if (shown == drawn).any():
        place = int(np.flatnonzero(shown == drawn)[0])
        text = message("drawn: worst error {error}%", error=significant(float(errors[place]), 3))
        landing = Landing((float(errors[place]),), (float(heights[place]),), text, of)
    most = float(max(errors.max(), 100 * useful.exact)) * 1.04
    x = Axis(message("worst error of any query"), "%", limits=(0.0, most))
    few = int((chances >= _LIKELY).sum())
    under = message(
        "The area of a dot is its probability: {few} of {count} databases share {share}%. Shaded: {sure}% of draws.",
        few=few,
        count=group_thousands(len(net.counts)),
        share=f"{float(rounded_down(100 * float(chances[:few].sum()), 3)):g}",
        sure=f"{percent_sure(design.delta):f}",
    )
    title, hint = message("Every small database"), message("{count} dots, one each", count=group_thousands(len(shown)))
    y = Axis("", limits=(0.0, 1.0), ticks=())
    return Plot("candidates", title, x, y, tuple(lines), bands=bands, under=(under,), hint=hint, landing=landing, room=6)


@lru_cache(maxsize=4)
def _stacked(net: Net, counts: tuple[int, ...], epsilon: float) -> tuple[Integers, Floats, Floats]:
    """Return the likeliest databases, the radius of the dot of each and the height of its centre: none lies over another."""
    errors, chances = net.errors(counts), net.probabilities(counts, epsilon)
    shown = np.argsort(-chances, kind="stable")[:_SHOWN]
    x = errors[shown] / max(float(errors[shown].max()), 1e-300) * _WIDE
    x = np.rint(x / (2 * _LEAST)) * 2 * _LEAST  # columns of the smallest dots
    radii = np.maximum(_LARGEST * np.sqrt(chances[shown]), _LEAST)
    tops = np.zeros(len(shown))
    for place in range(1, len(shown)):
        near = abs(x[:place] - x[place]) < radii[:place] + radii[place] - 1e-9
        tops[place] = float((tops[:place] + 2 * radii[:place])[near].max(initial=0.0))
    scale = min(1.0, _FULL / float((tops + 2 * radii).max()))
    return shown, scale * radii, scale * (tops + radii)


def _percent(value: float) -> str:
    return f"{significant(value, 3)}%"


def people(design: NetDesign, net: Net, drawn: int) -> tuple[Plot, Sentence]:
    """Return the shares of the database that was drawn with the real ones across them, and its worst query in words."""
    real, made = np.asarray(design.counts, dtype=float), net.counts[drawn].astype(float)
    names = tuple(str(point + 1) for point in range(len(real)))
    kept = not design.tells
    shares: dict[str, Any] = {
        "texts": _percent,
        "rival": 100 * real / real.sum(),
        "rival_name": message("real share"),
        "rival_secret": kept,
    }
    counts = tuple(group_thousands(int(count)) if count else "" for count in made)
    bars = Bars(100 * made / max(made.sum(), 1), message("made up"), labels=counts, secret=kept, **shares)
    support, sentence = _worst(design, net, drawn)
    bands = (Band(float(support[0]) - 0.5, float(support[-1]) + 0.5, "", "other", secret=kept),) if len(support) else ()
    x, y = Axis(message("point"), scale="names", names=names), Axis(message("share of the rows"), "%")
    title = message("The {rows} rows drawn and the {real} real ones", rows=int(made.sum()), real=group_thousands(design.rows))
    return Plot("people", title, x, y, bars=(bars,), bands=bands, room=4), Sentence(sentence, key="worst", secret=kept)


def _worst(design: NetDesign, net: Net, drawn: int) -> tuple[Integers, str]:
    """Return the points of the query that the database answers worst, where they are next to each other, and a sentence on it."""
    real = net.queries.matrix @ (np.asarray(design.counts, dtype=float) / design.rows)
    which = int(np.argmax(abs(net.answers[drawn] - real)))
    weights = net.queries.matrix[which]
    points = np.flatnonzero(weights == 1)
    together = len(points) > 0 and np.isin(weights, (0, 1)).all() and len(points) == points[-1] - points[0] + 1
    first, last = (int(points[0]) + 1, int(points[-1]) + 1) if together else (0, 0)
    about = message("points {first} to {last}", first=first, last=last) if first < last else message("point {first}", first=first)
    if not together:
        points, about = np.zeros(0, dtype=np.int64), message("number {number}", number=which + 1)
    text = message(
        "Worst query, {about}: {real}% real, {made}% drawn.",
        about=about,
        real=significant(100 * float(real[which]), 3),
        made=significant(100 * float(net.answers[drawn][which]), 3),
    )
    return points, text


def quality(design: NetDesign, useful: Usefulness, blindly: float) -> Ranking:
    """Return the errors that the worst query stays within: of the best database, of a draw, as proved, and of a blind draw."""
    rows = (
        (message("Best small database (not private)"), useful.best, _RIVAL, False),
        (message("Drawn privately"), useful.exact, _MAIN, False),
        (message("Bound of Property 3.4"), useful.within, _MAIN, True),
        (message("Drawn ignoring the data"), blindly, _RIVAL, False),
    )
    bars = tuple(
        Rank(name, 100 * value, role, proved, text=f"{figure(100 * value, 3)}%", second=" ") for name, value, role, proved in rows
    )
    title = message("Worst error of a draw")
    return Ranking(
        "quality", title, bars, head=message("{sure}% sure", sure=f"{percent_sure(design.delta):f}"), secret=not design.tells
    )
