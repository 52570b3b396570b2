"""Auction designs: what may be bid, what is refused in which sentence, what is told, and what stays in the window."""

from __future__ import annotations

import json
import math
import pickle
import random
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.choice.demand import curves_of_table, fallen
from dpdesigner.core.choice.misreporting import most_moved, saying
from dpdesigner.core.choice.price import STEPS, ExactPrice
from dpdesigner.files.export import export_of
from dpdesigner.files.project import read_project
from dpdesigner.resources import path as resource
from dpdesigner.studies.auction.answer import AuctionAnswer, first_price
from dpdesigner.studies.auction.design import Drawn, exact_steps
from dpdesigner.studies.auction.run import (
    PANELS,
    Earnings,
    _gains,
    chosen,
    demand,
    density,
    drawn_words,
    earnings,
    epsilon_plot,
    gain_words,
    influence_words,
    lying,
    priced,
    sentence,
    told_words,
    with_drawn,
)
from dpdesigner.studies.auction.run import (
    drawn as curve_of_revenues,
)
from dpdesigner.studies.base import flattened, tables_of
from dpdesigner.studies.findings import describe_finding, format_finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.snapshot import Found, Look, Snapshot

FOOD = {"path": "example:food_budgets.csv", "column": "food_expenditure", "cap": 1000, "unit": "fr"}
CURVES: list[Any] = [[(0.2, 3), (0.8, 1)], [0.9, 0.5, 0.2], {"0.1": 5, "0.4": 2}]


def solved(**inputs: Any) -> AuctionAnswer:
    found: AuctionAnswer = dp.solve(dp.AuctionDesign.starting(**inputs))
    return found


@pytest.mark.parametrize("bids_are", ["public", "secret"])
def test_the_demand_shows_the_best_price_with_its_buyers(bids_are: str) -> None:
    shown = demand(solved(bids=[0.2, 0.4, 0.6, 0.8, 1], cap=1, epsilon=1, bids_are=bids_are))
    (best,), (likely,), secret = shown.marks, shown.bands, bids_are == "secret"
    assert (best.x, best.y) == pytest.approx((0.6, 3)) and best.text == "best price 0.6: 3 buyers"
    assert 0 < likely.low < likely.high < 1 and best.secret == likely.secret == secret
    none = demand(solved(bids=[0], cap=1, epsilon=1))
    assert none.marks == ()
    curves = demand(solved(demand=[[(0.5, 4)], [(0.5, 3)]], cap=2, epsilon=1, bids_are=bids_are))
    assert curves.marks[0].text == "best price 0.5: 7 items"


def test_the_contract() -> None:
    found = solved(bids=[i / 100 for i in range(1, 101)], cap=1, epsilon=1)
    assert found.expected_revenue == pytest.approx(24.771793, abs=1e-6) == found.findings["value"].value
    assert (found.optimum, found.bound) == pytest.approx((25.5, 4.041506), abs=1e-6)
    assert found.density(0.51) > found.density(0.2) > 0 == found.density(1.2)
    assert np.asarray(found.density(np.linspace(0, 1, 100_001))).mean() == pytest.approx(1, abs=1e-3)
    assert 0 <= found.draw() <= 1 and found.draw(random.Random(1).randrange) == found.draw(random.Random(1).randrange)
    assert found.gain(50, 0.51) == pytest.approx(0, abs=1e-12) and -1 < found.gain(50, 0.1) < math.expm1(1)


def test_food_budgets() -> None:
    found = solved(**FOOD, epsilon=0.5)
    assert (found.optimum, found.best_price, found.sold) == pytest.approx((76691.5925, 383.457963, 200))
    assert (found.expected_revenue, found.bound, found.blind) == pytest.approx((74937.3061, 27176.4502, 47381.5643))
    assert (found.findings["low"].value, found.findings["high"].value) == pytest.approx((351.584, 510.739), abs=1e-3)
    assert found.most is not None and (found.most.bidder, found.most.said) == (102, pytest.approx(0.4170936, abs=1e-6))
    bidder = found.bidder(102)
    assert 1000 * bidder.truth == pytest.approx(96.9868, abs=1e-4)
    assert found.gain(102, 417.0936) == pytest.approx(0.0395742, abs=1e-7) == pytest.approx(found.most.gain, abs=1e-7)
    assert "earns 97.7% of the best revenue</b>. With" in found.sentence and "more than 3.96%" in found.sentence
    assert found.findings["cut"].value == 18
    least = solved(**FOOD, epsilon=0.28), solved(**FOOD, epsilon=0.275)
    assert least[0].bound > 0 > least[1].bound and format_finding(least[1].findings["bound"]).startswith("−")
    assert least[1].findings["bound"].note == "has no lower bound here"


