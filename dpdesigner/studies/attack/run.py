"""Run an attack: on the answers, on private answers to the same questions, and for single people; with its panels."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import ZONE_LIMITS
from dpdesigner.core.basics.parsing import cut
from dpdesigner.core.basics.rounding import brief, figure, group_thousands
from dpdesigner.core.reconstruction.attack import Reconstruction, attacked, error_text, people_text
from dpdesigner.core.reconstruction.counting import Lemma, most_right, theorem_questions
from dpdesigner.core.reconstruction.problem import Curves, questions_at, sizes
from dpdesigner.messages import Message, message
from dpdesigner.studies.attack.answer import AttackAnswer, how_far, most_people, noise_instead, warning
from dpdesigner.studies.attack.design import MOST_QUERIES, SHORT, TIMES, AttackDesign, bounded, problem_of
from dpdesigner.studies.data_inputs import drawn_by_hand, one_of
from dpdesigner.studies.number_inputs import IntegerInput
from dpdesigner.studies.panels import Plot, behind
from dpdesigner.studies.plain_language import chance
from dpdesigner.studies.plot_parts import Axis, Band, Handle, Line, Mark, epsilon_handle
from dpdesigner.studies.snapshot import Look, Maker, Waiting, so_far
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role, Table


def heading(answer: AttackAnswer) -> str:
    """Return the heading for the answers on the left."""
    if answer.design.answers:
        return message("One attack’s guess")
    return message("With privacy") if answer.design.noisy else message("Without privacy")


def recovered(answer: AttackAnswer, attack: Reconstruction) -> str:
    """Return the number recovered: ``386 of 400``."""
    secret, n = answer.problem.secret, group_thousands(answer.problem.n)
    many = float((~attack.unsure).sum()) if secret is None else attack.tally(secret).guessed
    return message("{people} of {n}", people=people_text(many), n=n)


def beside(answer: AttackAnswer) -> str:
    """Return the description of that number."""
    return message("guesses are clear") if answer.problem.secret is None else message("recovered")


def how_close(answer: AttackAnswer) -> str:
    """Return the baseline of the number, or the accuracy of the answers, in a few words."""
    if answer.problem.secret is None:
        return message("unsure: ⅓ to ⅔")
    if answer.design.noisy and not answer.design.answers:
        return how_far(answer, answer.findings["error"].number or 0.0)[1]
    value, many = answer.problem.commonest
    return message("guessing all {value}: {many}", value=value, many=group_thousands(many))


def hint(answer: AttackAnswer) -> str:
    """Return how many answers hide nothing, or the advice where the attack is weak."""
    if answer.design.error == "tightness" and not answer.design.answers:
        return message("{told} are exact", told=group_thousands(answer.problem.truthful))
    return message("Check your own questions with “File…”.") if warning(answer) else ""


def badge(design: AttackDesign) -> tuple[str, str]:
    """Return what the private answers prove, and the state of the badge that says so."""
    if design.epsilon_in_all > ZONE_LIMITS[-1]:  # a green badge would look like safety
        return message("hardly any privacy"), "open"
    return message("✓ ε proved"), "proved"


def privately(answer: AttackAnswer, attack: Reconstruction) -> tuple[str, ...]:
    """Return how many values the attack on private answers recovers, the limit for any attack, and the error of the answers."""
    far = how_far(answer, answer.findings["private-error"].number or 0.0)[1]
    return recovered(answer, attack), message("recovered; limit for any attack: {most}", most=most_people(answer)), far


def private_noise(answer: AttackAnswer) -> str:
    """Return how the private answers are made, and their error."""
    off, t = error_text(answer.findings["private-error"].number or 0.0), group_thousands(answer.design.queries)
    words = "Geometric noise with {epsilon}/{t} per answer. Expected error: {off}. Drawn from the seed, for study only."
    return message(words, epsilon=answer.design.epsilon, t=t, off=off)


def words_of_person(answer: AttackAnswer, attack: Reconstruction | None, place: int) -> str:
    """Return the description of a person: ``person 37: secret 1, guessed 0``."""
    if attack is None or not 0 <= place < answer.problem.n:
        return ""
    guess = int(attack.guess[place])
    words = {"person": _person(answer, place), "guess": message("neither") if guess < 0 else str(guess)}
    if answer.problem.secret is None:
        return message("{person}: guessed {guess}", **words)
    return message("{person}: secret {bit}, guessed {guess}", bit=int(answer.problem.secret[place]), **words)


def _person(answer: AttackAnswer, place: int) -> str:
    if answer.problem.names:
        return answer.problem.names[place]
    row, column = group_thousands(int(answer.problem.rows[place])), answer.design.column
    of_file = bool(answer.design.answers or (column and not drawn_by_hand(column)))
    return message("row {row}", row=row) if of_file else message("person {row}", row=row)


def certain_of(answer: AttackAnswer, place: int) -> str:
    """Return the certain value of the ringed person."""
    if (ranges := answer.ranges) is None or not 0 <= place < answer.problem.n:
        return ""
    words = message("{person}: 0 or 1") if ranges.both[place] else message("{person}: still undecided")
    sure = message("{person}: {value}, certain") if ranges.fitting else message("{person}: {value}, if the answers are right")
    sure = message(words if (value := int(ranges.certain[place])) < 0 else sure, person=_person(answer, place), value=value)
    if not (reason := ranges.reasons.get(place, ())):
        return sure
    questions, size = answer.problem.questions, int(answer.problem.questions.members(reason[0]).sum())
    which = message("{sure}: {answers}") if reason[1:] else message("{sure}: {answers} counts {told} of {size}")
    return message(which, sure=sure, answers=questions.named(*reason), size=size, told=size * value)


def question_of(answer: AttackAnswer, chosen: int) -> int:
    """Return the question shown: until one is chosen the first, or of published answers the first that exposes people alone."""
    first = answer.problem.alone[:1] if answer.design.answers else []
    return int((chosen if chosen >= 0 else [*first, 0][0]) % answer.problem.questions.t)


def question_texts(answer: AttackAnswer, question: int) -> tuple[list[str], list[str]]:
    """Return a question and its answer in words, each in versions from long to short."""
    posed, place = answer.problem, question % answer.problem.questions.t
    words = {"q": posed.questions.label(place), "told": brief(float(posed.answers[place]))}
    words["question"] = posed.questions.named(place).strip("“”") if answer.design.answers else message("question {q}", **words)
    words |= {"size": group_thousands(int(posed.questions.members(place).sum())), "one": cut(answer.one, 20) or message("a 1")}
    these = (message("the {size} framed"),) * 2 if answer.design.answers else (message("{size} random"), message("{size} people"))
    these = (message("all {size}"),) * 2 if answer.design.answers and posed.questions.members(place).all() else these
    words |= zip(("these", "short"), (message(each, **words) for each in these), strict=True)
    asked: list[str] = [
        message("How many of {these} people have {one}?", **words),
        message("How many of {short} have {one}?", **words),
        message("How many of {size} have {one}?", **words),
    ]
    if answer.design.answers and words["size"] == "1":
        asked = [message("Does the framed person have {one}?", **words)]
    if posed.truth is None:
        return asked, [message("{question}: answer {told}", **words), message("{q}: answer {told}", **words)]
    words["truth"] = group_thousands(int(posed.truth[place]))
    long = message("{question}: truth {truth}, published {told}", **words)
    return asked, [long, message("truth {truth}, published {told}", **words)]


@lru_cache(maxsize=1)
def question_range(n: int) -> IntegerInput:
    """Return the range of the slider, which snaps to the values of the buttons."""
    ends = max(1.0, n / 4), max(theorem_questions(n), 8 * n, 2)
    return IntegerInput(1, MOST_QUERIES, scale="log", symbol="t", try_=[(times * n, "") for times in TIMES], slide=ends)


CURVES = ("error", "questions", "privacy")
RUNS = so_far("curves"), so_far("first")  #: jobs whose runs are shown until all are done
_LEAST_POINTS = 3  # of a curve whose runs are under way
_PERCENT = Axis(message("recovered"), "%", limits=(40.0, 104.0))


def curve(which: str, outcome: AttackAnswer, before: AttackAnswer | None = None) -> Plot:
    """Return one of `CURVES`, as far as its runs are known, in front of the same curve of a pinned design."""
    draw = {"error": _error_curve, "questions": _questions_curve, "privacy": _privacy_curve}[which]
    made = draw(outcome, outcome.curves or Curves())
    if before is None or before.curves is None or before.design.answers or (which != "privacy" and before.design.noisy):
        return made
    return behind(made, draw(before, before.curves))


def _error_curve(outcome: AttackAnswer, curves: Curves) -> Plot:
    """The share that each attacker recovers against the error bound, in people."""
    design, root = outcome.design, math.sqrt(outcome.design.n)
    lines = [line for name in dict.fromkeys((design.who, *SHORT)) for line in _line(curves, name, design.who, root)]
    widest = root * sizes(design.error)[-1]
    lines.append(_flat(0, widest, outcome))
    handle = Handle(min(design.bound, widest), f"±{design.bound_text}", "size", says=lambda size: f"±{figure(size, 3)}")
    x = Axis(message("largest error, in people"), limits=(0.0, widest))
    title = message("Some coarse grids reveal more" if design.error == "rounded" else "More accurate answers reveal more")
    percent = _percent(lines, 50.0)  # names need room between the curves
    return Plot("error", title, x, percent, tuple(lines), handles=(handle,))


def _percent(lines: list[Line], start: float = 40.0) -> Axis:
    least = min(float(np.min(line.y if line.low is None else line.low, initial=100.0)) for line in lines)
    return replace(_PERCENT, limits=(min(start, 10.0 * math.floor(least / 10)), 104.0))


def _questions_curve(outcome: AttackAnswer, curves: Curves) -> Plot:
    """Plot recovered people against the number of questions, marking the theorem's number and the sufficient one."""
    design, lines, marks, title = outcome.design, [], [], message("More questions reveal more")
    for line in _line(curves, "questions", "questions"):
        asked = np.array([questions_at(design.n, share) for share in line.x], dtype=float)
        lines.append(Line(asked, line.y, SHORT[design.who], low=line.low, high=line.high))
        enough = curves.enough(design.n)[0]
        if enough is not None:
            title = message("{t} questions are enough for 95% in every run", t=group_thousands(enough))
            marks.append(Mark(enough, lines[0].at(enough), "", "main"))
    theorem = theorem_questions(design.n)
    lines.append(_flat(max(1, design.n / 4), high := max(theorem, 8 * design.n, design.queries), outcome))
    percent = _percent(lines)
    words, low = message("theorem: {t}", t=group_thousands(theorem)), (percent.limits or (0.0,))[0]
    marks.append(Mark(float(theorem), low, words, "bound", pointer=True))
    handle = Handle(float(design.queries), _questions(design.queries), "queries", says=_questions)
    x = Axis(message("questions"), scale="log", limits=(max(1.0, design.n / 4), 1.1 * high))
    return Plot("questions", title, x, percent, tuple(lines), tuple(marks), handles=(handle,))


