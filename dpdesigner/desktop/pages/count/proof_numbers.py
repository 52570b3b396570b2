"""The formulas of the count page and the numbers behind its certificate, as simple rich text."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.widgets.privacy.text import alpha_text
from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.findings import Form, shown

_LONGEST_FRACTION = 24

_MECHANISM = (
    "<i>g</i><sub><i>ij</i></sub> = (1 − α) / (1 + α) · α<sup>|<i>i</i> − <i>j</i>|</sup> &nbsp;for 0 &lt; <i>j</i> "
    "&lt; <i>n</i>",
    "<i>g</i><sub><i>i</i>0</sub> = α<sup><i>i</i></sup> / (1 + α), &nbsp;"
    "<i>g</i><sub><i>in</i></sub> = α<sup><i>n</i> − <i>i</i></sup> / (1 + α)",
)
_REMAP = (
    "<i>r</i>(<i>j</i>) = the <i>r</i> with the least &nbsp;"
    "∑<sub><i>i</i></sub> <i>p</i><sub><i>i</i></sub> <i>g</i><sub><i>ij</i></sub> <i>l</i>(<i>i</i>, <i>r</i>)",
    "<i>x</i><sub><i>ir</i></sub> = the sum of <i>g</i><sub><i>ij</i></sub> over all <i>j</i> with <i>r</i>(<i>j</i>) = <i>r</i>",
)
_PROGRAM = (
    "least &nbsp;∑<sub><i>i</i></sub> <i>p</i><sub><i>i</i></sub> ∑<sub><i>r</i></sub> "
    "<i>x</i><sub><i>ir</i></sub> <i>l</i>(<i>i</i>, <i>r</i>)",
    "α <i>x</i><sub><i>ir</i></sub> ≤ <i>x</i><sub>(<i>i</i>+1)<i>r</i></sub>, &nbsp;"
    "α <i>x</i><sub>(<i>i</i>+1)<i>r</i></sub> ≤ <i>x</i><sub><i>ir</i></sub> "
    "&nbsp;for 0 ≤ <i>i</i> &lt; <i>n</i>, 0 ≤ <i>r</i> ≤ <i>n</i>",
    "∑<sub><i>r</i></sub> <i>x</i><sub><i>ir</i></sub> = 1, &nbsp;<i>x</i> ≥ 0",
)
_DUAL = (
    "∑<sub><i>i</i></sub> <i>w</i><sub><i>i</i></sub> ≤ every expected loss, if for each <i>r</i> the vector "
    "<i>v</i><sub><i>i</i></sub> = <i>p</i><sub><i>i</i></sub> <i>l</i>(<i>i</i>, <i>r</i>) − <i>w</i><sub><i>i</i></sub> "
    "passes this test:",
    "<i>V</i><sub><i>n</i></sub> = <i>v</i><sub><i>n</i></sub>, &nbsp;<i>V</i><sub><i>i</i></sub> = "
    "<i>v</i><sub><i>i</i></sub> + "
    "min(α <i>V</i><sub><i>i</i>+1</sub>, <i>V</i><sub><i>i</i>+1</sub> / α), &nbsp;<i>V</i><sub>0</sub> ≥ 0",
)


def formulas(found: CountAnswer) -> str:
    """Return the formulas behind an answer and the numbers of its certificate."""
    design = found.design
    inner = design.n > 0 and design.privacy.exact_alpha not in (0, 1)
    parts = []
    if inner and found.deciding is None:
        parts += [
            _block(_tr("The geometric mechanism G"), _MECHANISM),
            _block(_tr("The remap, and the induced mechanism"), _REMAP),
        ]
    parts.append(_block(_tr("What is minimised, over all private tables <i>x</i>"), _PROGRAM))
    if inner:
        parts.append(_block(_tr("The prices w, and why they bound"), _DUAL))
    parts.append(f"<p><b>{_tr('The numbers')}</b></p>{_table(found)}")
    return "".join(parts)


def _block(title: str, lines: tuple[str, ...]) -> str:
    return f"<p><b>{title}</b></p>" + "".join(f'<p style="margin-left: 12px">{line}</p>' for line in lines)


def _table(found: CountAnswer) -> str:
    design, findings = found.design, found.findings
    keys = ("value", "bound", "gap", *(("basis",) if found.deciding is None else ("iterations",)))
    told: dict[str, Form] = {"value": "long", "bound": "long"}
    rows = [("α, n", f"{alpha_text(design.privacy)}, {design.n}")]
    rows += [(translated(findings[key].label), translated(shown(findings[key], told.get(key, "short")))) for key in keys]
    if design.n <= len(_SHOWN) - 1 and found.deciding is None:
        rows.append((_tr("prices w"), ", ".join(map(_price, found.solved.certificate.dual))))
    cells = "".join(f'<tr><td style="padding-right: 12px">{name}</td><td>{text}</td></tr>' for name, text in rows)
    return f"<table>{cells}</table>"


_SHOWN = range(9)  #: up to n = 8 all prices are listed


def _price(price: float | Fraction) -> str:
    if isinstance(price, Fraction) and len(str(price)) <= _LONGEST_FRACTION:
        return str(price)
    return f"{float(price):.6g}".replace("-", "−")


def _tr(text: str) -> str:
    return QCoreApplication.translate("CountPage", text)
