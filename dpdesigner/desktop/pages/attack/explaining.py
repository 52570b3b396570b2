"""Why the attack works, and what is known about it."""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import brief, counted, significant
from dpdesigner.core.reconstruction import counting
from dpdesigner.core.reconstruction.posing import Posed
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.outcome import AttackOutcome
from dpdesigner.studies.findings import shown
from dpdesigner.studies.said import Said, said

_SOURCES = said(
    "I. Dinur, K. Nissim, <i>Revealing Information while Preserving Privacy</i>, 2003; lecture notes on differential "
    "privacy, 1.4-1.5. Data: American National Election Study 1996.\n\nCorrected "
    "here: the lemma's chance is at least δ, not equal to it. What the theorem recovers, as n grows, is all but any fixed "
    "share of the rows, not “all rows”. The column that the program finds is c; the notes round x, which is the secret. "
    "Which point of those that fit is taken, the notes do not say: a corner found by the simplex method is much worse than "
    "an inner point. The notes' ε of “ε-far” is called ζ here; ε is privacy only."
)
_FORMULA = said(
    "{{<i>c</i> ∈ [0, 1]<sup><i>n</i></sup> : |<i>c</i>(<i>Q</i>) − <i>a</i><sub><i>Q</i></sub>| ≤ <i>E</i> for every "
    "question <i>Q</i>}}, its analytic centre, rounded at 1/2. A random question rules a column <i>c</i> out if "
    "|<i>c</i>(<i>Q</i>) − <i>x</i>(<i>Q</i>)| &gt; 2<i>E</i> + 1, with a chance of at least δ; (<i>n</i> + "
    "1)<sup><i>n</i></sup> (1 − δ)<sup><i>t</i></sup> &lt; 1 rules out all columns that are ζ-far: off by 1/3 or more for "
    "more than ζ<i>n</i> people.\n\nNobody who knows only the share <i>s</i> of ones is right about a person with a chance "
    "above max(<i>s</i>, 1 − <i>s</i>, e<sup>ε</sup>/(1 + e<sup>ε</sup>))."
)


def explained(answer: AttackOutcome) -> Explanation:
    """Explain why this attack gets as far as it does."""
    design = answer.design
    if design.answers:
        plain = [
            said(
                "Every answer cuts away the columns that it does not fit. What is left is a polytope; for each person the "
                "least and the largest value in it are found by two linear programs. As values are 0 or 1, a least value "
                "above 0 means 1, and a largest value below 1 means 0: that is certain, whatever else is true. The inner "
                "point is a guess about everybody else."
            )
        ]
    elif design.noisy:
        plain = [
            said(
                "Noise without a bound rules no column out, so that the program of the notes does not exist here. The "
                "attacker takes the column of least total absolute error, also a linear program. With ε = {composed} "
                "composed over all answers, nobody who knows only the share of ones gets further than {limit}, on average.",
                composed=shown(answer.findings["epsilon-composed"]),
                limit=shown(answer.findings["limit"]),
            )
        ]
    else:
        plain = _paragraphs(design, answer.posed)
    return Explanation(translated(said("Why does this work?")), _rich(plain), _rich([_FORMULA]), _rich([_SOURCES]), "attack")


def _rich(paragraphs: list[Said]) -> str:
    parts = [part for each in paragraphs for part in translated(each).split("\n\n")]
    return "".join(f"<p>{part}</p>" for part in parts)


def _paragraphs(design: AttackDesign, posed: Posed) -> list[Said]:
    """How counting goes, for columns that are balanced and for such as are hard to rule out."""
    n, bound, t = design.n, design.bound, design.queries
    far = 2 * min(posed.commonest[1], n - posed.commonest[1])
    near = max(2, 2 * round(n / 20))
    first = said(
        "Each answer within {bound} of the truth rules out the columns that are further from it. A column that is far from "
        "the secret is ruled out by a random question with some chance δ; many questions leave none.",
        bound=brief(bound),
    )
    return [
        first,
        said(
            "Wrong about {far} people, as often too high as too low: {words}",
            **{"far": counted(far), "words": _counted(n, far, 1, bound, t)},
        ),
        said("Wrong about {near} people: {words}", near=counted(near), words=_counted(n, near, 1, bound, t)),
        said("Off by a third for {far} people: {words}", far=counted(far), words=_counted(n, far, 1 / 3, bound, t)),
        said(
            "The theorem of the notes asks for n ln² n = {theorem} questions; here {t} were asked. Counting is a proof, "
            "not the attack: it asks for more than does.",
            **{"theorem": counted(counting.theorem_questions(n)), "t": counted(t)},
        ),
        *_tight(design),
    ]


def _counted(n: int, people: int, off: float, bound: float, t: int) -> Said:
    delta = counting.least_delta(people, off, bound)
    needed = counting.questions_needed(n, delta)
    if needed is None:
        return said("no question can rule it out at this error, so that counting says nothing; the attack may work all the same.")
    left = counting.log_columns_left(n, delta, t)
    more = said("with {t} it leaves at most 10^{left}.", t=counted(t), left=f"{left:.0f}")
    verdict = said("that is enough.") if left < 0 else more
    return said(
        "δ = {delta}, and (n + 1)^n (1 − δ)^t < 1 needs t = {needed}; {verdict}",
        **{"delta": significant(delta), "needed": counted(needed), "verdict": verdict},
    )


def _tight(design: AttackDesign) -> list[Said]:
    if design.error == "random-sign":
        return [
            said(
                "Errors of exactly ±E are the easy case: nearly every bound is met exactly by the secret, so that little "
                "else fits. They hide less than uniform errors, which are smaller."
            )
        ]
    if design.error != "tightness":
        return []
    chance = counting.tightness_failure(design.queries, design.bound, design.n)
    return [
        said(
            "This mechanism says half of those asked about wherever that is within E of the truth: it tells nothing of a "
            "column of as many ones as zeros, drawn at random, unless some truth is further off, which has a chance of at "
            "most 2t exp(−2E²/n) = {chance}. So E must be √n times a root of the logarithm. Of any other share of ones it "
            "tells the truth again and again: drag the share.",
            chance=significant(chance),
        )
    ]