def _questions(t: float) -> Message:
    many = round(t)
    return message("{t} questions", t=group_thousands(many)) if many != 1 else message("1 question")


def _privacy_curve(outcome: AttackAnswer, curves: Curves) -> Plot:
    """Plot recovered people against total epsilon, below the limit on any attack if people are independent."""
    design, ones, lines = outcome.design, outcome.problem.ones, []
    own = design.who if design.noisy else "private"
    runs = min(map(len, curves.shares.get(own, {}).values()), default=1)
    name = message("this attack, mean of {runs} runs", runs=runs) if runs > 1 else message("this attack")
    short = message("mean of {runs} runs", runs=runs) if runs > 1 else ""
    lines += [replace(each, name=name, short=short) for each in _line(curves, own, own)]
    at = min(max(design.epsilon_in_all, 0.1), 1000.0)
    epsilons = np.union1d(np.geomspace(0.1, 1000, 81), at)
    most = np.array([100 * most_right(ones, epsilon) for epsilon in epsilons])
    names = message("limit for any attack (if people are independent)"), message("limit for any attack")
    lines.append(Line(epsilons, most, names[0], "bound", proved=True, short=names[1]))
    lines.append(_flat(0.1, 1000, outcome))
    handle = epsilon_handle(design.epsilon_in_all, 0.1, 1000.0)
    x = Axis(message("total ε"), scale="log", limits=(0.1, 1000.0))
    limit = message("{most} of {n}", most=most_people(outcome), n=group_thousands(design.n))
    mark = Mark(at, 100 * most_right(ones, design.epsilon_in_all), limit, "bound", True)
    title, under = message("Recovered people against ε"), (message("Limit: on average, if people are independent."),)
    return Plot("privacy", title, x, _percent(lines), tuple(lines), (mark,), handles=(handle,), under=under)


