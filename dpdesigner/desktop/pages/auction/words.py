"""What is said of one bidder, and of prices that were drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpdesigner.core.numbers.rounding import figure, rounded_down
from dpdesigner.messages import message
from dpdesigner.studies.auction.numbers import AuctionNumbers
from dpdesigner.studies.auction.panels import Misreport, reported_demand
from dpdesigner.studies.auction.words import AuctionWords, money

_SAME = 5e-9  # a gain that is none


def sentence(numbers: AuctionNumbers, told: Misreport | None, drawn: Sequence[float] = ()) -> str:
    """Return what a bidder says and gains, after the prices that were drawn."""
    parts = [*([_prices(numbers, drawn)] if drawn else []), *([_bidder(numbers, told)] if told is not None else [])]
    return message("{first} {second}", first=parts[0], second=parts[1]) if len(parts) > 1 else "".join(parts)


def headlines(numbers: AuctionWords) -> tuple[str, ...]:
    """Return the result in plain words, in versions from long to short."""
    part = numbers.share
    if part is None:
        return (numbers.sentence,)
    short = message("It earns {share} % of what knowing every bid would", share=f"{rounded_down(part, 3):g}")
    gain = "" if numbers.most is None else figure(100 * max(numbers.most.gain, 0.0), 3)
    middle = (message("{short}; lying gains {gain} % at most.", short=short, gain=gain),) if gain else ()
    return numbers.sentence, *middle, message("{short}.", short=short)


def _prices(numbers: AuctionNumbers, drawn: Sequence[float]) -> str:
    unit = numbers.design.unit
    if len(drawn) == 1:
        return message("Drawn exactly: {price}.", price=f"{drawn[0]:.6g}\u00a0{unit}".rstrip())
    low, high = money(min(drawn), unit), money(max(drawn), unit)
    return message("{count} prices drawn, from {low} to {high}.", count=len(drawn), low=low, high=high)


def _bidder(numbers: AuctionNumbers, told: Misreport) -> str:
    unit, number = numbers.design.unit, told.bidder + 1
    worth = money(float(numbers.source.worths[told.bidder]), unit)
    if told.says is None:
        return message("Bidder {number}, worth {worth}, tells the truth. Drag the line: a lie.", number=number, worth=worth)
    ratio = numbers.bidder(told.bidder).largest_ratio(reported_demand(numbers, told))
    words = message("Bidder {number}, worth {worth}, says {says}.")
    if not numbers.design.single:
        words = message("Bidder {number}, worth {worth}, takes all that counts up to {says}.")
    who = message(words, number=number, worth=worth, says=money(told.says * numbers.cap, unit))
    limit = message("e^ε") if numbers.design.single else message("e^2ε")
    return message(
        "{who} The lie changes no price by more than a factor {ratio}; {limit} = {most} is the most.",
        who=who,
        ratio=figure(math.exp(ratio), 3),
        limit=limit,
        most=figure(1 + numbers.limit, 3),
    )


def gain_words(numbers: AuctionNumbers, told: Misreport | None) -> str:
    """Return by how much a lie gains, rounded up as where it is found: ``bidder 103 · +4.0 %``."""
    if told is None or told.says is None:
        return "" if told is None else message("bidder {number} · the truth", number=told.bidder + 1)
    gain = numbers.bidder(told.bidder).gain(reported_demand(numbers, told))
    text = "0 %" if abs(gain) < _SAME else f"{'+' if gain > 0 else ''}{figure(100 * gain, 3)} %"
    return message("bidder {number} · {gain}", number=told.bidder + 1, gain=text)
