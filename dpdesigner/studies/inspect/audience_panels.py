"""The plots of one release for many readers: a remap strip for each, the cost of separate tables, targets, and levels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut
from dpdesigner.core.basics.rounding import as_typed, figure, loss_text, rounded_down, significant, stated, told_apart
from dpdesigner.core.inspection.reader_results import MOST_COMPARED, LossCurves, ReaderResult, chances_given, compared, curved
from dpdesigner.core.inspection.release_value import loss_at, noise, posterior
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.messages import message
from dpdesigner.studies.inspect.audience_answer import TOLD, AudienceAnswer, note_words, shown_table, unreachable
from dpdesigner.studies.inspect.audience_design import (
    LARGEST_DRAWN_N,
    LARGEST_TABLES_N,
    THREE_LEVELS,
    AudienceDesign,
    chain_as,
    drawn_as,
    shown_chain,
    shown_count,
    shown_output,
)  # fmt: skip
from dpdesigner.studies.inspect.audience_readers import with_targets
from dpdesigner.studies.inspect.design import named_releases, read_as
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import LevelRow, LevelStrips, Plot, ReaderRow, RemapStrips, Strips, epsilon_dots, epsilon_powers
from dpdesigner.studies.plain_language import loss_unit, loss_words, percent_above, ratio_below, reading_words
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Line, Mark, Select, epsilon_handle
from dpdesigner.studies.snapshot import Look, Maker, Waiting
from dpdesigner.studies.table_panels import Pairs, Rank, Ranking, Role, Sentence, Shares, Table, excess_of

_LARGEST_MATRIX = 400
_LONGEST_RING = 2.0  # times the loss of ignoring the data, where a ring stays at the end of its bar
_LONGEST_NAME = 16  # that leaves room for dots at its right
_FOOT = -32.0  # per cent: the lower end of a row, where the dot of a target is between 0 and this
_SAME = 1e-9  # relative difference of losses that are shown as equal
_TINY = 1e-3  # loss below which two digits are shown, beside an exponent

_FULL_WIDTH = message("Full width: the loss if the data are ignored.")


def _release(look: Look) -> RemapStrips:
    answer: AudienceAnswer = look.answer
    n, outputs = answer.n, answer.outputs
    count = shown_count(look.view, n)
    released = shown_output(answer.design, look.view, len(outputs), n)
    matrix = noise(answer.level, n) if answer.existing is None else answer.existing.doubles
    rows = tuple(_row(answer, place, matrix, released) for place in range(len(answer.results)))
    x = Axis(message("count"), scale="whole")
    plots = [Plot(
        "draw", message("The release if the true count is {count}", count=count), Axis(message("output"), scale="whole"),
        Axis(message("probability"), optional=True), bars=(Bars(matrix[count]),), selected=released,
    )]  # fmt: skip
    for place, row in enumerate(rows):
        cautious = answer.results[place].reader.cautious
        bars = [Bars(row.prior, message("least favourable prior") if cautious else message("prior"), "rival")]
        if row.belief is not None:
            bars.append(Bars(row.belief, message("belief after the release")))
        title = message(
            "{name}: {output} is read as {reading}",
            name=row.name,
            output=outputs[released],
            reading=answer.noted(place, released, True),
        )
        plots.append(
            Plot(f"reader-{place + 1}", title, x, Axis(), bars=tuple(bars), selected=-1 if row.reading is None else row.reading)
        )
    if outputs != tuple(map(str, range(n + 1))):
        plots = plots[1:]
    selected, drawn = min(int(look.view["reader"]), len(rows) - 1), look.view["drawn"]
    title, same = message("One release, and what each reader makes of it"), drawn_as(answer.design, look.view, released)
    return RemapStrips(
        "release", title, tuple(plots), draw=matrix[count], count=count, released=released, outputs=outputs, rows=rows,
        selected=selected, noise=answer.existing is None,
        old=drawn.startswith(f"{released}:") and drawn != same, drawn=drawn == same,
    )  # fmt: skip


def _row(answer: AudienceAnswer, place: int, matrix: Floats, released: int) -> ReaderRow:
    result = answer.results[place]
    reader, served = result.reader, result.served
    column, words, tiny = served.read_as[released], loss_words(reader.loss), float(served.loss) < _TINY
    said, times = TOLD[reader.cautious], 1
    if words == message("right or wrong") and not reader.cautious:
        said, times = message("wrong {loss} in 100") if tiny else message("wrong {loss} times in 100"), 100
    counts = not reader.labels and reader.readings == answer.n + 1
    prior = reader.prior.probabilities
    if served.least_favourable:
        prior = np.array([float(weight) for weight in served.least_favourable]) @ reader.beliefs
    why = reading_words(reader.loss) if counts else ""
    if reader.cautious:
        why = "" if served.reading is None else message("random; cells show the likeliest")
    likely = None if served.reading is None else np.array([float(chance) for chance in served.reading[released]])
    return ReaderRow(
        reader.name, words, message(said, loss=_told(served.loss, times)),
        _remark(result, times), result.optimal, _cells(answer, place), prior,
        posterior(reader, matrix, released, served.least_favourable), column if counts else None,
        answer.reading(place, released), message("it cannot occur") if column is None else why, likely,
    )  # fmt: skip


def _remark(result: ReaderResult, times: int) -> str:
    if result.optimal or result.best.optimum is None:
        return message("least possible") if result.optimal else message("computing…")
    words = message("least possible: {optimum}") if times == 1 else message("at least {optimum} in 100")
    return message(words, optimum=_told(result.best.optimum, times, up=False))


def _told(loss: Any, times: int, *, up: bool = True) -> str:
    if times == 1 and loss >= _TINY:
        return loss_text(loss, up=up)
    return (figure if up else _down)(times * loss, 2 if loss < _TINY else 3)


def _down(value: Any, digits: int = 4) -> str:
    return significant(float(rounded_down(value, digits)), digits)


def _cells(answer: AudienceAnswer, place: int) -> tuple[tuple[int, int, str], ...]:
    if answer.results[place].served.reading is None:
        return tuple(answer.runs(place))
    return tuple((column, column, answer.reading(place, column)) for column in range(len(answer.outputs)))


def _words(look: Look) -> Sentence:
    answer: AudienceAnswer = look.answer
    released = shown_output(answer.design, look.view, len(answer.outputs), answer.n)
    cautious = any(each.reader.cautious for each in answer.results)
    grey = message("Grey: prior; the least favourable, if cautious.") if cautious else message("Grey: prior.")
    text = message("{grey} Blue: belief after release {output}.", grey=grey, output=answer.outputs[released])
    if answer.existing is not None:
        text = message("{words} This table is fixed.", words=text)
    return Sentence(text, key="words")


# Right column ------------------------------------------------------------------------------------------------------------


def _compared(look: Look) -> range:
    return compared(len(look.answer.results), int(look.view["reader"]) if look.view.get("view") else 0)


def _separate(look: Look) -> Ranking:
    answer: AudienceAnswer = look.answer
    rows = []
    for result in (answer.results[place] for place in _compared(look)):
        most = float(result.served.ignore) or 1.0
        words = message("one release") if answer.existing is None else message("this table")
        label = message("{name}: {words}", name=result.reader.name, words=words)
        value, text = float(result.served.loss) / most, loss_text(result.served.loss)
        name = message("{name} · {unit}", name=result.reader.name, unit=_unit(result))
        rows.append(Rank(label, value, proved=result.optimal, text=text, second=" ", short=name))
        loss = result.separate_loss
        if loss is not None:
            more = result.separate_excess
            second = "" if more is None else _percent(ratio_below(more, 3)) if more >= 0 else " "
            name = message("separate table for {name}", name=result.reader.name)
            note = "" if result.separate is None or result.separate.uses_the_data else message("ignores the data")
            at = min(float(loss) / most, 1.0)
            shown = text if more is not None and abs(float(more)) < _SAME else loss_text(loss, up=False)  # equal ones alike
            rows.append(Rank(name, at, "rival", note=note, text=shown, second=second or " ", short=" "))
    under = message("Grey: a table of their own, at ε/{count}. {width}", count=len(answer.results), width=_FULL_WIDTH)
    ratio = None if look.view.get("view") else answer.findings.get("separate_exp_epsilon_same")  # in the window, an exact detail
    if ratio is not None and ratio.number is not None:
        words = message("{under} Separate tables as good need a total ε of {epsilon}.")
        under = message(words, under=under, epsilon=figure(math.log(ratio.number), 4))
    words = message("One release or several") if answer.existing is None else message("This table or several")
    return Shares("separate", words, tuple(rows), ends=1.0, note=under)


def _percent(ratio: float) -> str:
    """Return how much more something costs: ``+1.44%``, from twice as much on a factor."""
    return f"+{significant(100 * (ratio - 1), 3)}%" if 1 + _SAME < ratio < 2 else excess_of(ratio)


def _targets(look: Look) -> Plot:
    answer: AudienceAnswer = look.answer
    rows = list[Any]()
    for result in _aimed(answer.results):
        at, target = result.least_epsilon or 0.0, as_typed(float(result.target or 0), 3)
        role: Role = "main" if result.met else "other"
        rows.append((at, figure(at, 4), f"{cut(result.reader.name, _LONGEST_NAME)} ≤ {target}", role, ()))
    plot, title = epsilon_dots(answer.level.epsilon, message("ε now"), rows), message("Least ε for each target loss")
    return replace(plot, key="targets", title=title, room=2 * len(rows) + 1)


def _aimed(results: Sequence[ReaderResult]) -> list[ReaderResult]:
    """Return the readers whose targets the plot shows."""
    return [each for each in results if 0 < (each.least_epsilon or 0) < 700][:MOST_COMPARED]


def _moved(values: Floats, which: int, where: float) -> Floats:
    return np.array([min(max(where, 1e-4), 600.0)])


def _kept(answer: AudienceAnswer, place: int, values: Floats, which: int) -> list[dict[str, Any]]:
    """Return the readers, changing one reader's target to that attained from this ε on."""
    return with_targets(answer.design.readers, {place: loss_at(answer.results[place].reader, float(values[0]))})


