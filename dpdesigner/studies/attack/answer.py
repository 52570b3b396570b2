"""The answer of an attack: everybody's estimate, how many are right, the effect of privacy, and sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from dpdesigner.core.basics.level import ZONE_LIMITS
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.rounding import brief, figure, group_thousands, raised, short_count, significant
from dpdesigner.core.reconstruction import attack as attacking
from dpdesigner.core.reconstruction import counting
from dpdesigner.core.reconstruction import problem as posing
from dpdesigner.core.reconstruction.attack import SECONDS, Ranges, Reconstruction, attacked, error_text, people_text
from dpdesigner.core.reconstruction.counting import Counting, Lemma, cases
from dpdesigner.core.reconstruction.problem import FEW, Curves, Problem, best_fit, curves, geometric_epsilon, mean_error
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Why
from dpdesigner.studies.attack.design import AttackDesign, bounded, setting
from dpdesigner.studies.base import PanelAnswer
from dpdesigner.studies.findings import Finding, State, format_finding
from dpdesigner.studies.plain_language import chance
from dpdesigner.studies.snapshot import Maker
from dpdesigner.studies.study import Progress, silent

_RUNS: dict[Hashable, float] = {}  # results of earlier runs, kept for further designs with the same data
_MOST_RUNS = 20_000


@dataclass(frozen=True, eq=False, repr=False)
class AttackAnswer(PanelAnswer):
    """The result of an attack: everybody's `values` (n,) in [0, 1], as a `guess` (-1: undecided), and `unsure` from 1/3 to 2/3.

    Attributes
    ----------
    design : AttackDesign
    problem : Problem
        The secret, the questions and their answers.
    reconstruction : Reconstruction
        By the attacker of the design.
    private : Reconstruction or None
        The best fit to private answers to the same questions.
    ranges : Ranges or None
        The possible values of each person, from published answers.
    curves : Curves or None
        Results of other runs.
    one : str
        Which value of the column is 1, ``"sick_leave = yes"``; empty for a column of 0 and 1.
    findings : mapping of str to Finding
    """

    design: AttackDesign
    problem: Problem
    reconstruction: Reconstruction
    panels: Mapping[str, Maker] = field(default_factory=dict)
    private: Reconstruction | None = None
    ranges: Ranges | None = None
    curves: Curves | None = None
    one: str = ""

    def completed(self, **more: Any) -> Self:
        """Return a copy with more results."""
        return replace(self, **more)

    @property
    def values(self) -> NDArray[np.float64]:
        """The attacker's estimate of everybody's value, (n,), in [0, 1]."""
        return self.reconstruction.values

    @property
    def guess(self) -> NDArray[np.int8]:
        """The values rounded at 1/2, (n,); -1 where undecided."""
        return self.reconstruction.guess

    @property
    def unsure(self) -> NDArray[np.bool_]:
        """Whether each value lies between 1/3 and 2/3, (n,)."""
        return self.reconstruction.unsure

    @property
    def wrong(self) -> float | None:
        """The share of wrong guesses, uninformative ones counted half; None if the secret is unknown here."""
        return None if self.problem.secret is None else self.reconstruction.wrong(self.problem.secret)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings, with the share of recovered people first."""
        return self._of_published() if self.design.answers else {**self._of_recovered(), **self._of_privacy()}

    def _of_recovered(self) -> dict[str, Finding]:
        design, posed, n = self.design, self.problem, self.problem.n
        tally = self.reconstruction.tally(posed.secret)  # type: ignore[arg-type]  # known, as nothing was published
        far = message("the share ζ of people with an error of 1/3 or more: {share}", share=significant(1 - tally.right / n))
        known: dict[str, Any] = {"state": "measured", "measure": n}
        truthful = Finding(message("answers equal to the true count"), posed.truthful, note=message("the others answer half"))
        theorem, needed = message("questions required by the theorem"), counting.theorem_questions(n)
        enough: dict[str, Finding] = {}
        if self.curves is not None and not design.noisy:
            least, short = self.curves.enough(n)
            note = message("in every run; {t} do not" if least else "not even {t} do", t=group_thousands(short))
            enough["enough"] = Finding(message("questions that recover 95%"), least, state="measured", note=note)
        return {
            **self._of_guesses(),
            "people": Finding(message("people guessed right"), tally.guessed, digits=6, **known),
            "right": Finding(message("right and clear"), tally.right, **known),
            "unsure": Finding(message("unsure, between 1/3 and 2/3"), tally.unsure, **known),
            "wrong-confident": Finding(message("wrong and clear"), tally.wrong, **known),
            "far": Finding(message("error of 1/3 or more"), n - tally.right, note=far, **known),
            "error": Finding(message("mean error of an answer"), posed.off, message("people"), 3, state="measured"),
            "furthest": self._furthest,
            "theorem": Finding(theorem, needed, note=message("n ln² n, rounded up")),
            **enough,
            **({"truthful": truthful} if design.error == "tightness" else {}),
            "seed": Finding(message("seed"), design.seed),
        }

    def _of_guesses(self) -> dict[str, Finding]:
        (value, many), n = self.problem.commonest, self.problem.n
        known: dict[str, Any] = {"state": "measured", "measure": n, "share": True}
        wrong = self.wrong or 0.0
        return {
            "recovered": Finding(message("recovered"), 1 - wrong, digits=4, **known),
            "wrong": Finding(message("wrong"), wrong, digits=3, **known),
            "unasked": Finding(message("right by guessing {value} for everyone", value=value), many, measure=n),
        }

    @property
    def _furthest(self) -> Finding:
        off = self.problem.beyond(self.reconstruction.furthest)
        return Finding(message("largest error of an answer"), off, digits=4, rounding="up", state="measured")

    def _of_privacy(self) -> dict[str, Finding]:
        design, posed = self.design, self.problem
        each = design.epsilon_in_all / design.queries
        own, reason, state = self.own_epsilon
        limit = counting.most_right(posed.ones, design.epsilon_in_all)
        total = design.epsilon_in_all if design.noisy else design.queries * own
        up: dict[str, Any] = {"digits": 4, "rounding": "up", "state": state}
        words = message("ε of the person counted most") if design.noisy else message("ε")
        any_attack = message("limit for any attack") if design.noisy else message("limit for any attack on private answers")
        note = message("on average, for independent people of a known share of ones")
        told = {
            "epsilon": Finding(words, posed.questions.most()[1] * own, note=reason, **up),
            "epsilon-each": Finding(message("ε per answer"), own, **up),
            "epsilon-composed": Finding(message("total ε of all {t} answers", t=group_thousands(design.queries)), total, **up),
            "limit": Finding(any_attack, limit, digits=3, rounding="up", state="proved", share=True, note=note),
        }
        if design.noisy:
            off = mean_error(design.error, 0, each)
            return {**told, "error": Finding(message("expected error of an answer"), off, message("people"), 3, rounding="up")}
        words, label = message("total ε of geometric noise with the same error"), message("total ε of the private answers")
        told["same-error"] = Finding(words, design.queries * geometric_epsilon(posed.off), digits=3, rounding="up")
        told["private-epsilon"] = Finding(label, design.epsilon_in_all, rounding="up", state="proved")
        off = mean_error("geometric", 0, each)
        told["private-error"] = Finding(message("expected error of a private answer"), off, digits=4, unit=message("people"))
        if self.private is not None and posed.secret is not None:
            words, known = message("people guessed right from private answers"), dict[str, Any](state="measured")
            told["private-people"] = Finding(words, self.private.tally(posed.secret).guessed, digits=6, **known)
            share = 1 - self.private.wrong(posed.secret)
            told["private-recovered"] = Finding(message("recovered, privately"), share, digits=4, share=True, **known)
        return told

    @property
    def own_epsilon(self) -> tuple[float, str, State]:
        """The epsilon of each attacked answer, the reason, and how it is known."""
        design = self.design
        if design.noisy:
            words = {"most": group_thousands(self.problem.questions.most()[1]), "t": group_thousands(design.queries)}
            reason = message("in {most} of the {t} answers; drawn from a seed, for study only", **words)
            return design.epsilon_in_all / design.queries, reason, "given"
        if posing.tells_nothing(design.error, design.bound, self.problem.questions.most()[0]):
            return 0.0, message("at this error the answers do not depend on the secret"), "proved"
        return math.inf, message("errors within a bound hide nothing"), "proved"

    def _of_published(self) -> dict[str, Finding]:
        posed, ranges = self.problem, self.ranges
        told = {
            "certain": Finding(message("certain values"), None, state="pending"),
            "n": Finding(message("people"), posed.n),
            "t": Finding(message("published answers"), posed.asked[0].t),
            "confident": Finding(message("clear guesses"), int((~self.unsure).sum()), state="measured"),
            "furthest": self._furthest,
            "epsilon": Finding(message("ε"), None, state="open", note=message("unknown: an error bound alone gives no ε")),
        }
        if ranges is not None:
            label = told["certain"].label if ranges.complete else message("certain values, at least")
            told["open"] = Finding(message("people found open (0 or 1)"), int(ranges.both.sum()))
            told["undecided"] = Finding(message("people still undecided, neither certain nor open"), int(ranges.undecided.sum()))
            note = message("{solved} by the integer solver, without a certificate", solved=ranges.solved) if ranges.solved else ""
            note = note if ranges.fitting else message("if the answers are right")
            state: State = "open" if not ranges.fitting else "measured" if ranges.solved else "proved"
            told["certain"] = Finding(label, int((ranges.certain >= 0).sum()), state=state, note=note)
            if ranges.rest:
                words = message("certain without answers that expose all they count ({alone})", alone=len(ranges.alone))
                told["certain-rest"] = Finding(words, int((ranges.rest.certain >= 0).sum()), state=state)
            if told["certain"].value:  # the answers have probability 0 for the other value
                words = message("if the error bounds always hold: these answers exclude a certain person’s other value")
                told["epsilon"] = replace(told["epsilon"], value=math.inf, note=words)
        return told if posed.secret is None else {**told, **self._of_guesses()}

    def find_private(self, progress: Progress = silent) -> Reconstruction:
        """Attack the same questions, answered with geometric noise whose total epsilon is the design's."""
        return best_fit(self.problem, self.design.epsilon_in_all, self.design.seed, progress)

    @property
    def too_long(self) -> tuple[str, ...]:
        """The attackers that would take minutes, and are not run for comparison."""
        return attacking.not_run(self.problem.n, self.problem.questions.t)

    def find_others(self, progress: Progress = silent) -> Mapping[str, Reconstruction]:
        """Run the other attackers on the same answers, except those that take too long."""
        posed = self.problem
        rest = {*attacking.ATTACKERS} - {self.design.who, *self.too_long}
        return {each: attacked(*posed.asked, each, progress) for each in sorted(rest)}

    def find_ranges(self, progress: Progress = silent, seconds: float = SECONDS) -> Ranges:
        """Find the least and the largest value consistent with the published answers, for each person, in about this time."""
        posed = self.problem
        return attacking.audited(posed.questions, posed.answers, posed.bound, progress, seconds, posed.out, posed.known)

    def find_curves(
        self, progress: Progress = silent, tell: Callable[[Curves], object] | None = None, first: bool = False
    ) -> Curves:
        """Compute the runs of the curves, reusing earlier ones; or only the first run of each point, without other attackers."""
        if len(_RUNS) > _MOST_RUNS:
            _RUNS.clear()
        posed = setting(self.design)
        return curves(posed, _RUNS, progress, tell, posing.plan(posed, 1, rivals=False) if first else None, self.design)

    @property
    def badge(self) -> tuple[str, State]:
        """The privacy of the answers: none for bounded errors, otherwise their epsilon."""
        epsilon = self.findings["epsilon"]
        if self.design.answers:
            words = message("privacy unknown") if self.ranges and self.ranges.complete else message("not known yet")
            sure = self.ranges is not None and self.ranges.fitting
            none = message("✗ not private as published") if sure else message("no finite ε as published")
            return (words, "open") if epsilon.value is None else (none, "refuted" if sure else "open")
        if self.design.noisy:
            return message("total ε = {epsilon}", epsilon=self.design.epsilon), "open"
        attained = message("attained ε = {epsilon}", epsilon=format_finding(epsilon))
        return attained if self.own_epsilon[0] < math.inf else message("no privacy · ε = ∞"), "open"

    @property
    def checks(self) -> tuple[str, ...]:
        """The fit of the solution to the answers, and the composition of epsilon for the private answers."""
        (questions, _, bound), told = self.problem.asked, list[str]()
        many = group_thousands(questions.t)
        if self.reconstruction.attacker != "least-squares" and bound is not None and questions.t:
            exactly = "✓ fits all {many} answers exactly" if questions.t > 1 else "✓ fits the answer exactly"
            fits = "✓ fits all {many} answers within {bound}" if np.max(bound) else exactly
            told.append(message(fits, many=many, bound=figure(float(np.max(bound)), 3)))
        if not self.design.answers:
            private = "✓ private answers: {t} × {epsilon}/{t} = total ε of {epsilon}"
            told.append(message(private, t=many, epsilon=self.design.epsilon))
        return tuple(told)

    @property
    def note(self) -> str:
        """A short note on the run of the attack."""
        words = {"interior": "linear program: {n} steps · seed {seed}", "vertex": "simplex: {n} iterations · seed {seed}"}
        told = words.get(self.reconstruction.attacker, "least squares: {n} exchanges · seed {seed}")
        return message(told, n=group_thousands(self.reconstruction.steps), seed=self.design.seed)

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        return _published(self) if self.design.answers else _drawn(self)

    @property
    def brief(self) -> str:
        """The result next to that of private answers and of guessing."""
        return in_brief(self)

    @property
    def why(self) -> Why:
        """The explanation of the attack page."""
        n, t, bound, ones = self.design.n, self.design.queries, self.design.bound, self.problem.commonest[1]
        return Why(template="attack", help="attack", values=lambda: {"cases": cases(n, n - ones, bound, t)})


