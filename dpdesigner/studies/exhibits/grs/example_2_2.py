"""[GRS] Example 2.2: a user who knows that the count is 0 or n reinterprets the geometric mechanism, and errs less often.

Loss 0 or 1, p_0 = p_n = 1/2. At face value: 2 alpha/(1 + alpha) on all integers, alpha/(1 + alpha) clamped to 0..n. Read
again: alpha^((n+1)/2)/(1 + alpha) for odd n, as printed; for even n, which the paper leaves out, alpha^(n/2)/2.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel
from dpdesigner.studies.exhibits.drawing import curve, shares
from dpdesigner.studies.exhibits.drawing import text as text_of
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Bars, Mark, Plot, Strips
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role

_MOST = 30  # people up to whom every output is drawn
_ROLES: tuple[Role, Role] = ("main", "rival")


class Example22(Exhibit):
    """Reinterpret and err less often."""

    exhibit = "grs/example-2.2"
    heading = message("Reinterpret the answer and err less often")
    place = message("Example 2.2")
    claim = message(
        "Let n be odd and the loss binary. A user with prior 1/2 on 0 and on n errs with probability 2α/(1+α) at face "
        "value, and α^((n+1)/2)/(1+α) if each output is read as the nearer end."
    )
    verdict = message("error falls from 2/3 to 1/12, as printed")
    must = message(
        "Full colour: read wrong. An output only tells which end is more likely, so the nearer end is the better reading."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(
        whole_number(
            1,
            200,
            symbol="n",
            slide=(1, 20),
            try_=((5, message("2/3 becomes 1/12")), (10, message("even n (not in the example): 1/64"))),
        ),
        5,
        message("Number of people"),
    )
    alpha: Number = how_private_alpha("1/2", 0, 1, try_=(("1/2", message("ε = ln 2")), ("1/3", message("ε = ln 3"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the losses in fractions, the best remap by trying both readings of every release."""
        n, alpha = self.n, exact(self.alpha)
        read, closed = error_after_remap(n, alpha), closed_form(n, alpha)
        stands, clamped = 2 * alpha / (1 + alpha), alpha / (1 + alpha)
        sizes = range(1, max(21, n + 1))
        people = Plot(
            "people",
            message("Error by number of people"),
            Axis(message("people n"), scale="whole"),
            Axis(message("probability of error"), limits=(0, 1)),
            (
                curve(sizes, lambda size: closed_form(size, alpha), message("with the best remap")),
                curve(sizes, lambda size: stands, message("at face value"), "rival"),
            ),
            marks=(Mark(n, float(read), str(read) if n <= 12 else ""),),
        )
        findings = {
            "value": Finding(message("error with the best remap"), read, state="proved"),
            "stands": Finding(message("error at face value, all integers"), stands, state="proved"),
            "clamped": Finding(message("error at face value, clamped to 0..n"), clamped, state="proved"),
            "closed-form": Finding(message("the same by its closed form"), closed, state="proved"),
        }
        printed: dict[str, Number] = {"stands": str(stands), "value": str(closed)} if n % 2 else {}
        text = message(
            "Taken at face value, the answer is wrong with probability {stands}. Read as the nearer end, it is wrong "
            "with probability {read}.{even}",
            stands=str(stands),
            read=str(read),
            even="" if n % 2 else message(" The example covers odd n only."),
        )
        return self.answer(
            findings,
            (*((_readings(n, alpha),) if n <= _MOST else ()), people, self._privacy(n)),
            text,
            printed=printed,
            checks=(message("✓ both readings tried for all {count} outputs", count=n + 1),),
        )

    @classmethod
    def pictured(cls) -> Panel:
        """Return the error by the number of people."""
        return next(panel for panel in cls().run().panels if isinstance(panel, Plot))

    def _privacy(self, n: int) -> Plot:
        return Plot(
            "privacy",
            message("Error against α"),
            Axis("α", limits=(0, 1)),
            Axis(message("probability of error")),
            (
                curve(shares(), lambda a: closed_form(n, a), message("with the best remap")),
                curve(shares(), lambda a: 2 * a / (1 + a), message("at face value"), "rival"),
            ),
            handles=(self.handle("alpha"),),
        )


def _readings(n: int, alpha: Fraction) -> Strips:
    """Show each release for both counts, as likely as the user thinks it: the full part is read wrong."""
    inner, tail = (1 - alpha) / (1 + alpha), alpha / (1 + alpha)
    none = [tail, *(inner * alpha**r for r in range(n + 1)), tail * alpha**n]  # below 0, 0 to n, above n; if the count is 0
    chances = none, none[::-1]
    face = [r != 1 for r in range(n + 3)], [r != n + 1 for r in range(n + 3)]
    nearer = [2 * (r - 1) > n for r in range(n + 3)], [2 * (r - 1) <= n for r in range(n + 3)]
    names = ("< 0", *map(str, range(n + 1)), f"> {n}")
    titles = message("Taken at face value"), message("Read as the nearer end")
    plots = []
    for key, title, wrong in zip(("face", "nearer"), titles, (face, nearer), strict=True):
        both = [[p / 2 for p in part] for part in chances]
        lost = [[p * bad for p, bad in zip(part, which, strict=True)] for part, which in zip(both, wrong, strict=True)]
        series = tuple(
            Bars(np.array(part, dtype=float), name, role, part=np.array(bad, dtype=float), part_name=message("wrong"))
            for part, bad, name, role in zip(both, lost, (message("count 0"), message("count {n}", n=n)), _ROLES, strict=True)
        )
        hint = message("wrong with probability {share}", share=text_of(sum(map(sum, lost), Fraction(0))))
        x = Axis(message("released"), scale="names", names=names)
        plots.append(Plot(key, title, x, Axis(limits=(0.0, 0.75 * float(max(none)))), bars=series, hint=hint))
    return Strips("readings", message("What each output is read as"), tuple(plots))


def closed_form(n: int, alpha: Fraction) -> Fraction:
    """Return the chance of error after the best remap."""
    return alpha ** ((n + 1) // 2) / (1 + alpha) if n % 2 else alpha ** (n // 2) / 2


def error_after_remap(n: int, alpha: Fraction) -> Fraction:
    """Return the chance of error if every release is read as the end that is likelier: the sum over j of the lesser of both."""
    inner = (1 - alpha) / (1 + alpha)
    loss = Fraction(0)
    for j in range(n + 1):
        weight = 1 / (1 + alpha) if j in (0, n) else inner
        loss += weight * min(alpha**j, alpha ** (n - j)) / 2
    return loss