def _unreachable(look: Look) -> Sentence:
    texts = [unreachable(result) for result in look.answer.results if result.unreachable]
    return Sentence(" ".join(texts), "refuted", key="unreachable")


def _level(look: Look) -> str:
    """Return the title of the level whose note is shown: the one chosen, or that of the release."""
    made, chosen = look.answer.by_level, str(look.view["level"])
    return chosen if chosen in made else str(next(title for title, at in made.items() if at is look.answer))


def _note(look: Look) -> Pairs | Table:
    """In the window the note of the selected reader; in files those of all readers."""
    level = _level(look)
    answer: AudienceAnswer = look.answer.by_level[level]
    place = min(int(look.view["reader"]), len(answer.results) - 1)
    released = shown_output(answer.design, look.view, len(answer.outputs), answer.n)
    title, header = message("Note for {name}", name=answer.results[place].reader.name), (message("released"), message("read as"))
    if not look.view.get("view"):
        names = [result.reader.name for result in answer.results]
        every = [(name, *row) for each, name in enumerate(names) for row in answer.note_rows(each, True)]
        words = "\n".join(f"{name}: {note_words(answer, each)}" for each, name in enumerate(names))
        return Table("note", message("Notes"), (message("reader"), *header), tuple(every), words)
    rows, words = tuple(answer.note_rows(place, True)), note_words(answer, place)
    more = message("A copy has all levels.") if level else message("Orange: chosen in One release.")
    epsilon = stated("ε", answer.level.epsilon_above)
    number = message("number given to {name}", name=level) if level else message("released number")
    number = message("{number} ({released}, {epsilon})", number=number, released=named_releases(answer.outputs), epsilon=epsilon)
    words = message("Look up the {number}. {words} {more}", number=number, words=words, more=more).strip()
    runs = answer.runs(place, lambda output: answer.noted(place, output, True))
    selected = next(row for row, (_, last, _) in enumerate(runs) if released <= last)
    select = Select("view.released", lambda row: runs[row][0])
    return Pairs("note", title, header, rows, words, selected=selected, select=select)