def in_vain(outcome: AttackAnswer, attack: Reconstruction | None) -> bool:
    """Return whether an attack gains less than a tenth of the people whom guessing gets wrong."""
    secret = outcome.problem.secret
    return attack is not None and secret is not None and attack.gain(secret) < 1 / 10


def warning(outcome: AttackAnswer) -> str:
    """Return what a weak attack on answers without privacy leaves open."""
    weak = bounded(outcome.design) and in_vain(outcome, outcome.reconstruction)
    return message(", but other questions may expose people") if weak else ""


def most_people(outcome: AttackAnswer) -> str:
    """Return the limit for any attack on private answers, in people, on average, rounded up: ``293``."""
    return group_thousands(math.ceil(outcome.problem.n * (outcome.findings["limit"].number or 1.0) - 1e-9))


def how_far(outcome: AttackAnswer, error: float) -> tuple[Message, Message]:
    """Return the mean error of answers, called useless if it is half a question's people or more; and in short."""
    words = {"error": error_text(error), "half": group_thousands(round(outcome.design.n / 2))}
    if 4 * error < outcome.design.n or outcome.design.queries <= FEW:
        return message("answers wrong by {error} on average", **words), message("answers wrong by ≈ {error}", **words)
    long = message("each answer is wrong by about {error} on average, in groups of about {half}: useless", **words)
    return long, message("answers wrong by ≈ {error}: useless", **words)