def _noise_curve(outcome: AttackAnswer) -> Plot:
    """Plot the error of noisy counts in place of published ones against total epsilon, as far as it is below the counts."""
    epsilons, answers = np.geomspace(0.1, 1000, 161), outcome.problem.asked[1]
    errors, own = np.array([outcome.problem.noise_error(each) for each in epsilons]), outcome.design.epsilon_in_all
    high = 1.1 * max(float(answers.max(initial=1)), min(outcome.problem.noise_error(max(own, 0.1)), float(errors[0])))
    line = Line(epsilons[errors <= high], errors[errors <= high], message("error of a noisy count"), "main")
    half = float(np.median(answers)) if len(answers) else 0.0
    words = message("half of your counts: at most {half}", half=brief(half))
    flat = Line(np.array([0.1, 1000]), np.full(2, half), words, "aid", dashed=True, secret=True)
    x, y = Axis(message("total ε"), scale="log", limits=(0.1, 1000.0)), Axis(message("people"), limits=(0.0, high))
    lines, handles = (line, flat)[: 1 + (half > 0)], (epsilon_handle(own, 0.1, 1000.0),)
    return Plot("privacy", message("Noisy counts instead"), x, y, lines, handles=handles, under=(noise_instead(outcome),))


def place_of(design: AttackDesign, target: str) -> float | None:
    """Return a design's handle position: a drag moves the handle before there is an answer."""
    size = min(design.bound, math.sqrt(design.n) * sizes(design.error)[-1])
    places = {"size": size, "queries": float(design.queries), "epsilon": min(max(design.epsilon_in_all, 0.1), 1000.0)}
    return None if design.answers and target != "epsilon" else places.get(target)