# Other views -------------------------------------------------------------------------------------------------------------


def _readers(look: Look) -> Table:
    """Return the losses of all readers for files; the window shows them beside the curves."""
    if look.view.get("view"):
        raise Waiting
    return _losses(look.answer)


def _losses(answer: AudienceAnswer) -> Table:
    header = (
        message("reader"), message("loss"), message("weight"), message("expected loss"), message("least possible"),
        message("separate"), message("ignoring the data"), message("least ε for the target"),
    )  # fmt: skip
    rows = list[tuple[str, ...]]()
    for spec, each in zip(answer.design.readers, answer.results, strict=True):
        up = [None if value is None else figure(value, 4) for value in (each.served.loss, each.served.ignore, each.least_epsilon)]
        down = [None if value is None else _down(value) for value in (each.best.optimum, each.separate_loss)]
        numbers = (text or "–" for text in (up[0], *down, *up[1:]))
        rows.append((each.reader.name, each.reader.loss_title, str(spec.weight), *numbers))
    note = message("Losses are rounded up; the least possible losses and those of separate tables are rounded down.")
    return Table("readers", message("All readers"), header, tuple(rows), note)


def _curves(look: Look) -> Strips:
    """Plot the loss of every reader against ε in a row of its own, with the least ε for the target as a dot."""
    answer: AudienceAnswer = look.answer
    curves: LossCurves | None = look.last("curves")
    if (curves.readers != answer.curve_readers) if curves is not None else not look.view.get("view"):
        raise Waiting
    x = epsilon_powers([1 / 4, 4] if curves is None else [2 * curves.low, curves.epsilon[-1] / 2])
    count, shown = len(answer.results), _compared(look)
    title, hint = message("Expected loss against ε"), message("100%: the data are ignored")
    hint = hint if answer.existing is None else message("dots: this table · curves: geometric noise")
    if count > MOST_COMPARED:
        hint = message("readers {low} to {high} of {count}", low=shown[0] + 1, high=shown[-1] + 1, count=count)
    first, *more = (_against_epsilon(answer, place, curves, x, shown) for place in shown)
    select, selected = Select("view.reader", lambda row: shown[row]), min(int(look.view["reader"]), count - 1) - shown[0]
    return Strips("curves", title, (replace(first, hint=hint), *more), select=select, selected=selected, table=_losses(answer))