def fewer(outcome: AttackAnswer) -> str:
    """Return the offer of a few questions where private answers to more are useless: ``Ask only 20: wrong by ≈ 20``."""
    error = posing.error_of_few(outcome.design.n, outcome.design.queries, outcome.design.epsilon_in_all)
    return message("Ask only {few}: wrong by ≈ {error}", few=FEW, error=error_text(error)) if error else ""


def _no_more(outcome: AttackAnswer, key: str, whole: bool = True) -> str:
    """Say that an attack recovers no more than guessing would; empty if it recovers more, or has not been made."""
    found, many = outcome.findings.get(key), outcome.problem.commonest[1]
    if found is None or (found.number or 0) > many:
        return ""
    words = message("no more than guessing ({many} of {n} people)") if whole else message("no more than guessing ({many})")
    return message(words, many=group_thousands(many), n=group_thousands(outcome.design.n))


def _enough(outcome: AttackAnswer) -> str:
    """Return how many questions recover nearly everybody where these do not, as far as the curves are known: ``1600``."""
    design, wrong = outcome.design, outcome.wrong
    least = outcome.curves.enough(design.n)[0] if outcome.curves and bounded(design) and wrong is not None else None
    if least is None or design.queries >= least or (wrong or 0) <= 1 / 20:
        return ""
    return group_thousands(least)


