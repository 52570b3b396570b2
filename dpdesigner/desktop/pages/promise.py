"""What a privacy level promises, in bets: the paragraph that every page's explanation has."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.rounding import figure
from dpdesigner.desktop.widgets.odds import odds

_RATIO_UP_TO = 16.0  # beyond, e^epsilon says nothing to anybody


def promise(level: PrivacyLevel) -> str:
    """Return what the level promises to one person in the data, as a paragraph of rich text; never more than is true."""
    return f"<p><b>{_tr('What is promised.')}</b> {_sentences(level)}</p>"


def _sentences(level: PrivacyLevel) -> str:
    if level.exact_alpha == 1:
        return _tr("Nothing: the release says nothing about anybody. Someone betting 50 : 50 on your row could not move at all.")
    if math.isinf(level.epsilon):
        return _tr("No privacy at all: someone betting 50 : 50 on your row could become certain.")
    likely, unlikely, one_in = odds(level)
    if one_in:
        return _tr("Hardly anything: someone betting 50 : 50 on your row could be sure but for 1 chance in {times}.").format(
            times=one_in
        )
    text = _tr("Someone betting 50 : 50 on your row could move at most to {likely} : {unlikely}, whatever else they know.")
    text = text.format(likely=likely, unlikely=unlikely)
    if level.epsilon > _RATIO_UP_TO:
        return text
    ratio = _tr("If your row were another one, no release would be more than {ratio} times as likely, or as unlikely.")
    return f"{text} {ratio.format(ratio=figure(1 / level.alpha_below, 4))}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Promise", text)