def _against_epsilon(answer: AudienceAnswer, place: int, curves: LossCurves | None, x: Axis, shown: range) -> Plot:
    result, own, tables = answer.results[place], curved(answer.results), len(answer.results)
    now, (low, high), most = answer.level.epsilon, x.limits or (0.0, 0.0), float(result.served.ignore)
    fixed, first = answer.existing is not None, place == next((each for each in own if each in shown), shown[0])
    lines, marks, bands = list[Line](), list[Mark](), list[Band]()
    if curves is not None and place in own:
        shares, seen = 100 * curves.shares[own.index(place)], curves.epsilon >= low
        lines.append(Line(curves.epsilon[seen], shares[seen], result.reader.name, short=" "))
        if tables > 1:
            name, seen = message("own table at ε/{count}", count=tables), curves.epsilon * tables <= high
            lines.append(Line(curves.epsilon[seen] * tables, shares[seen], name, "rival", thin=True, short=" " * (not first)))
    share = 100 * float(result.served.loss) / (most or 1)
    if not lines:
        why = message("No curve: one linear program per ε.") if result.reader.cautious else ""
        bands.append(Band(low, high, why if most else message("This reader loses nothing without the data.")))
        lines.append(Line(np.array([min(max(now, low), high)]), np.array([share]), result.reader.name, short=" "))
    if low <= now <= high and most:
        separate = result.separate_loss
        shares = [share] if separate is None else [share, min(100 * float(separate) / most, 100.0)]
        texts = told_apart(shares, 100.0, _SAME)
        marks += [Mark(now, at, f"{texts[row]}%", "rival" if row else "main") for row, at in enumerate(shares)]
    if not (fixed or result.reader.cautious) and (least := result.least_epsilon) is not None and low <= least <= high:
        drag = Drag("readers", _moved, partial(_kept, answer, place), cue=message("drag the line or a dot"))
        role: Role = "main" if result.met else "other"
        lines.append(Line(np.array([least]), np.full(1, _FOOT / 2), "", role, dots=True, drags=(drag,), secret=True))
        bands.append(Band(least, high, message("target met") if first else "", "main"))
    handle = epsilon_handle(now, low, high)
    handle = handle if place == shown[0] else replace(handle, name="", says=lambda epsilon: "")
    y = Axis("", "%", limits=(_FOOT, 118.0), ticks=tuple((50.0 * part, f"{50 * part}%") for part in range(3)))
    return Plot(
        f"curve-{place + 1}", message("{name}: expected loss against ε", name=result.reader.name), x, y, tuple(lines),
        tuple(marks), tuple(bands), handles=() if fixed else (handle,), figures=_beside(result, fixed=fixed),
    )  # fmt: skip