def test_anyone_may_buy_at_the_price_announced_whatever_they_bid() -> None:
    found, prices = solved(**FOOD, epsilon=0.5), np.linspace(0, 1000, 200_001)
    assert found.most is not None and found.most.said is not None
    lied = solved(bids=[*np.delete(found.source.worths, 102), 1000 * found.most.said], cap=1000, epsilon=0.5)
    density, worth = np.asarray(lied.density(prices)), float(found.source.worths[102])
    posted = float((density * np.maximum(worth - prices, 0)).mean()) * 1000
    assert posted == pytest.approx(1000 * found.most.brings, rel=1e-4) and posted - 96.9868 == pytest.approx(3.84, abs=0.01)
    only_up_to_the_bid = float((density * (worth - prices) * (prices <= 1000 * found.most.said)).mean()) * 1000
    assert only_up_to_the_bid < 96.9868, "if a bid bought only at prices up to it, the same lie would lose"


def test_the_first_page_of_a_report_is_on_the_price_drawn() -> None:
    found = solved(**FOOD, epsilon=0.5, bids_are="public")
    assert export_of(found.design).headline == ("expected revenue", "74\u202f937\u00a0fr")
    draws = Found(found, (Drawn(found.design, (376.0,)),))
    made = export_of(found.design, done={"draw": draws, "solve": found})
    assert made.sentence == "Announce 376\u00a0fr. It earns 99% of the best revenue." and made.headline[1] == "376\u00a0fr"
    view = {**found.design.view_defaults, "view": "price"}
    plot = PANELS["price"](Look(Snapshot(found.design, found, view, made.computed()))).plots[0]
    assert plot.landing is None and plot.marks[-1].text == "376\u00a0fr earns 75\u202f952\u00a0fr"
    assert plot.lines[1].short != " "
    again = export_of(found.design, done={"draw": Found(found, (Drawn(found.design, (376.0,), True),))})
    assert again.headline[0] == "expected revenue", "another one was drawn before"
    secret = found.design.replace(bids_are="secret")
    made = export_of(secret, done={"draw": Found(None, (Drawn(secret, (376.0,)),))})
    assert made.headline[1] == "376\u00a0fr" and "best revenue" not in made.sentence


def test_percentages_are_written_with_six_digits() -> None:
    answer = dp.AuctionDesign([1, 2, 3], cap=5, epsilon="0.5").run()
    facts = {finding.label: describe_finding(finding) for finding in answer.findings.values()}
    assert facts["limit on the relative gain"] == "64.8722%", "e^0.5 - 1 = 0.64872127..., rounded up"
    assert not re.search(r"\d{7,}%", " ".join(facts.values()))


def test_money_is_only_another_way_to_count() -> None:
    ones, thousands = solved(bids=[0.2, 0.4, 1], epsilon=2), solved(bids=[200, 400, 1000], cap=1000, epsilon=2)
    for name in ("expected_revenue", "optimum", "bound", "blind"):
        assert 1000 * getattr(ones, name) == pytest.approx(getattr(thousands, name), rel=1e-12)
    assert ones.density(0.3) == pytest.approx(1000 * thousands.density(300), rel=1e-12)
    assert ones.gain(1, 0.1) == pytest.approx(thousands.gain(1, 100), abs=1e-12)


def test_curves_cost_twice_the_privacy() -> None:
    found = solved(demand=CURVES, epsilon="1/2", bids_are="public")
    assert found.epsilon == 1 and found.limit == pytest.approx(math.expm1(1)) and "2ε = 1" in found.badge[0]
    assert found.most is not None and 0 < found.most.gain < found.limit
    assert found.gain(0, [(0.3, 2)]) < found.limit and found.gain(0, CURVES[0]) == pytest.approx(0, abs=1e-12)
    assert solved(bids=[0.3], epsilon="1/2").epsilon == 0.5
    same = solved(demand=["3 at 0.2, 1 at 0.8", "0.9, 0.5, 0.2", "2 at 0.4; 5 at 0.1"], epsilon="1/2")
    assert same.expected_revenue == found.expected_revenue
    assert 0 <= same.draw() <= 1