def _private(outcome: AttackAnswer) -> Message:
    found = outcome.findings.get("people" if outcome.design.noisy else "private-people")
    words = {"group": "…" if found is None else people_text(found.value), "most": most_people(outcome)}
    if outcome.design.noisy:
        guessed = {"n": group_thousands(outcome.design.n), "many": outcome.problem.commonest[1]}
        words["group"] = message("{group} of {n} people (guessing: {many})", group=words["group"], **guessed)
    words["group"] = _no_more(outcome, *(("people",) if outcome.design.noisy else ("private-people", False))) or words["group"]
    if outcome.design.epsilon_in_all > ZONE_LIMITS[-1]:
        return message("{group}: hardly any privacy (limit for any attack: {most})", **words)
    return message("{group}; limit for any attack: {most} on average, if people are independent", **words)


def in_brief(outcome: AttackAnswer) -> Message:
    """Return the result next to that of private answers and of guessing."""
    if outcome.design.answers:
        return _published(outcome, brief=True)
    words = {"e": outcome.design.epsilon, "private": _private(outcome), "many": outcome.problem.commonest[1]}
    if outcome.design.noisy:
        return message("With privacy (total ε = {e}), this attack recovers {private}.", **words)
    words |= {"people": people_text(outcome.findings["people"].value), "n": group_thousands(outcome.design.n)}
    words["who"] = _no_more(outcome, "people") or message("{people} of {n} people (guessing: {many})", **words)
    words["found"] = message("Without privacy, this attack recovers {who}{but}", but=warning(outcome), **words)
    if enough := _enough(outcome):
        words["found"] = message("{found}; {enough} questions recover 95%", enough=enough, **words)
    return message("{found}. With it (total ε = {e}), {private}.", **words)