def _beside(result: ReaderResult, *, fixed: bool) -> tuple[Rank, ...]:
    """Return what stands at the left of a reader's curve."""
    told = message(TOLD[result.reader.cautious], loss=loss_text(result.served.loss))
    words = [Rank(result.reader.name, None), Rank(loss_words(result.reader.loss), None, "aid")]
    words.append(Rank(told, None, proved=result.optimal))
    if not result.optimal:
        words.append(Rank(_remark(result, 1), None))
    if separate := result.separate_loss:
        words.append(Rank(message("own table {loss}", loss=loss_text(separate, up=False)), None, "rival"))
    if result.target is not None and not fixed:
        least, target = result.least_epsilon, as_typed(float(result.target), 3)
        goal = message("≤ {target} at no ε") if least is None else message("≤ {target} from ε = {epsilon}")
        goal = message(goal, target=target, epsilon=figure(least or 0, 4))
        words.append(Rank(goal, None, "main" if result.met else "other"))
    return tuple(words)


_INVITATION = message(
    "For a table that is published already: the best reading for each reader, and what its noise costs them. "
    "Open yours, or try this example."
)


def _reading(look: Look) -> Ranking:
    answer, _, tried = shown_table(look)
    rows, faces, fixed = list[Rank](), [1.0], answer.level.exact_alpha == 0  # then nothing private is as good
    seen = bool(look.view.get("view"))  # the window has one bar for each reader
    for result in answer.results:
        name, most = result.reader.name, float(result.served.ignore) or 1.0
        label = message("{name} · {unit}", name=name, unit=_unit(result))
        label = label if seen else message("{name}: best reading", name=name)
        more, known = result.excess, loss_text(result.best.optimum or 0, up=False)
        second = " " if fixed else "–" if more is None else f"+{percent_above(more)}% · {known}" if more else f"0% · {known}"
        loss, own = float(result.served.loss) / most, loss_text(result.served.loss)
        face = None if result.served.face is None else float(result.served.face) / most
        told = "" if result.served.face is None else loss_text(result.served.face)
        if seen:
            faces += [] if face is None else [face]
            both = f"{own} · ○ {told}" if told else own
            rows.append(Rank(label, loss, proved=result.optimal, text=both, second=second, ring=face))
            continue
        rows.append(Rank(label, loss, proved=result.optimal, text=own, second=second))
        if face is not None:
            rows.append(Rank(message("at face value"), face, "rival", text=told, second=" "))
        if result.best.optimum is not None:
            least = float(result.best.optimum) / most
            rows.append(Rank(message("least possible at the same ε"), least, "bound", text=known, second=" ", limit=True))
    title = message("Expected loss with the best reading") if seen else message("Expected loss of each reader")
    title = message("Example: expected loss with the best reading") if tried else title
    title = message("{title} · ○ at face value", title=title) if len(faces) > 1 else title
    head, ends = "" if fixed else message("excess · best at this ε"), min(max(faces), _LONGEST_RING)
    return Shares("reading", title, tuple(rows), head=head, ends=ends, secret=tried)


def _unit(result: ReaderResult, *, short: bool = True) -> str:
    words = {"loss": message("{unit}, worst case"), "regret": message("regret, worst case")}.get(result.reader.cautious, "{unit}")
    return message(words, unit=loss_unit(result.reader.loss, short=short))


def _table(look: Look) -> Matrix:
    _, table, tried = shown_table(look)
    title, words = message("Example table") if tried else message("The table"), (message("true count"), message("released value"))
    return Matrix("table", title, dense_cells(table.doubles, names=table.outputs), *words, secret=tried)


