"""What a privacy level promises, in bets: the paragraph that every page's explanation has."""

from __future__ import annotations

import math
from typing import Literal

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.rounding import figure
from dpdesigner.desktop.widgets.odds import odds

_RATIO_UP_TO = 16.0  # beyond, e^epsilon says nothing to anybody

#: What makes databases neighbours: one row is another one, one row is there or not, or one row is changed as Delta allows for.
Neighbours = Literal["replace", "add-remove", "change"]


def promise(level: PrivacyLevel, neighbours: Neighbours = "replace") -> str:
    """Return what the level promises to one row of the data, as a paragraph of rich text; never more than is true."""
    return f"<p><b>{_tr('What is promised.')}</b> {_sentences(level, neighbours)}</p>"


def _sentences(level: PrivacyLevel, neighbours: Neighbours) -> str:
    bet = _tr("Someone betting 50 : 50 on your row")
    if neighbours == "add-remove":
        bet = _tr("Someone betting 50 : 50 that your row is in the data")
    if level.exact_alpha == 1:
        return _tr("The release says nothing about anybody. {bet} could not move at all.").format(bet=bet)
    if math.isinf(level.epsilon):
        return _tr("No privacy at all. {bet} could become certain.").format(bet=bet)
    likely, unlikely, one_in = odds(level)
    apart = _tr(", if to them your row is independent of the others")
    if one_in:
        text = _tr("Hardly anything. {bet} could be sure but for 1 chance in {times}{apart}.")
        return text.format(bet=bet, times=one_in, apart=apart)
    text = _tr("{bet} could move at most to {likely} : {unlikely}{apart}.")
    text = text.format(bet=bet, likely=likely, unlikely=unlikely, apart=apart)
    if level.epsilon > _RATIO_UP_TO:
        return text
    if_changed = {
        "replace": _tr("If your row were another one"),
        "add-remove": _tr("If your row were left out"),
        "change": _tr("If your row were changed so that the answer moves by at most Δ"),
    }[neighbours]
    ratio = _tr("{changed}, no release would be more than {ratio} times as likely, or as unlikely.")
    return f"{text} {ratio.format(changed=if_changed, ratio=figure(1 / level.alpha_below, 4))}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Promise", text)