def test_no_lie_gains_more_than_is_proved() -> None:
    numbers = np.random.default_rng(1)
    for _ in range(30):
        epsilon, bids = float(np.exp(numbers.uniform(-2, 2))), numbers.random(numbers.integers(1, 9))
        found, other = solved(bids=bids, epsilon=epsilon), solved(demand=[[(bid, 1)] for bid in bids], epsilon=epsilon)
        lie = float(numbers.random() * 1.1)
        assert found.gain(0, lie) == pytest.approx(other.gain(0, lie), abs=1e-9)
        assert found.gain(0, lie) <= found.most.gain + 1e-9 <= math.expm1(epsilon)  # type: ignore[union-attr]
        assert other.gain(0, [(lie, 10**9)]) <= other.most.gain + 1e-9 <= math.expm1(2 * epsilon)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("inputs", "field", "part"),
    [
        ({"cap": -5}, "cap", "the cap must be above 0, got -5."),
        ({"cap": "abc"}, "cap", "the cap must be a number"),
        ({"cap": float("nan")}, "cap", "must be a finite number"),
        ({"bids": [0.1, "abc"]}, "bids", "bid 2 must be a number like 12.50, got 'abc'."),
        ({"bids": [0.1, -2]}, "bids", "bid 2 must be between 0 and 1\u202f000\u202f000\u202f000\u202f000\u202f000, got -2."),
        ({"bids": [math.inf]}, "bids", "bid 1 must be a finite number"),
        ({"bids": [math.nan]}, "bids", "bid 1 must be a finite number"),
        ({"bids": [1] * 100_001}, "bids", "there must be at most 100000 bids, got 100001."),
        ({"bids": [1], "demand": [[1]]}, "bids", "more than one of them"),
        ({"demand": [[(0.2, 1), (0.4, 2)]]}, "demand", "curve 1 must fall as the price rises, got 2 at 0.4 but 1 at 0.2."),
        ({"demand": [[(0.2, 1), (0.2, 2)]]}, "demand", "one quantity for each price"),
        ({"demand": [[(0.2, 1, 3)]]}, "demand", "curve 1 must be a list of pairs (price, quantity)"),
        ({"demand": [3]}, "demand", "curve 1 must be a list of pairs"),
        ({"demand": ["2 at 0.1, nonsense"]}, "demand", "(the value of each further item), got 'nonsense'."),
        ({"demand": ["3 at 0.1", "3 for 120"]}, "demand", "curve 2 must be like 3 at 60, 1 at 200 (items at a price each) or"),
        ({"demand": [[0.5, 0.8, 0.3]]}, "demand", "curve 1 must fall from item to item, got 0.8 after 0.5."),
        ({"bids": [1], "epsilon": 0}, "epsilon", "epsilon must be between 0.000001 and 700, got 0."),
        ({"bids": [1], "epsilon": 1, "alpha": 0.5}, "epsilon", "given once"),
        ({"bids": [1], "bids_are": "mine"}, "bids_are", "must be one of secret, public"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(inputs: dict[str, Any], field: str, part: str) -> None:
    with pytest.raises(dp.InputError) as refused:
        dp.AuctionDesign.starting(**inputs)
    assert part in str(refused.value) and refused.value.field == field and str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("bid\n1\nabc\n", "line 3: a value must be a number or empty, got 'abc'"),
        ("bid\n1\n-4\n", "a bid must be between 0 and 1\u202f000\u202f000\u202f000\u202f000\u202f000, got -4.0"),
        ("", "empty file"),
    ],
)
def test_bad_files_get_one_sentence(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "bids.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(dp.InputError) as refused:
        solved(path=str(path), column="bid")
    assert part in str(refused.value) and "\n" not in str(refused.value)
    with pytest.raises(dp.InputError):
        solved(path=str(tmp_path / "none.csv"), column="bid")


def test_empty_rows_are_no_bids_and_a_cap_is_never_read_off(tmp_path: Path) -> None:
    path = tmp_path / "bids.csv"
    path.write_text("name,bid\na,3\nb,\nc,5\n", "utf-8")
    found = solved(path=str(path), column="bid", cap=10)
    assert found.demand.bidders == 2 and found.source.empty == 1 and found.optimum == 6
    with pytest.raises(dp.InputError, match="the cap must be entered") as refused:
        solved(path=str(path), column="bid", cap=None)
    assert refused.value.field == "cap"


def test_a_gain_is_asked_of_somebody_and_for_something() -> None:
    found = solved(bids=[0.5, 0.7])
    for bidder, bid in ((2, 0.1), (-1, 0.1), (0, "abc"), (0, [(0.1, 2)]), (True, 0.1)):
        with pytest.raises(dp.InputError):
            found.gain(bidder, bid)


def test_designs_come_back_as_they_were_given() -> None:
    for design in (
        dp.AuctionDesign(bids=["1/3", 0.25, Fraction(1, 7)], cap="5/2", alpha="1/2", bids_are="public", name="mine"),
        dp.AuctionDesign(demand=CURVES, epsilon="0.3", cap=""),
        dp.AuctionDesign(**FOOD, epsilon=1),
        dp.AuctionDesign(bids=[], epsilon=1),
    ):
        again = dp.AuctionDesign.from_json(json.loads(json.dumps(design.to_json())))
        assert again == design and hash(again) == hash(design) and pickle.loads(pickle.dumps(design)) == design
        assert design.replace(epsilon=2).epsilon == 2 and design.replace(epsilon=2).bids == design.bids
    five = dp.AuctionDesign.starting()
    assert five.replace(demand=CURVES).bids == () and five.replace(bids=[1]).replace(cap=3).bids == (1,)
    assert five.replace(privacy=PrivacyLevel.from_alpha("1/2")).privacy.exact_alpha == Fraction(1, 2)


def test_nothing_to_earn_is_said() -> None:
    assert solved(bids=[0, 0]).sentence.startswith("All bids are 0") and solved(bids=[0, 0]).optimum == 0
    assert solved(bids=[]).sentence.startswith("There are no bids yet") and solved(bids=[]).most is None
    assert solved(bids=[0, 0]).density([0.1, 0.9]) == pytest.approx([1, 1])


def test_what_is_said_of_a_bidder() -> None:
    found = solved(**FOOD, epsilon=0.5)
    at = chosen(found, {})
    assert at is not None
    assert found.most is not None and told_words(found, at).startswith("Row 103 would pay 517.9")
    lie, money = found.most, 1000 * (found.most.brings - found.most.truth)
    words = told_words(found, at, lie)
    amount = float(words.split(" and gains ")[1].split("\u00a0fr on average.")[0])
    assert amount == float(f"{money:.3g}")
    assert "would pay 517.9\u00a0fr but bids 515\u00a0fr" in told_words(solved(**FOOD | {"cap": 515}, epsilon=0.5), (102, 608.0))
    assert "at most ×1.18 (limit eᵋ = 1.65)" in influence_words(found, found.most)
    assert gain_words(found, found.most) == "row 103: 3.96% better off"
    three = dp.solve(dp.AuctionDesign(["2", "3", "5"], cap=6, epsilon=1))
    (gain,) = re.findall(r"gain ([\d.]+)%", three.sentence)
    assert gain_words(three, three.most) == f"bidder 3: {gain}% better off", "one number on a page"
    truth = chosen(found, {"bidder": 3, "says": None})
    assert truth == (3, None) and "bids the true value" in told_words(found, truth)
    assert gain_words(found, found.misreport(3, None)) == "row 4 · the truth"
    assert "3 draws, not to announce, earn 0.6" in drawn(found, [1, 2, 3])
    many = priced(dp.AuctionDesign(bids=np.linspace(0.1, 1, 2000), epsilon=1))
    assert chosen(found, {"bidder": 4000}) == at and many.most is None and chosen(many, {}) is None


@pytest.mark.parametrize("bids_are", ["secret", "public"])
def test_the_condition_of_a_public_cap_is_with_every_claim(bids_are: str) -> None:
    found = solved(bids=[1], epsilon=1, bids_are=bids_are)
    assert found.checks[0] == "✓ private for a public cap: ε = 1, rounded up"
    assert found.badge[0] == "✓ drawn price private for a public cap · ε = 1"


def test_a_report_of_secret_bids_states_what_holds_for_all_bids_of_as_many_bidders() -> None:
    one, other = (solved(bids=bids, cap=10, unit="fr", epsilon="1/2", bids_are="secret") for bids in ([2, 5, 9], [1, 1, 1]))
    said = export_of(one.design, done={"solve": one}).sentence
    assert said == export_of(other.design, done={"solve": other}).sentence
    assert said.startswith(
        "One price for 3 bidders is drawn at random, up to a public cap of 10\u00a0fr. Announcing one draw costs ε = 0.5."
    )
    assert said.endswith("no lie raises a bidder’s expected surplus by more than 64.9%.")
    curves = solved(demand=CURVES, epsilon=1, bids_are="secret")
    assert "Announcing one draw costs ε = 2." in export_of(curves.design, done={"solve": curves}).sentence


def drawn(found: Any, *draws: Sequence[float]) -> str:
    return drawn_words(found, [Drawn(found.design, tuple(prices)) for prices in draws])


def test_the_first_price_stays_the_one_to_announce() -> None:
    found = solved(bids=[2, 5, 9], cap=10, unit="fr", bids_are="public")
    words = "Draw 3: 2\u00a0fr. Announce the first, 4.5\u00a0fr; choosing among 3 costs up to ε = 3."
    assert drawn(found, [4.5], [7.5], [2]) == drawn(found, [1, 2], [4.5], [7.5], [3, 4], [2]) == words
    assert drawn(found, [4.5], [2, 5]).endswith("on average, the lowest 60%. Still announce 4.5\u00a0fr.")
    assert drawn(found, [2, 5]).startswith("2 draws earn ") and not drawn(found, [2, 5], [4.5])
    assert "Draw 2: 0.7. " in (curves := drawn(solved(demand=CURVES), [0.6], [0.7])) and curves.endswith("up to ε = 4.")


def test_the_first_price_stays_marked_as_the_one_to_announce() -> None:
    found = solved(bids=[2, 5, 9], cap=10, unit="fr", bids_are="public")
    first, *others = single = [Drawn(found.design, (price,)) for price in (4.5, 7.5, 2.0)]
    plot = density(found, (0.0, 10.0))
    after = with_drawn(plot, (2.0,), single, found)
    assert after.landing is not None and (after.landing.x, after.landing.text) == ((4.5,), "announce 4.5\u00a0fr")
    assert [(mark.x, mark.role) for mark in after.marks] == [(each.prices[0], "before") for each in others]
    for newest in ((1.0, 2.0), ()):  # bars of many; no draw since the change of an input
        assert [mark.text for mark in with_drawn(plot, newest, [first], found).marks] == ["announce 4.5\u00a0fr"]


def test_files_have_the_first_price_drawn_alone(tmp_path: Path) -> None:
    found = solved(bids=[2, 5, 9], cap=10, unit="fr", bids_are="secret")
    words = "4.5\u00a0fr, the first of 2 draws; choosing among them costs up to ε = 2"
    for draws, wanted in ((((1.0, 2.0), (4.5,), (7.5,)), [words]), (((1.0, 2.0),), [])):
        made = export_of(
            found.design, done={"solve": found, "draw": Found(found, [Drawn(found.design, prices) for prices in draws])}
        )
        assert [text for label, text in made.facts() if label == "price to announce"] == wanted
        (table,) = [file.text for file in made.files("it", ["csv"]) if file.name == "it-findings.csv"]
        assert ('price to announce,"4.5' in table) == bool(wanted)
        assert made.headline == (("Price to announce", "4.5\u00a0fr") if wanted else ("ε of the price", "1"))
        assert made.stated() == [("To announce", f"{words}.") for words in wanted]
        assert any("exp(ε × its revenue / the cap)" in proof for proof in made.proof())


@pytest.mark.parametrize("changes", [{"unit": "kr"}, {"epsilon": 2}, {"name": "Stall"}])
def test_files_have_the_price_drawn_before_a_change(changes: dict[str, Any]) -> None:
    found = solved(bids=[2, 5, 9], cap=10, unit="fr", epsilon=1, bids_are="public")
    after = dp.solve(found.design.replace(**changes))
    made = export_of(after.design, done={"solve": after, "draw": Found(found, [Drawn(found.design, (4.5,))])})
    assert made.headline == ("Price to announce", f"4.5\u00a0{after.design.unit}")
    conditions = f"4.5\u00a0fr ({found.design.privacy.description}, cap 10\u00a0fr)." if "epsilon" in changes else ""
    *told, (to_publish, only) = made.stated()
    assert [text for _, text in told] == [conditions] * bool(conditions)
    assert to_publish == "To publish" and "only a drawn price may be published" in only
    bids = dp.solve(found.design.replace(bids=[2, 5]))
    made = export_of(bids.design, done={"solve": bids, "draw": Found(found, [Drawn(found.design, (4.5,))])})
    assert made.headline[0] != "Price to announce"


def test_a_price_that_hardly_beats_ignoring_the_bids_is_not_recommended() -> None:
    found = solved(**{**FOOD, "cap": 100_000}, epsilon="0.5")
    words = "earns 0.924% of the best revenue, hardly more than a price drawn without the bids (0.713%): raise ε</b>"
    assert words in found.sentence and "hardly more than a price drawn without" in found.headlines[-1]
    for epsilon, said in (("0.005", "On average it earns"), ("0.05", "Publish a drawn price")):
        assert solved(**FOOD, epsilon=epsilon).sentence.startswith(f"<b>{said}")
    for inputs in ({"demand": CURVES, "epsilon": "0.01"}, {"bids": [10] * 40, "cap": 10, "epsilon": 100}):
        assert ("raise ε" in solved(**inputs).sentence) == ("demand" in inputs)


def test_the_most_that_a_lie_gains_holds_for_weights_moved_in_one_direction() -> None:
    for epsilon in (0.3, 1.0, 4.0):
        for worth, others in ((1.0, []), (1.0, [1.0]), (3.0, [0.5, 0.9]), (0.7, [0.2, 0.7])):
            bidder = solved(bids=[worth, *others], cap=1, epsilon=epsilon).bidder(0)
            gains = [bidder.surplus(saying([said], True)) - bidder.truth for said in np.linspace(0, 1, 41)]
            assert max(gains) <= most_moved(epsilon)
    generator, limit = np.random.default_rng(1), most_moved(1.0)
    for _ in range(2000):  # any weights, which are all moved in one direction
        weights, moves = generator.random(5) ** 5, np.exp(generator.random(5))
        apart = weights / weights.sum() - weights * moves / (weights @ moves)
        assert np.abs(apart).sum() / 2 <= limit
    part = 1 / (1 + math.exp(0.5))
    assert part * math.e / (part * math.e + 1 - part) - part == pytest.approx(limit)


def test_what_the_cap_costs_is_said_where_it_costs_something() -> None:
    found = solved(**{**FOOD, "cap": 200}, epsilon="0.5")
    assert found.cap_cost + found.optimum == pytest.approx(solved(**FOOD, epsilon="0.5").optimum)
    words = "Publish a drawn price: on average it earns 60.8% of the best revenue; the cap costs 38.8%"
    assert found.sentence.startswith(f"<b>{words}</b>. ") and found.headlines[-1].endswith(
        "60.8% of the best revenue; the cap costs 38.8%."
    )
    assert found.findings["share"].value == pytest.approx(60.76, abs=0.01) and found.findings["cap_cost"].value == found.cap_cost
    assert first_price([Drawn(found.design, (200,))], found.design, now=True) == "200\u00a0fr" and not drawn(found, [200])
    bars = earnings(found)
    assert [bars.read(place) for place in range(2)] == [
        "Best price without the cap: 76\u202f692, 100%",
        "Up to the cap, which costs 29\u202f692: 47\u202f000, 61.3%",
    ]
    assert earnings(solved(**FOOD, epsilon="0.5")).rows[0].short == "Best price up to the cap"
    curves = [[("2", 3), ("5", "1/2")], [("1", 4)]]  # without a cap, 4 + 3 items at 1 are best
    assert solved(demand=curves, cap=1, epsilon=1).cap_cost == 0
    assert solved(demand=curves, cap="1/2", epsilon=1).cap_cost == pytest.approx(7 - 7 / 2)


def test_revenues_of_curves_are_price_times_items_and_the_cap_limits_only_what_counts() -> None:
    found = solved(demand=["3 at 60, 1 at 200", "300, 250, 100"], cap=300, epsilon=1)
    prices = (np.arange(600_000) + 0.5) / 2000
    first = np.select([prices <= 60, prices <= 200], [3, 1])
    second = 1.0 + (prices <= 250) + (prices <= 100)
    weights = np.exp(np.minimum(prices * first, 300) / 300 + np.minimum(prices * second, 300) / 300)
    paid = prices * (first + second)
    assert (found.optimum, found.best_price, found.sold, found.cap_cost) == pytest.approx((600, 200, 3, 0), abs=1e-9)
    assert found.expected_revenue == pytest.approx((weights * paid).sum() / weights.sum(), rel=1e-6)
    assert found.blind == pytest.approx(paid.mean(), rel=1e-6) and "the cap costs" not in found.sentence
    assert found.price.chances([350 / 300]) == pytest.approx(weights[paid >= 350].sum() / weights.sum(), rel=1e-5)
    assert "two integrations agree" in found.checks[1]
    assert found.price.revenue.optimum * 300 == pytest.approx(500)  # as counted: the theorem is on this


@pytest.mark.parametrize("unit", ["1", "0.1", "7", "1/3"])
def test_a_cap_that_costs_nothing_costs_nothing_by_rounding_either(unit: str) -> None:
    bids = [Fraction(unit) * bid for bid in (3, 3, 3, 4, 5, 11)]  # best at 3, whatever the cap from there on
    for cap in (6, 7, 9, 10):
        found = solved(bids=bids, cap=Fraction(unit) * cap)
        assert found.demand.cut == 1 and found.cap_cost == 0 and "the cap costs" not in earnings(found).rows[0].short


def test_the_curve_of_revenues_is_exact_where_it_falls() -> None:
    found = solved(**FOOD, epsilon="0.5")
    (line,) = curve_of_revenues(found).lines
    for revenue in (75_000, 76_200, 76_500):
        assert line.at(revenue) == pytest.approx(100 * found.price.chances([revenue / 1000])[0], abs=0.5)


@pytest.mark.parametrize(("cap", "coin"), [("1000", 1), ("999.99", "1/10"), (1, "1/1000"), ("0.02", "1/100000")])
def test_a_drawn_price_is_rounded_down_to_a_step_that_depends_on_the_cap_alone(cap: Any, coin: Any) -> None:
    for share in ("1/3", "2/3"):
        found = solved(bids=[Fraction(cap) * Fraction(share)], cap=cap, epsilon=1)
        assert found.coin == Fraction(coin) <= Fraction(cap) / 1000
    exact = ExactPrice(exact_steps(found.design), Fraction(1), True)
    for price in (found.draw(random.Random(1).randrange) for _ in range(3)):
        whole = Fraction(cap) * exact.draw(random.Random(1).randrange) / STEPS
        assert price == float(whole // found.coin * found.coin) <= whole


def test_the_curve_of_lies_is_the_gain_over_the_truth() -> None:
    found = solved(**FOOD, epsilon=0.5)
    assert found.most is not None and found.most.said is not None
    plot = lying(Look(Snapshot(found.design, found, {**found.design.view_defaults})))
    truth, lie = plot.marks
    assert (truth.text, truth.y) == ("truth", 0.0) and plot.lines[0].at(truth.x) == pytest.approx(0, abs=1e-9)
    assert lie.y == pytest.approx(100 * found.most.gain) and plot.lines[0].y.max() == pytest.approx(lie.y, abs=1e-3)
    assert plot.lines[0].at(300) == pytest.approx(100 * found.gain(found.most.bidder, 300), abs=0.05)
    assert plot.lines[1].y[0] == 100 * found.limit
    low, high = plot.x.limits or (0, 0)
    assert 100 < low < lie.x < truth.x < high < 900, "prices that are hardly ever drawn take no room"
    assert plot.under == ("Surplus is value minus price; for any bids, a gain of at most 64.9% is proved.",)
    story = "Each bid is the most that somebody would pay. One price is drawn, and anyone may buy at it. "
    told = sentence(Look(Snapshot(found.design, found, {**found.design.view_defaults}))).text
    assert told == story + "Prices that earn more are more likely."
    weak = solved(**FOOD, epsilon=20)
    assert weak.most is not None and weak.most.gain > 1
    assert f"By lying, row {weak.most.bidder + 1} can gain 104% of surplus, nobody more." in weak.sentence
    plot = lying(Look(Snapshot(weak.design, weak, {**weak.design.view_defaults})))
    assert plot.under[0].endswith("Surplus is value minus price; no useful limit on the gain is proved.")
    nothing = solved(bids=[0, 1]).misreport(0, None)
    assert nothing.truth == 0 and not _gains(nothing, nothing.along[1]).any()


def test_the_theorem_promises_nothing_up_to_the_epsilon_that_is_said() -> None:
    found = solved(**FOOD, epsilon=0.5)
    plot = epsilon_plot(found)
    promised = plot.lines[1]
    least = float(promised.x[0])
    assert promised.y[0] == 0 and np.diff(promised.x).min() > 0
    assert [solved(**FOOD, epsilon=least * part).bound > 0 for part in (0.999, 1.001)] == [False, True]
    said = float(plot.under[0].removeprefix("Up to ε = ").split()[0])
    assert least * 0.99 <= said <= least
    assert format_finding(found.findings["lying_additive"], "full") == "125\u00a0fr" and math.tanh(0.5 / 4) < 0.125


def test_single_bids_leave_the_window_only_if_they_are_public() -> None:
    marker = 0.7234561
    secret, public = (solved(bids=[0.3, marker, 0.9, 0.95], bids_are=kind) for kind in ("secret", "public"))
    taken = export_of(secret.design, done={"solve": secret})
    told = (
        json.dumps(taken.data())
        + repr(taken.facts())
        + repr(taken.listings())
        + "".join(file.text for file in taken.files("x", ["csv", "json", "tex"]))
    )
    assert "7234" not in told and '"bids"' not in told.replace('"bids_are"', "") and "expected_revenue" not in told
    for number in ("value", "optimum", "share", "bound", "blind", "low", "high", "lying", "best_price", "sold"):
        value = secret.findings[number].value
        assert value is None or repr(value) not in told
    assert "The bids are secret" in told and "lying_limit" in told and taken.panels() == []
    assert taken.release(1).exact and repr(secret).endswith("ε of the price 1>")
    open_data = json.dumps(export_of(public.design, done={"solve": public}).data())
    assert "0.7234561" in open_data
    assert {table.key for table in tables_of(public)} > {"revenue", "density", "drawn"}


def test_taken_away() -> None:
    found = solved(bids=[0.3, 0.6], bids_are="public")
    taken = export_of(found.design, done={"solve": found})
    data = taken.data()
    assert data["proved"] is True and "not private" in data["details"]["remark"] and data["findings"]["bound"] == found.bound
    assert data["findings"]["value"] == found.expected_revenue and data["design"]["bids"] == [0.3, 0.6]
    releases = taken.release(3)
    assert len(releases.values) == 3 and releases.exact and "epsilon = 3" in releases.warning
    with pytest.raises(dp.InputError, match="leave --count out"):
        taken.release(1, "3")
    assert any("not private" in line for line in taken.proof())
    assert [file.name for file in taken.files("x", ["csv"])][:2] == ["x-revenue.csv", "x-bids.csv"]
    assert "expected" in found.table() and "Auction" in repr(found) and len(repr(found)) < 300


def test_bars_say_where_nothing_is_promised() -> None:
    found = solved(bids=[0.2, 0.4, 0.6, 0.8, 1])
    bars = next(panel for panel in found.panels_in({}) if isinstance(panel, Earnings))
    assert [bars.value_text(row) for row in bars.rows] == ["1.8", "1.246", "1.1", "nothing at this ε"]
    assert [bars.excess_text(row) for row in bars.rows] == ["100%", "69.3%", "61.1%", ""]


def test_curves_as_text_and_as_a_table() -> None:
    assert fallen("1 at 0.2, 2 at 0.4\n\n0.3, 0.5, 1/3") == "2 at 0.4\n0.5, 1/3, 0.3"
    assert dp.AuctionDesign(demand="0.5, 0.3\n3 at 0.1", epsilon=1).demand == ((("0.3", 2), ("0.5", 1)), (("0.1", "3"),))
    cells = [["who", "price", "most"], ["a", "0.4", "1"], ["b", "0.3", "2"], ["a", "0.2", "3"]]
    assert curves_of_table(cells) == [(("0.2", "3"), ("0.4", "1")), (("0.3", "2"),)]
    with pytest.raises(dp.InputError, match="line 2 must be a bidder, a price and a quantity"):
        curves_of_table([["who", "price", "most"], ["a", "0.4"]])


@pytest.mark.parametrize("name", ["household-price", "household-scenes", "hundred-bids", "five-bidders"])
def test_examples(name: str) -> None:
    (study,) = read_project(resource("examples", f"{name}.dpd")).studies
    expected = {
        "household-price": 74937.3061,
        "household-scenes": 74937.3061,
        "hundred-bids": 24.771793,
        "five-bidders": 1.2467398,
    }
    assert dp.solve(study).expected_revenue == pytest.approx(expected[name], abs=1e-4)


def test_tables_have_the_value_at_a_bid_and_just_above_it() -> None:
    """A bid of a price buys at this price."""
    found = solved(bids=[0.25, 0.5], bids_are="public")
    plots = {panel.key: panel for panel in flattened(found.panels_in({"whole": True})) if isinstance(panel, Plot)}
    for key in ("revenue", "density"):
        rows = {float(row[0]): row[1] for row in plots[key].as_table().rows if row[1]}
        at, above = 0.25, float(np.nextafter(0.25, 1))
        expected = [0.5, 0.25] if key == "revenue" else [found.density(at), found.density(above)]
        assert [float(rows[at]), float(rows[above])] == pytest.approx(expected, rel=1e-9)
        assert float(rows[at]) > 1.2 * float(rows[above])
    assert plots["density"].as_table().header == ("price", "density")


def test_every_space_in_the_name_of_a_file_or_column_counts(tmp_path: Path) -> None:
    path = tmp_path / "my  bids.csv"
    path.write_text("the  bid,other\n1,5\n2,5\n", "utf-8")
    design = dp.AuctionDesign(path=str(path), column="the  bid", cap=2, epsilon=1)
    assert dp.solve(dp.AuctionDesign.from_json(design.to_json())).optimum == 2


def shown(found: AuctionAnswer, key: str) -> Plot:
    return next(panel for panel in flattened(found.panels_in({})) if isinstance(panel, Plot) and panel.key == key)


def test_what_a_ratio_never_leaves_is_named() -> None:
    ratio = shown(solved(epsilon="ln 2"), "ratio")
    assert ratio.y.ticks == ((pytest.approx(math.log(2)), "+ε"), (0.0, "0"), (pytest.approx(-math.log(2)), "−ε"))


def test_many_jumps_of_the_density_are_drawn_in_steps_that_hold_all_of_the_probability() -> None:
    food = {"path": "example:food_budgets.csv", "column": "food_expenditure", "unit": "fr", "bids_are": "public"}
    found = solved(**food, cap=1000, epsilon="0.5")
    plot = shown(found, "density")
    line = plot.lines[0]
    assert line.steps and (np.diff(line.x) == 10).all()
    assert np.diff(line.x) @ line.y[:-1] == pytest.approx(1)
    assert line.at(405.0) == pytest.approx(found.density(np.linspace(400, 410, 100_001)).mean(), rel=1e-3)
    few = shown(solved(bids=[0.2, 0.4, 0.6, 0.8, 1]), "density")
    assert not few.lines[0].steps, "of few bids each jump is drawn"


def test_of_several_columns_one_must_be_named(tmp_path: Path) -> None:
    path = tmp_path / "bids.csv"
    path.write_text("person,bid\n1,5\n2,7\n", "utf-8")
    with pytest.raises(dp.InputError, match="the column must be named, one of person, bid") as caught:
        solved(path=str(path), cap=10)
    assert caught.value.field == "column" and caught.value.suggestion == "person"


@pytest.mark.parametrize(("epsilon", "better"), [(20, False), (0.5, True)])
def test_the_lower_bound_is_for_any_bids_and_says_so_where_these_do_far_better(epsilon: float, better: bool) -> None:
    answer = dp.solve(dp.AuctionDesign(bids=["0.5"] * 200, epsilon=epsilon))
    ranking = next(panel for panel in answer.panels_in({"view": "price"}) if isinstance(panel, Earnings))
    rows = {row.key: row for row in ranking.rows}
    assert (rows["value"].value >= 1.5 * rows["bound"].value > 0) == better
    assert [key for key, row in rows.items() if ranking.remark(row)] == ["bound"] * better


def test_the_truth_of_a_curve_is_a_line_for_it_is_none_of_the_claims() -> None:
    curves, single = shown(solved(demand=CURVES), "lying"), shown(solved(bids=[0.2, 1]), "lying")
    assert [mark.text for mark in curves.marks] == ["lie"] and [mark.text for mark in single.marks] == ["truth", "lie"]
    (truth,) = (line for line in curves.lines if line.name == "the truth")
    assert truth.y.tolist() == [0, 0] and abs(curves.lines[0].at(0.9)) > 1, "so that a point at 0 would lie off the curve"
    assert single.lines[0].at(single.marks[0].x) == pytest.approx(0, abs=1e-9)