def _levels(look: Look) -> Ranking | Table | Sentence:
    """In the window the loss of the selected reader at each level as bars; in files those of all readers."""
    answer: AudienceAnswer = look.answer
    levels, results = answer.design.levels, answer.results
    if (fixed := answer.existing is not None) or not levels:
        none = message("One draw can serve several groups. Together they are only as private as the most precise number.")
        table = message("A published table has one fixed ε. Without the table, one draw could serve several groups.")
        return Sentence(table if fixed else none, key="levels")
    if any(not result.levels for result in results):
        raise Waiting
    if look.view.get("view"):
        return _bars(look)
    rows = list[tuple[str, ...]]()
    for place, result in enumerate(results):
        texts = [figure(at.results[place].served.loss, 4) for at in answer.by_level.values()]
        rows.append((result.reader.name, *texts, texts[0]))
    least = next((each.title for each in levels if each.privacy == answer.design.spent.level), message("the release"))
    note = message("Together they reveal no more than {least} alone.", least=least)
    header = message("expected loss"), *answer.by_level, message("sees all levels")
    return Table("levels", message("Several levels from one draw"), header, tuple(rows), note)


def _bars(look: Look) -> Shares:
    """Show the loss of the selected reader at each level, most precise first."""
    result, rows = look.answer.results[place := min(int(look.view["reader"]), len(look.answer.results) - 1)], list[Rank]()
    for title, at in look.answer.by_level.items():
        loss = at.results[place].served.loss
        value = float(loss) / (float(result.served.ignore) or 1.0)
        rows.append(Rank(title, value, key=title, text=loss_text(loss), second=" "))
    title = message("Expected loss of {name}", name=result.reader.name)
    note = message("In {unit}. {width}", unit=_unit(result, short=False), width=_FULL_WIDTH)
    return Shares("levels", title, tuple(rows), ends=1.0, note=note)


def _chooser(look: Look) -> Shares:
    """Show the levels in the window; a click shows the note of one."""
    if not look.view.get("view") or "" in look.answer.by_level:
        raise Waiting
    title = message("Level of the note")
    return replace(_bars(look), key="level", title=title, select="view.level", selected=_level(look), note="")


def _precision(look: Look) -> Plot:
    """Plot the ε of each level as a dot, and that of a release of its own as a line; both can be dragged."""
    answer: AudienceAnswer = look.answer
    rows = list[Any]()
    for place, level in enumerate(answer.design.levels):
        if 0 < level.privacy.epsilon < 700:
            drag = Drag("design", _moved, partial(_at_level, answer.design, place), message("Change a level"))
            text, name = figure(level.privacy.epsilon_above, 4), cut(level.title, _LONGEST_NAME)
            rows.append((level.privacy.epsilon, text, name, "main", (drag,)))
    room = 2 * len(rows) + 1  # the texts of levels close together need it
    release = answer.level.epsilon if len(answer.design.drawn) > len(answer.design.levels) else 0.0  # elsewhere it is a level
    plot = epsilon_dots(release, message("the release"), rows, (1 / 8, 4.0))
    x = replace(plot.x, label="") if look.view.get("view") else plot.x  # the heading says ε
    return replace(plot, x=x, key="precision", title=message("ε of each level"), room=room)


def _at_level(design: AudienceDesign, place: int, values: Floats, which: int) -> dict[str, Any]:
    """Return the levels with another ε for one, between its neighbours."""
    levels, few = design.levels, 1000 * float(values[0])
    ends = [1000 * levels[each].privacy.epsilon for each in (place + 1, place - 1) if 0 <= each < len(levels)]
    least = math.floor(ends[0]) + 1 if place + 1 < len(levels) else 1
    most = math.ceil(min(ends[-1], 1e6)) - 1 if place else 10**6
    if least > most:
        return {}
    epsilon = str(min(max(round(few), least), most) / 1000)
    changed = [level.to_json() for level in levels]
    changed[place] = {key: value for key, value in changed[place].items() if key == "name"} | {"epsilon": epsilon}
    return {"levels": changed}


