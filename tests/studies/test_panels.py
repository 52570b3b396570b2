"""Panels: what is drawn, read and written as a table without a screen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpdesigner.errors import InputError
from dpdesigner.studies.base import as_table, flattened, for_owner
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import Plot, Strips, laid_over
from dpdesigner.studies.plot_parts import Axis, Bars, Drag, Handle, Line, Mark, Select
from dpdesigner.studies.table_panels import Rank, Ranking, Shares, Table


def plot(*lines: Line, x: Axis | None = None, marks: tuple[Mark, ...] = ()) -> Plot:
    return Plot("loss", "Loss", x or Axis("ε", scale="log"), Axis("expected loss"), lines, marks, handles=(Handle(1.0),))


def test_lines_are_checked():
    for x, y in (([], []), ([1.0], [1.0, 2.0]), ([[1.0]], [[1.0]])):
        with pytest.raises(InputError, match="two lists of the same length"):
            Line(x, y)
    with pytest.raises(InputError, match="two lists of the same length"):
        Line([1, 2], [1, 2], low=[1], high=[1])
    with pytest.raises(InputError, match="one of them for 'a'"):
        Line([1, 2], [1, 2], "a", low=[0, 1])
    for x in ([2.0, 1.0], [1.0, np.nan], [1.0, np.inf]):
        with pytest.raises(InputError, match="rising order"):
            Line(x, [0.0, 0.0])


def test_values_between_the_points():
    line, steps = Line([1, 10, 100], [0, 1, 4]), Line([1, 10, 100], [0, 1, 4], steps=True)
    assert line.at(5.5) == pytest.approx(0.5)
    assert line.at(10**1.5, logarithmic=True) == pytest.approx(2.5)
    assert [steps.at(x) for x in (1, 9.99, 10, 100)] == [0, 0, 1, 4]
    assert math.isnan(line.at(0.5)) and math.isnan(line.at(101))


def test_reads_points_exactly_and_says_about_between_them():
    shown = plot(Line([1, 10], [4, 2], "optimal"), Line([1, 100], [5, 3], "rival", steps=True))
    assert shown.read(1) == ["ε = 1", "optimal: 4", "rival: 5"]
    assert shown.read(10**0.5) == ["ε = 3.162", "optimal: ≈ 3", "rival: 5"]
    assert shown.read(50) == ["ε = 50", "rival: 5"]
    names = plot(Line([0, 1], [4, 2], "cost"), x=Axis("method", scale="names", names=("one", "two")))
    assert names.read(1) == ["method = two", "cost: 2"]
    assert Axis("time", "s").title == "time (s)"


def test_the_nearest_point_is_found_on_either_scale():
    line = Line([1, 10, 100], [0, 1, 4])
    assert plot(line, x=Axis("x")).nearest(40) == 10
    assert plot(line).nearest(40) == 100
    assert plot(Line([0, 10], [0, 1])).nearest(1e-9) == 10


def test_table_joins_lines_and_leaves_out_what_is_secret():
    table = plot(Line([1, 2], [0.1, 1 / 3], "a"), Line([2, 3], [5, 6], "b"), Line([9], [9], "c", "truth", secret=True)).as_table()
    assert table.header == ("ε", "a", "b")
    assert table.rows == (("1.0", "0.1", ""), ("2.0", "0.3333333333333333", "5.0"), ("3.0", "", "6.0"))
    assert table.as_rows()[0] == ["ε", "a", "b"]
    assert table.read(0) == "ε: 1.0; a: 0.1; b: "


def test_tables_have_units_and_curves_with_points_of_their_own_are_for_figures():
    shown = Plot("p", "p", Axis("time", "s"), Axis("error", "%"), (Line([1, 2], [3, 4], "ours"), Line([1, 2], [5, 6])))
    assert shown.as_table().header == ("time (s)", "ours (%)", "error (%)") and not shown.as_table().drawn
    assert plot(Line([1, 2], [3, 4], "a"), Line([2, 3], [5, 6], "b")).as_table().drawn
    assert plot(Line(range(25), range(25))).as_table().drawn and not plot(Line(range(24), range(24))).as_table().drawn
    assert Ranking("costs", "cost", (Rank("best", 2.0),)).as_table().drawn


def test_bars_as_long_as_shares_are_listed_with_their_numbers():
    shares = Shares("losses", "expected loss", (Rank("A", 0.25, text="0.5"), Rank("B", 0.5, text="2.0")))
    assert shares.as_table().rows == (("A", "0.5"), ("B", "2.0"))


def test_two_plots_are_laid_over_each_other():
    mine = plot(
        Line([1, 2], [1, 0], proved=True), Line([1, 2], [3, 3]), x=Axis("x", limits=(0, 2)), marks=(Mark(1, 1, proved=True),)
    )
    theirs = plot(Line([1, 2], [2, 0]), x=Axis("x", limits=(-1, 1)), marks=(Mark(2, 0),))
    both = laid_over(mine, theirs, ("A", "B"), "both")
    assert [(line.name, line.role, line.dashed, line.proved) for line in both.lines] == [
        ("A", "main", False, False),
        ("B", "before", True, False),
    ]
    assert [(mark.x, mark.role, mark.proved) for mark in both.marks] == [(1, "main", False), (2, "before", False)]
    assert both.x.limits == (-1, 2) and not both.handles
    assert [line.name for line in laid_over(mine, mine, ("A", "B"), "both").lines] == ["both"]


def test_a_ranking_says_how_much_more_the_others_cost():
    ranking = Ranking(
        "costs", "cost", (Rank("best", 2.0), Rank("a", 2.12), Rank("b", None), Rank("c", math.inf), Rank("d", 400.0))
    )
    said = [ranking.read(place) for place in range(5)]
    assert said == ["best: 2", "a: 2.12, +6%", "b: computing…", "c: ∞", "d: 400, 200 ×"]
    assert ranking.as_table() == Table("costs", "cost", ("", "cost"), tuple(zip(
        ("best", "a", "b", "c", "d"), ("2.0", "2.12", "", "inf", "400.0"), strict=True)))  # fmt: skip
    free = Ranking("costs", "cost", (Rank("best", 0.0), Rank("a", 0.5)))
    assert free.read(1) == "a: 0.5, +0.500"


def test_bars_are_checked():
    for values in ([], [[1.0]], [1.0, np.nan], [np.inf]):
        with pytest.raises(InputError, match="a list of finite numbers"):
            Bars(values)
    for wrong in ({"rival": [1.0]}, {"strong": [True]}, {"dots": [1, 2, 3]}):
        with pytest.raises(InputError, match="There are 2 bars"):
            Bars([1.0, 2.0], **wrong)
    with pytest.raises(InputError, match="must be finite"):
        Bars([1.0], rival=[np.nan])
    with pytest.raises(InputError, match="cannot be below 0"):
        Bars([1.0], dots=[-1])


def test_drags_and_clicks_are_checked_and_give_what_their_targets_take():
    def put(values, which, where):
        after = values.copy()
        after[which] = where
        return after

    for wrong in ({"target": ""}, {"target": "a", "step": 0.0}):
        with pytest.raises(InputError, match="drag"):
            Drag(moved=put, **wrong)
    with pytest.raises(InputError, match="two functions"):
        Drag("utilities", 3)
    with pytest.raises(InputError, match="A click"):
        Select("")
    drag = Drag("utilities", put)
    assert drag.kept(drag.moved(np.array([1.0, 2.0]), 1, 5.0), 1) == [1.0, 5.0]
    assert Select("view.option").kept(np.int64(3)) == 3


def bar_plot(*bars: Bars, key: str = "bars", **more) -> Plot:
    return Plot(key, "Bars", Axis(scale="names", names=("A", "B")), Axis(), bars=bars, **more)


def test_plots_and_strips_are_checked():
    with pytest.raises(InputError, match="as many bars of each kind, got 2, 1"):
        bar_plot(Bars([1, 2]), Bars([1]))
    with pytest.raises(InputError, match="3 bars, got 2 names"):
        bar_plot(Bars([1, 2, 3]))
    with pytest.raises(InputError, match="can be selected, got 2"):
        bar_plot(Bars([1, 2]), selected=2)
    with pytest.raises(InputError, match="not logarithmic"):
        Plot("bars", "", Axis(scale="log"), Axis(), bars=(Bars([1.0]),))
    one = bar_plot(Bars([1, 2]))
    for wrong in ((), (one, one)):
        with pytest.raises(InputError, match="different keys"):
            Strips("strips", "", wrong)
    with pytest.raises(InputError, match="same axis"):
        Strips("strips", "", (one, Plot("line", "", Axis(), Axis(), (Line([0, 1], [0, 1]),))))
    with pytest.raises(InputError, match="one of 1 strips"):
        Strips("strips", "", (one,), labelled=1)
    with pytest.raises(InputError, match="no bar 'x'"):
        Ranking("costs", "", (Rank("a", 1.0, key="a"),), selected="x")
    with pytest.raises(InputError, match="2 rows can be selected"):
        Matrix("m", "", dense_cells(np.eye(2)), selected=2)


def test_bars_are_read_and_written_as_tables_without_what_is_secret():
    shown = bar_plot(
        Bars([1, 3], "chance", texts=lambda value: f"{value:.0f}%" if value < 3 else "", rival=[2, 1], rival_name="rival"),
        Bars([5, 6], "truth", secret=True),
    )
    assert shown.read(0.2) == ["A", "chance: 1%", "rival: 2%", "truth: 5.0000"]
    assert shown.read(1)[1] == "chance: 3.0000"
    assert (shown.nearest(-3), shown.nearest(0.6)) == (0, 1)
    assert shown.as_table().as_rows() == [["", "chance"], ["A", "1.0"], ["B", "3.0"]]
    hidden = bar_plot(Bars([1, 2], secret=True), key="hidden", selected=1)
    assert hidden.public().selected == -1 and for_owner(hidden)
    strips = Strips("strips", "All", (shown, hidden))
    assert not for_owner(strips) and for_owner(Strips("strips", "All", (hidden,)))
    assert [plot.key for plot in strips.public().plots] == ["bars"]
    assert as_table(strips).as_rows() == [["", "chance"], ["A", "1.0"], ["B", "3.0"]]
    assert [panel.key for panel in flattened([strips, shown])] == ["bars", "hidden", "bars"]


def test_a_ranking_may_have_second_numbers_and_a_limit():
    rows = Rank("limit", 0.9, limit=True), Rank("ours", 0.8, key="o", text="80.5%", second="5.0")
    ranking = Ranking("rules", "Rules", rows, select="rule", selected="o", head="people short")
    assert [ranking.read(place) for place in (0, 1)] == ["limit: 0.9", "ours: 80.5%, 5.0"]


def test_bars_with_a_full_part_have_labels_and_a_column_of_their_own() -> None:
    bars = Bars(np.array([0.5, 0.25]), "belief", part=np.array([0.1, 0.2]), part_name="wrong", labels=("1/5", "4/5"))
    plot = Plot("p", "p", Axis("who", scale="names", names=("a", "b")), Axis(), bars=(bars,))
    assert plot.read_bars(1) == ["b", "belief: 0.25000", "wrong: 0.20000"]
    table = plot.as_table()
    assert table.header == ("who", "belief", "wrong") and table.rows[0] == ("a", "0.5", "0.1")
    with pytest.raises(InputError, match="2 bars, got 1 labels"):
        Bars(np.array([0.5, 0.25]), labels=("1/5",))


def test_a_plot_says_what_can_be_dragged_in_it() -> None:
    line, x = Line([0.0, 1.0], [0.0, 1.0], "a"), Axis("x")
    turn = Drag("view.x", lambda values, which, where: values)
    assert plot(line).captions == ("drag the line",)
    assert Plot("p", "p", x, Axis(), (line,), handles=(Handle(0.5, movable=False),)).captions == ("",)
    assert Plot("p", "p", x, Axis(), (line,), handles=(Handle(0.5), Handle(0.7))).captions == ("drag a line",)
    assert Plot("p", "p", x, Axis(), (Line([0.0], [1.0], dots=True, drags=(turn,)),)).captions == ("drag a dot",)
    bars = Bars(np.array([1.0, 2.0]), drags=(turn,))
    assert Plot("p", "p", x, Axis(), bars=(bars,), hint="utility").captions == ("utility · drag a bar", "utility", "drag a bar")
    bid = Bars(np.array([1.0]), drags=(Drag("bids", lambda values, which, where: values, cue="drag a bid"),))
    assert Plot("p", "p", x, Axis(), bars=(bid,)).captions == ("drag a bid",)


def test_a_line_that_is_only_dragged_is_not_read_out() -> None:
    drag = Drag("n", lambda values, which, where: values)
    plot = Plot("p", "P", Axis("n"), Axis("error"), (Line([0, 1], [2, 3], "error"), Line([0, 1], [5, 5], drags=(drag,))))
    assert plot.read(1) == ["n = 1", "error: 3"]


def test_a_share_is_read_in_percent_with_three_digits() -> None:
    x = np.array([0.0, 1.0])
    assert Plot("a", "a", Axis("x"), Axis("recovered", "%"), (Line(x, 58 + x, "guessing"),)).read(0.5)[1] == "guessing: ≈ 58.5%"
