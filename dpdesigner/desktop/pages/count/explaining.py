"""Why the count page's answer is what it is: every sentence holds for the design that is shown, or is not said."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.count.program import LARGEST_N
from dpdesigner.core.large.certificate import StructuredCertificate
from dpdesigner.core.numbers.rounding import figure, small
from dpdesigner.desktop.pages.count.proof_numbers import formulas
from dpdesigner.desktop.pages.kit.page import Explanation
from dpdesigner.desktop.pages.kit.promise import promise
from dpdesigner.desktop.widgets.privacy.odds import times
from dpdesigner.studies.count.answer import Compared, CountAnswer
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.found import attained
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.findings import shown
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.proof_picture import LARGEST_N as MOST_BARS
from dpdesigner.studies.proof_picture import price_picture

_LONGEST_FRACTION = 24
_COUNTED_UP_TO = 5000  # above, the outputs that the remap changes are not counted


def explanation(found: CountAnswer) -> Explanation:
    """Explain an answer."""
    outcome, decided = found.solved, found.deciding is not None
    paragraphs = [
        _what(outcome, decided),
        promise(attained(found.best)),
        _bound(found),
        _theorem(outcome, decided),
        _witness(found),
    ]
    title = _tr("Why is this the best?") if found.best.proved else _tr("How near is this to the best?")
    words = (title, "".join(paragraphs), formulas(found), _sources(found.design))
    return Explanation(*words, "certificate", _prices(found))


def _prices(found: CountAnswer) -> Plot | None:
    """The proof as a picture, where there is one and it has few enough bars."""
    design, best = found.design, found.best
    if not 0 < design.n <= MOST_BARS or not isinstance(best, CountOutcome) or not best.proved:
        return None
    return price_picture(best, list(best.certificate.dual), design.prior.probabilities, design.loss.matrix(design.n))


def exactly(value: float | Fraction) -> str | None:
    """``37/24 (1.54167 if rounded up)``, ``3/4 = 0.75``; None for a fraction that is too long to read, and for a double."""
    if not isinstance(value, Fraction) or len(str(value)) > _LONGEST_FRACTION:
        return None
    short = figure(value)
    if value.denominator == 1:
        return short
    if Fraction(short.replace("−", "-")) == value:
        return f"{value} = {short}"
    return _tr("{fraction} ({figure} if rounded up)").format(fraction=value, figure=short)


def _paragraph(heading: str, *sentences: str) -> str:
    return f"<p><b>{heading}</b> {' '.join(sentence for sentence in sentences if sentence)}</p>"


def _what(outcome: CountOutcome, decided: bool) -> str:
    study, heading = outcome.design, _tr("What it does.")
    if study.n == 0:
        return _paragraph(heading, _tr("Only the count 0 is possible, so it always says 0, and there is nothing to hide."))
    if study.privacy.exact_alpha == 0:
        text = _tr(
            "It looks at the true count and, where you think that count possible, releases whatever costs least there; nothing "
            "is hidden."
        )
        return _paragraph(heading, text)
    if study.privacy.exact_alpha == 1:
        said = int(outcome.induced.row(0).argmax())
        text = _tr("It always says {value}, an answer that costs least before anything is known: it may not look at the data.")
        return _paragraph(heading, text.format(value=said))
    if decided:
        text = _tr("For each true count it releases a value by chance, with the probabilities of the row that you see.")
        return _paragraph(heading, text, _tr("They were found for this prior and this loss only."))
    text = _tr(
        "It adds noise to the true count: each value further away is {ratio} times less likely than the one before it, and what "
        "would fall outside 0 to {n} is moved to the nearer end. It then reads each output as the value that costs you least, "
        "given what you believe."
    )
    ratio = times(study.privacy) if study.privacy.epsilon <= 16 else _tr("very many")
    return _paragraph(heading, text.format(ratio=ratio, n=study.n), _moved(outcome))


def _moved(outcome: CountOutcome) -> str:
    n = outcome.design.n
    if n > _COUNTED_UP_TO:
        return ""
    moved = sum(read != output for output, read in enumerate(outcome.induced.remap))
    if not moved:
        return _tr("Here every output is best taken at face value.")
    return _tr("Outputs that are read as another value here: {moved} of {outputs}.").format(moved=moved, outputs=n + 1)


def _bound(found: CountAnswer) -> str:
    """How far from the optimum it can be: the certificate in words."""
    outcome, findings = found.solved, found.findings
    if outcome.design.n == 0:
        return _paragraph(_tr("Why none is better."), _tr("There is no other mechanism."))
    value, gap = shown(findings["value"]), shown(findings["gap"])
    argument = _tr(
        "With this privacy every release of a whole number from 0 to {n}, made from the count alone, costs this user at least a "
        "certain amount. A price for each true count proves it: no such release has an expected loss below the sum of the prices."
    ).format(n=outcome.design.n)
    if not found.best.gap:
        last = _tr("Here the sum of the prices is {value}, and this mechanism costs exactly that, computed in fractions.")
        if (exact := exactly(found.best.value)) is None:
            last = _tr("Here the sum of the prices and what this mechanism costs are the same fraction, {value} if rounded up.")
        return _paragraph(_tr("Why none is better."), argument, last.format(value=exact or value))
    if found.best.proved:
        last = _tr("This mechanism costs {value}, and the sum of the prices is less by at most {gap}{why}.")
        why = _tr(", which is left to the rounding of the computer’s numbers") if outcome.design.covered else ""
        text = last.format(value=value, gap=gap, why=why)
        return _paragraph(_tr("Why none is better."), argument, text, _sampled(outcome))
    last = _tr(
        "This mechanism costs {value}, and the best prices found sum to at most {gap} less, so no more than that can be saved."
    )
    return _paragraph(_tr("How much better another could be."), argument, last.format(value=value, gap=gap))


def _sampled(outcome: CountOutcome) -> str:
    """What vouches for the prices where there are too many columns to test them all."""
    certificate = outcome.certificate
    if not isinstance(certificate, StructuredCertificate) or certificate.checked == certificate.columns:
        return ""
    text = _tr("The prices were tested on {checked} of the {columns} values to release; for the rest Theorem A vouches.")
    return text.format(checked=_grouped(certificate.checked), columns=_grouped(certificate.columns))


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _theorem(outcome: CountOutcome, decided: bool) -> str:
    """Why geometric noise is enough, or why it may not be."""
    study = outcome.design
    if study.n == 0:
        return ""
    if study.privacy.exact_alpha in (0, 1):
        text = _tr(
            "Without privacy, and with nothing but privacy, this holds for every prior and every loss; no theorem is needed."
        )
        return _paragraph(_tr("For whom it holds."), text)
    if study.covered:
        text = _tr(
            "The noise knows nothing about your belief and your loss, only how it is read does. Reading it as well as you can "
            "costs exactly as little as the best such release made just for you. So one release serves all users of this kind."
        )
        source = (
            _tr(
                "Ghosh, Roughgarden and Sundararajan proved it (Theorem 3.1) for losses that, for each true count, grow with the "
                "distance, as yours does."
            )
            if study.loss.grows_with_distance(study.n)
            else _tr(
                "Ghosh, Roughgarden and Sundararajan proved it for losses that, for each true count, grow with the distance "
                "(Theorem 3.1); its extension used here (Theorem A) needs only that each row of the loss falls to a least value "
                "and rises after it, and that these least values never move back."
            )
        )
        return _paragraph(_tr("Why geometric noise is enough."), text, source)
    reason = study.loss.coverage(study.n).reason
    return _paragraph(_tr("Outside the theorem."), f"{reason[:1].upper()}{reason[1:]}", _without_theorem(outcome, decided))


def _without_theorem(outcome: CountOutcome, decided: bool) -> str:
    """What is known where no theorem says that geometric noise is enough."""
    if decided:
        return _tr("A linear program over all such releases found the one that is shown.")
    if outcome.proved:
        return _tr("Here it is the best all the same: the prices above prove it for this very design.")
    if outcome.design.n > LARGEST_N:
        return _tr(
            "Shown is the best way to read geometric noise. Whether another noise does better is not computed above n = {n}."
        ).format(n=LARGEST_N)
    return _tr("Shown is the best way to read geometric noise; a linear program decides whether another noise does better.")


def _witness(found: CountAnswer) -> str:
    """What the linear program found, once it is done."""
    if found.witness is None or found.design.n == 0:
        return ""
    compared, findings = Compared(found.solved, found.witness), found.findings
    text = _tr(
        "A linear program that knows no theorem found {value}. Its answer was repaired to be exactly private, which cost "
        "{repair}; by prices of its own it is within {gap} of the optimum. {agreement}"
    )
    difference = compared.difference
    if compared.agree:
        agreement = _tr("The two agree to {difference}.").format(difference=small(abs(difference)))
    elif difference < 0:
        agreement = _tr("That is {difference} less than geometric + remap.").format(difference=figure(-difference, 3))
    else:
        agreement = _tr("It stopped {difference} short of what is shown.").format(difference=figure(difference, 3))
    return _paragraph(
        _tr("An independent witness."),
        text.format(
            value=shown(findings["program"]),
            repair=small(abs(found.witness.repair_cost)),
            gap=shown(findings["program_gap"]),
            agreement=agreement,
        ),
    )


def _sources(study: CountDesign) -> str:
    corrections = [
        _tr(
            "In the user’s linear program, constraints (3) and (4) hold for all r in 0…n and i in 0…n − 1: in print the two sets "
            "are swapped. Row sums run over 0…n, in print over the range of the mechanism."
        )
    ]
    if study.privacy.exact_alpha == 1:
        corrections.append(
            _tr(
                "At α = 1 the geometric mechanism on all whole numbers is 0 everywhere; Theorem 3.1 needs the one moved into 0…n."
            )
        )
    if study.loss.name == "zero-one" and study.prior.given == "uniform" and study.n and study.privacy.exact_alpha not in (0, 1):
        corrections.append(
            _tr(
                "For this prior and loss G is the only optimum (Theorem 6.1). In print the conclusion names the mechanism on all "
                "whole numbers; it must be G, and α must be below 1."
            )
        )
    items = "".join(f"<li>{text}</li>" for text in corrections)
    return _tr(
        "<p>A. Ghosh, T. Roughgarden, M. Sundararajan, <i>Universally Utility-Maximizing Privacy Mechanisms</i>, 2009. There, "
        "neighbouring databases differ in one row that is replaced, and α is large when privacy is strong: α = "
        "e<sup>−ε</sup>.</p>"
        "<p>Corrected here:</p><ul>{items}</ul>"
        "<p>Losses, gaps and ε are rounded up, so that nothing shown is better than the truth; the computer’s own rounding of a "
        "loss is part of its gap.</p>"
    ).format(items=items)


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)
