"""What a privacy level promises, in bets: the paragraph that every page's explanation has."""

from __future__ import annotations

import math
from typing import Literal

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.privacy.odds import moved, odds, times

#: What makes databases neighbours: one row is another one, one row is there or not, one row is changed as Delta allows for, or
#: one row is changed so that the state of the data becomes a neighbouring one.
Neighbours = Literal["replace", "add-remove", "change", "state"]


def promise(level: PrivacyLevel, neighbours: Neighbours = "replace") -> str:
    """Return what a level attained promises to one row of the data, as a paragraph of rich text; never more than is true."""
    return f"<p><b>{tr('What is promised.')}</b> {_sentences(level, neighbours)}</p>"


def _sentences(level: PrivacyLevel, neighbours: Neighbours) -> str:
    bet = tr("Someone betting 50 : 50 on your row")
    if neighbours == "add-remove":
        bet = tr("Someone betting 50 : 50 that your row is in the data")
    if level.exact_alpha == 1:
        return tr("The release reveals nothing about anybody. {bet} {moved}.").format(bet=bet, moved=moved(level))
    if math.isinf(level.epsilon):
        return tr("No privacy at all. {bet} {moved}.").format(bet=bet, moved=moved(level))
    text = tr("{bet} {moved}, if they consider your row independent of the others.").format(bet=bet, moved=moved(level))
    if odds(level).one_in:
        return tr("Very little. {text}").format(text=text)
    if_changed = {
        "replace": tr("If your row were different"),
        "add-remove": tr("If your row were left out"),
        "change": tr("If your row were changed so that the answer moves by at most Δ"),
        "state": tr("If a change of your row moved the data to a neighbouring state"),
    }[neighbours]
    ratio = tr("{changed}, no release would be more than {ratio} times as likely, or as unlikely.")
    return f"{text} {ratio.format(changed=if_changed, ratio=times(level))}"