def people(outcome: AttackAnswer) -> Table:
    """Return the attack result for each person; shown only if the design reveals values."""
    posed, ranges = outcome.problem, outcome.ranges
    header: tuple[str, ...] = (message("person") if posed.names else message("row"), message("value"), message("guess"))
    columns = [[*posed.names] or posed.rows.tolist(), outcome.values.tolist(), outcome.guess.tolist()]
    if ranges is not None:  # a certain value first; what programs leave of rounding is none of the values
        header = (header[0], message("certain"), *header[1:], message("least"), message("largest"), message("answers"))
        rounded = [np.round(values, 4) + 0.0 for values in (outcome.values, ranges.least, ranges.largest)]
        values, least, largest = ([int(x) if x == int(x) else float(x) for x in each] for each in rounded)
        reasons = [", ".join(map(posed.questions.label, ranges.reasons.get(each, ()))) for each in range(posed.n)]
        columns = [columns[0], ranges.certain.tolist(), values, columns[2], least, largest, reasons]
    rows = [tuple("" if cell == -1 else str(cell) for cell in row) for row in zip(*columns, strict=True)]
    return Table("people", message("Attack result for each person"), header, tuple(rows))


def _line(curves: Curves, name: str, main: str, unit: float = 1.0) -> list[Line]:
    x, mean, low, high = curves.line(name)
    x = unit * x
    if len(x) < _LEAST_POINTS:
        return []
    role: Role = "main" if name == main else "rival"
    return [Line(x, mean, SHORT.get(name, name), role, dashed=name == "least-squares" and name != main, low=low, high=high)]


def _flat(low: float, high: float, outcome: AttackAnswer) -> Line:
    unasked = outcome.problem.commonest[1] / outcome.problem.n
    x, y = np.array([low, high]), np.full(2, 100 * unasked)
    return Line(x, y, message("guessing"), "aid", dashed=True)


def lemma(ruling: Lemma, question: int, miss: float) -> Plot:
    """Plot how one question rules out a wrong column, or fails to; its answer misses the truth by `miss`."""
    walk = ruling.walk(question) - miss
    places, limit = np.arange(len(walk), dtype=float), ruling.bound
    high = max(1.25 * limit, float(np.abs(walk).max()) + 1)
    words = {"q": question + 1, "off": figure(abs(walk[-1]), 3), "people": group_thousands(ruling.people)}
    title = message("Question {q} does not expose an example guess: off by {off}", **words)
    if abs(walk[-1]) > limit + 1e-9:
        title = message("Question {q} exposes an example guess: off by {off}", **words)
    under = message("This guess has the right number of ones, but is wrong about {people} people.", **words)
    if share := chance(ruling.delta):
        under = message("{guess} A random question exposes it with probability at least {chance}.", guess=under, chance=share)
    band = Band(-limit, limit, message("fits the answer: within E"), along="y")
    x = Axis(message("people in the question whom the guess has wrong"), limits=(0.0, max(float(len(walk) - 1), 1.0)))
    y = Axis(message("off by"), limits=(-high, high))
    line = Line(places, walk, "", "main", steps=True, secret=True)  # with the question, it reveals something about the secret
    return Plot("lemma", title, x, y, (line,), (Mark(places[-1], walk[-1], "", "truth", secret=True),), (band,), under=(under,))