def in_short(outcome: AttackAnswer) -> str:
    """Return the result in numbers only, or of an audit the certain values and the next step."""
    if outcome.design.answers:
        certain = outcome.ranges and outcome.findings["certain"].value
        words = {"known": certain_people(outcome), **_noise(outcome)}
        words["if"] = message("Within their errors") if np.any(outcome.problem.bound) else message("If exact")
        short = message("{if}, {known} values are certain. Noise with total ε = {e}: wrong by ≈ {off}.", **words)
        return short if certain and not outcome.problem.out else ""
    told, many, n = outcome.findings, outcome.problem.commonest[1], group_thousands(outcome.design.n)
    words = {key: people_text(told[key].value) if key in told else "…" for key in ("people", "private-people")}
    short = message("{people} of {n} people recovered{but}; with privacy: {private-people}; guessing: {many}.")
    if _no_more(outcome, "private-people"):
        short = message("{people} of {n} people recovered{but}; with privacy no more than guessing: {many}.")
    short = message("With privacy, {people} of {n} people recovered; guessing: {many}.") if outcome.design.noisy else short
    if enough := _enough(outcome):
        words |= {"t": group_thousands(outcome.design.queries), "enough": enough}
        short = message("{people} of {n} people recovered from {t} questions; {enough} recover 95%.")
    if less := _no_more(outcome, "people"):
        words, short = {**words, "less": less}, message("This attack recovers {less}{but}.")
        short = message("This attack recovers {less}; {enough} questions recover 95%.") if enough else short
        short = message("With privacy, this attack recovers {less}.") if outcome.design.noisy else short
    return message(short, n=n, many=many, but=warning(outcome), **words)


def counting_sentences(case: Counting, asked: Lemma | None) -> tuple[Message, Message, Message]:
    """Return how many questions the proof needs against guesses wrong in one way, what fewer leave, and what one does."""
    words: dict[str, Any] = {"people": group_thousands(case.people), "t": group_thousands(case.t)}
    such = message("guesses off by a third for {people} people", **words)
    such = such if case.off < 1 else message("guesses wrong about {people} people", **words)
    delta = chance(case.chance) or significant(case.chance)
    one = message("A random question exposes one of them with probability at least {delta}.", delta=delta)
    if asked is not None:
        ruled, t = group_thousands(int(asked.ruled.sum())), group_thousands(len(asked.ruled))
        one = message("{one} Of the {t} asked here, {ruled} expose an example, whatever their errors.", one=one, t=t, ruled=ruled)
    if case.needed is None:
        none = message("At this error, the proof exposes no {such}.", such=such)
        return none, message("The attack may still work."), one
    head = message("This proof needs {needed} questions to expose all {such}.", needed=short_count(case.needed), such=such)
    if case.left < 0:
        return head, message("On average, fewer than one of them fits all {t} answers.", **words), one
    powers = {"many": case.left, "all": case.n * math.log10(case.n + 1)}
    words |= {key: f"10{raised(max(math.ceil(power), 1))}" for key, power in powers.items()}
    left = message(
        "It counts up to {all} guesses, in steps of 1/{n}. After {t} questions, at most {many} are left on average.",
        n=case.n,
        **words,
    )
    return head, left, one