def _chain(look: Look) -> LevelStrips | Table:
    """Show what each level may get at a true count and, once that is drawn, given the number above it.

    Without levels, or with a table, the window shows those that can be tried.
    """
    design, n, count = look.answer.design, look.answer.n, shown_count(look.view, look.answer.n)
    if tried := not design.levels or look.answer.existing is not None:
        if not look.view.get("view"):
            raise Waiting
        design = design.replace(levels=THREE_LEVELS, table="", n=n)
    levels, names = [level.privacy for level in design.drawn], [level.title for level in design.drawn]
    chances = [noise(level, n)[count] for level in levels]
    title = message("What each may get if the true count is {count}", count=count)
    if not look.view.get("view"):  # a file has the probabilities
        cells = tuple((str(at), *(f"{chance:.6g}" for chance in row)) for at, row in enumerate(np.array(chances).T.tolist()))
        return Table("chain", title, (message("output"), *names), cells)
    if design.chained and len(levels) == len(design.levels):  # the release is one of them
        own = [level.alpha_below for level in levels].index(design.privacy.alpha_below)
        names[own] = message("{name} · release", name=names[own])
    numbers, fresh = shown_chain(design, look.view)
    found, numbers = chances_given(levels, n, count, numbers) if fresh else ([None] * len(levels), numbers)
    rows, plots = list[LevelRow](), list[Plot]()
    x = Axis(message("number"), scale="whole")
    for place, (name, level) in enumerate(zip(names, levels, strict=True)):
        row = LevelRow(name, figure(level.epsilon_above, 4), chances[place], found[place], numbers[place] if numbers else -1)
        rows.append(row)
        words = message("{name}, if the true count is {count}", name=name, count=count)
        bars = [Bars(row.chances, message("before the draw"), "rival" if fresh else "main", secret=tried)]
        if row.given is not None:
            bars.append(Bars(row.given, message("given the number above")))
        plots.append(Plot(f"level-{place + 1}", words, x, Axis(), bars=tuple(bars), selected=row.got if fresh else -1))

    def move(row: int, number: int) -> dict[str, Any]:
        wanted = [number if place == row else old for place, old in enumerate(numbers)]
        wanted = wanted or [*[count] * row, *[number] * (len(levels) - row)]
        moved = chances_given(levels, n, count, wanted)[1]
        released = moved[[level.alpha_below for level in levels].index(design.privacy.alpha_below)]
        return {"chain": chain_as(design, {"count": count}, moved), "released": released}

    return LevelStrips("chain", title, tuple(plots), n=n, count=count, rows=tuple(rows), old=not fresh, move=move)


def _caption(look: Look) -> Sentence:
    large, ends = look.answer.n > LARGEST_TABLES_N, {"most": LARGEST_DRAWN_N, "files": LARGEST_TABLES_N}
    text = message("Each number is drawn from the one above. Other tabs show the release.")
    text = message("Levels are drawn here up to n = {most}, exported up to {files}.", **ends) if large else text
    if shown_chain(look.answer.design, look.view)[1]:
        text = message("Grey: before the draw. Blue: given the number above.")
    return Sentence(text, key="caption")


def panels_for(
    design: AudienceDesign, results: Sequence[ReaderResult], table: ReleaseTable | None, n: int, source: Any
) -> dict[str, Maker]:
    """Return the functions that make a design's panels."""
    lost = any(spec.loses(n, design.n) for spec in design.readers)
    own = message(" Beliefs are cut at its largest count, {n}.", n=n) if lost else ""
    panels: tuple[tuple[str, Maker, bool], ...] = (
        ("release", _release, True),
        ("words", _words, True),
        ("readers", _readers, True),
        ("curves", _curves, True),
        ("invitation", lambda look: Sentence(_INVITATION, key="invitation"), table is None),
        ("reading", _reading, True),
        ("table", _table, table is None or max(table.doubles.shape) <= _LARGEST_MATRIX),
        (
            "origin",
            lambda look: Sentence(read_as(source, look.answer.existing, look.answer.level) + own, key="origin"),
            table is not None,
        ),
        ("levels", _levels, True),
        ("chain", _chain, table is None or n <= LARGEST_DRAWN_N),
        ("caption", _caption, bool(design.levels) and table is None),
        ("precision", _precision, table is None and any(0 < each.privacy.epsilon < 700 for each in design.levels)),
        ("level", _chooser, bool(design.levels) and table is None),
        ("separate", _separate, len(results) > 1 and any(result.separate_loss for result in results)),
        ("targets", _targets, table is None and bool(_aimed(results))),
        ("unreachable", _unreachable, any(result.unreachable for result in results)),
        ("note", _note, True),
    )
    return {key: maker for key, maker, there in panels if there}