def _curve_of(which: str, look: Look) -> Plot:
    """Return a curve as far as its runs are done; the previous design's runs stay, faded, until all are done."""
    answer: AttackAnswer = look.answer
    opened, noisy = bool(look.view.get("view")), answer.design.noisy
    if answer.design.answers and which == "privacy" and opened:  # in the window only: the counts may not be published yet
        return _noise_curve(answer)
    if answer.problem.secret is None or answer.design.answers or (noisy and which != "privacy"):
        raise Waiting
    runs = answer.curves
    if runs is None:
        before = look.last("curves")
        if not opened or (before is not None and before.design.noisy == noisy):
            raise Waiting
        runs = max(filter(None, map(look.done, RUNS)), key=lambda found: found.done, default=None)
        before = look.last(so_far("curves"))
        if runs is None and before is not None and before.design.noisy == noisy:
            raise Waiting
    private = which == "privacy"
    own, name = answer.private if private and not noisy else answer.reconstruction, SHORT[answer.design.who]
    plot = curve(which, answer.completed(curves=runs or Curves()), look.before)
    return _with_own(plot, answer, own, message("this attack") if private else name)


def _with_own(plot: Plot, answer: AttackAnswer, own: Reconstruction | None, name: str) -> Plot:
    """Return a plot whose handle has its dot at the recovered share, which is a line until the curve can be drawn."""
    secret, (handle,) = answer.problem.secret, plot.handles
    if own is None or secret is None:
        return plot
    share = 100 * (1 - own.wrong(secret))
    point = Line(np.array([handle.place]), np.array([share]), name, dots=True)
    drawn = any(line.role == "main" for line in plot.lines[:1])
    low, high = plot.y.limits or (0.0, 104.0)
    plot = replace(plot, y=replace(plot.y, limits=(min(low, 10.0 * math.floor(share / 10)), high)))
    return replace(plot, lines=plot.lines if drawn else (point, *plot.lines), handles=(replace(handle, height=share),))


def _lemma_of(look: Look) -> Plot:
    answer: AttackAnswer = look.answer
    posed, secret = answer.problem, answer.problem.secret
    if look.view.get("view") != "lemma" or secret is None or posed.truth is None or not bounded(answer.design):
        raise Waiting
    question = question_of(answer, look.view["question"])
    miss = float(posed.answers[question] - posed.truth[question])
    return lemma(Lemma(posed.questions, secret, answer.design.bound), question, miss)


def _people_of(look: Look) -> Table:
    """Return the attack result for each person: in files only, and only if the design reveals it."""
    if look.answer.design.tell != "values" or look.view.get("view"):
        raise Waiting
    return people(look.answer)


PANELS: Mapping[str, Maker] = {**{which: partial(_curve_of, which) for which in CURVES}, "lemma": _lemma_of, "people": _people_of}


def run(design: AttackDesign, progress: Progress = silent) -> AttackAnswer:
    """Attack the answers, and the same questions answered privately; for published answers, find the certain values."""
    answer = attack(design, progress)
    if design.answers:
        return answer.completed(ranges=answer.find_ranges(progress))
    return answer if design.noisy else answer.completed(private=answer.find_private(progress))


def attack(
    design: AttackDesign,
    progress: Progress = silent,
    told: Callable[[AttackAnswer], object] | None = None,
    known: AttackAnswer | None = None,
) -> AttackAnswer:
    """Attack the answers alone; `told` receives intermediate results. A known attack on the same answers is kept."""
    free = {"epsilon": design.epsilon, "tell": design.tell, "left_out": design.left_out}
    known = known if known and not design.noisy and known.design != design == known.design.replace(**free) else None
    if known and known.design.left_out == design.left_out:
        return replace(known, design=design)
    problem = replace(known.problem, out=design.out) if known else problem_of(design, progress)

    def tell(values: Floats) -> None:
        if told is not None:
            told(AttackAnswer(design, problem, Reconstruction(values, design.who, 0, math.nan), PANELS))

    if (guessed := problem.known.get(key := (design.who, design.out))) is None:
        problem.known[key] = guessed = attacked(*problem.asked, design.who, progress, tell)
    ranges = problem.known.get(("ranges", design.out))
    return AttackAnswer(design, problem, guessed, PANELS, ranges=ranges, one=one_of(design.column))