def _drawn(outcome: AttackAnswer) -> Message:
    design, told = outcome.design, outcome.findings
    asked = message("{t} answers", t=group_thousands(design.queries)) if design.queries > 1 else message("one answer")
    how = ", each within {bound} of the truth," if design.queries > 1 else ", within {bound} of the truth,"
    how = message(how if design.bound else " without error,", bound=design.bound_text)
    if design.noisy:
        how = message(" with noise of total ε = {epsilon},", epsilon=design.epsilon)
    far = how_far(outcome, told["error" if design.noisy else "private-error"].number or 0.0)[0]
    far = message("{far}. {fewer}", far=far, fewer=less) if (less := fewer(outcome)) else far
    words = {"asked": asked, "how": how, "epsilon": design.epsilon, "private": _private(outcome), "far": far}
    if design.noisy:
        return message("From {asked}{how} the attack recovers {private}; {far}.", **words)
    words |= {"people": people_text(told["people"].value), "n": group_thousands(design.n), "many": outcome.problem.commonest[1]}
    who = message(
        "the values of {people} of {n} people ({share}; guessing: {many})", share=format_finding(told["recovered"]), **words
    )
    return message(
        "From {asked}{how} the attack recovers {who}{but}. With a total ε of {epsilon}, the same questions recover {private}; "
        "{far}.",
        who=_no_more(outcome, "people") or who, but=warning(outcome), **words
    )  # fmt: skip


def _published(outcome: AttackAnswer, brief: bool = False) -> Message:
    posed, t, ranges = outcome.problem, outcome.problem.questions.t, outcome.ranges
    if ranges is None:
        return message("Searching the answers for certain values of {n} people.", n=group_thousands(posed.n))
    words = {**_noise(outcome), "known": certain_people(outcome), "t": group_thousands(t), "out": len(posed.out)}
    exact = message("If the {t} published counts are exact", **words) if t > 1 else message("If the published count is exact")
    words["if"] = message("If each answer is within its stated error") if np.any(posed.bound) else exact
    words["left"] = "" if ranges.complete else message(" {left}.", left=undecided(ranges))
    if posed.out:
        words["still"] = message("Without {out} of the {t} answers, the values of {known} people still follow.{left}", **words)
        return message("{still} A gap can itself show what was left out; noise cannot.", **words)
    if not outcome.findings["certain"].value:
        return message("{if}, the values of {known} people follow.{left}", **words)
    words["because"] = "" if brief else message(" {because}.", because=because(outcome))
    noise = message(
        "Publish noisy counts instead: with total ε = {e} they are wrong by ≈ {off}, and no value is certain.", **words
    )
    if words["error"] < 1 / 2:
        noise = message("Noise with total ε = {e} is too little: most counts stay exact.", **words)
    return message("{if}, the values of {known} people follow.{because}{left} {noise}", **words, noise=noise)


def _noise(outcome: AttackAnswer) -> dict[str, Any]:
    """Return the error of noisy answers with the total epsilon of the design, and its words."""
    error = outcome.problem.noise_error(outcome.design.epsilon_in_all)
    return {"e": outcome.design.epsilon, "off": error_text(error), "error": error}


def noise_inputs(outcome: AttackAnswer) -> dict[str, Any]:
    """Return the inputs of the noise design for published answers: each gets its share of the total epsilon."""
    (questions, *_), most, total = outcome.problem.asked, outcome.problem.most, outcome.design.epsilon
    words = {"most": most, "t": group_thousands(questions.t), "each": exact(total) / most, "total": total}
    why = message("Each person is in at most {most} of the {t} answers and changes each by at most 1. ", **words)
    basis = message("{why}Each answer gets ε = {each}; all together have a total ε of {total}.", why=why, **words)
    inputs = {"query": "integer", "epsilon": str(words["each"]), "sensitivity": 1, "unit": "people", "basis": str(basis)}
    return {**inputs, "name": message("Noise for {t} answers, total ε = {total}", **words)}


