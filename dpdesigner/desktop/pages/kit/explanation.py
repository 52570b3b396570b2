"""What a page explains: why its answer is what it is, and in a tour what there is to do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from dpdesigner import resources
from dpdesigner.core.numbers.rounding import figure, small
from dpdesigner.studies.findings import shown

if TYPE_CHECKING:
    from jinja2 import Template


@dataclass(frozen=True)
class Explanation:
    """Why the page's answer is what it is, for the "Why?" panel; every text is simple rich text.

    Parameters
    ----------
    title : str
        The question it answers: ``"Why is this the best?"``.
    plain : str
        In plain words, without a formula.
    formula : str
        The formulas behind it, shown one click away.
    sources : str
        The papers, and what was corrected in them.
    help : str
        The help page to read on.
    """

    title: str
    plain: str
    formula: str = ""
    sources: str = ""
    help: str = "start"


@dataclass(frozen=True)
class Stop:
    """One stop of the tour.

    Parameters
    ----------
    widget : QWidget
        The control that the bubble points to.
    title, text : str
        What to say about it.
    done : signal or None
        What the control emits once the user has done what the text says; the tour goes on then by itself.
    """

    widget: QWidget
    title: str
    text: str
    done: Any = None


def explained(name: str, help_page: str, **context: Any) -> Explanation:
    """Fill the template ``resources/why/NAME.html``, whose blocks are the texts of an explanation.

    Parameters
    ----------
    name : str
    help_page : str
        The help page to read on.
    **context
        What the template knows besides `shown`, `figure` and the filters `small` and `grouped`; texts are escaped.
    """
    template = _template(name)

    def block(which: str) -> str:
        return "".join(template.blocks[which](template.new_context(context))).strip() if which in template.blocks else ""

    return Explanation(block("title"), block("plain"), block("formula"), block("sources"), help_page)


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, StrictUndefined  # late: nobody has asked why yet

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.globals.update(shown=shown, figure=figure)
    environment.filters.update(small=small, grouped=lambda number: f"{number:,}".replace(",", " "))
    return environment.from_string(resources.path("why", f"{name}.html").read_text("utf-8"))