def noise_instead(outcome: AttackAnswer) -> Message:
    """Return the error of noisy answers, compared with them: ``Wrong by ≈ 4.97: larger than 41 of your 81 counts``."""
    if not len(answers := outcome.problem.asked[1]):
        return message("")
    words = _noise(outcome) | {"t": group_thousands(len(answers))}
    words["few"] = few = int((answers < round(words["error"], 9)).sum())
    words |= {"low": brief(float(answers.min())), "high": brief(float(answers.max()))}
    long = message("Wrong by ≈ {off}: larger than {few} of your {t} counts ({low} to {high}).", **words)
    told = long if few else message("Wrong by ≈ {off}; your counts: {low} to {high}.", **words)
    words |= {"told": told, "most": outcome.problem.most}
    some = outcome.problem.most < len(answers)  # the reason why the error is no larger
    return message("{told} Each person is in at most {most} of the {t} counts.", **words) if some else told


def exposing(outcome: AttackAnswer) -> dict[int, str]:
    """Return all answers with whom they expose: alone, ``14: rows 2, 6``, with others, ``15, with others: row 7``, or nobody."""
    posed, shared = outcome.problem, {answer: list[int]() for answer in outcome.problem.out}
    for person, reason in outcome.ranges.reasons.items() if outcome.ranges else ():
        for answer in reason if reason[1:] else ():
            shared.setdefault(answer, []).append(person)
    told = {
        answer: f"{posed.questions.label(answer)}: {posed.rows_in(posed.questions.members(answer))}" for answer in posed.alone
    }
    for answer in (*sorted({*shared}.difference(told)), *range(posed.questions.t)):
        words = {"label": posed.questions.label(answer), "people": posed.rows_in(shared.get(answer, []))}
        told.setdefault(answer, message("{label}, with others: {people}" if shared.get(answer) else "{label}", **words))
    return told


def because(outcome: AttackAnswer, brief: bool = False) -> Message | str:
    """Return how many answers expose everybody they count, or not if it is brief; and how many values need several answers."""
    if (ranges := outcome.ranges) is None or not ranges.alone:
        return message("They follow only by combining answers") if outcome.findings["certain"].value else ""
    more = int((ranges.certain >= 0).sum()) - sum(len(each) == 1 for each in ranges.reasons.values())
    words = (
        message("{alone} answers expose everybody they count")
        if ranges.alone[1:]
        else message("One answer exposes everybody it counts")
    )
    words = message(words, alone=len(ranges.alone))
    if brief:
        return message("only by combining answers: {more}", more=more) if more else ""
    some = message("{words}; {more} more values follow by combining answers")
    some = message("{words}; one more value follows by combining answers") if more == 1 else some
    return message(some, words=words, more=more) if more else words


def leaving_out(outcome: AttackAnswer) -> Message | str:
    """Return what is left without the answers that expose all they count, on a button of two lines."""
    ranges, many = outcome.ranges, len(outcome.problem.alone)
    if ranges is None or not (ranges.rest and ranges.complete and ranges.fitting):
        return message("Put all back") if ranges and outcome.problem.out and not ranges.rest else ""
    left = format_finding(replace(outcome, ranges=ranges.rest).findings["certain"])
    left = left if ranges.rest.complete else message("at least {left}", left=left)
    words = message("Leave out the {many} exposing answers") if many > 1 else message("Leave out the exposing answer")
    stay = message("{left} value stays certain") if left == "1" else message("{left} values stay certain")
    return message("{words}\n({stay})", words=message(words, many=many), stay=message(stay, left=left))


def certain_people(outcome: AttackAnswer) -> Message:
    """Return for how many people the answers determine the value: ``at least 39 of 200``."""
    complete = outcome.ranges is None or outcome.ranges.complete
    words = message("{known} of {n}") if complete else message("at least {known} of {n}")
    return message(words, known=format_finding(outcome.findings["certain"]), n=group_thousands(outcome.problem.n))


def undecided(ranges: Ranges) -> Message:
    """Return how many people are undecided after the search: ``Still undecided after 6 s: 161``."""
    words = message("Still undecided after {seconds} s: {left}")
    return message(words, seconds=math.ceil(ranges.seconds), left=group_thousands(int(ranges.undecided.sum())))
