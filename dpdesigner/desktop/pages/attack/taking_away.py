"""What is taken away from the attack page: pictures that tell nobody's value, and what is compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpdesigner.desktop.pages.attack.crowds import Crowds
from dpdesigner.desktop.pages.attack.plots import Plots
from dpdesigner.desktop.pages.kit.declared import portrait as declared_portrait
from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.theme.translation import tr, translated
from dpdesigner.desktop.widgets.people.grid import columns_for
from dpdesigner.errors import InputError
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.data import secret_of
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.panels import Plot


def figures(answer: AttackAnswer, crowds: Crowds, plots: Plots) -> list[Figure]:
    """Return the curves, and the people where the design tells everybody's value: right or wrong tells it, too."""
    pictures = []
    if answer.design.tell == "values":
        titles = tr("People recovered"), tr("People recovered from private answers")
        if answer.design.answers:
            titles = tr("People for whom the attacker is certain"), tr("People whose value is certain")
        pictures = [Figure("people", titles[0], crowds.left.grid), Figure("people-private", titles[1], crowds.right.grid)]
    if not answer.design.answers:
        shown = {card.plot.plot.key: card.plot.plot for card in (plots.left, plots.right)}
        pictures += [Figure(plot.key, translated(plot.title), plot) for plot in shown.values() if plot.public().lines]
    return pictures


def portrait(design: AttackDesign, answer: AttackAnswer | None) -> Portrait:
    """Return what a design comes to, as its findings say."""
    asked = declared_portrait(design, None)
    if answer is None:
        return asked
    charts = tuple(panel for panel in answer.panels_in({}) if isinstance(panel, Plot))
    return replace(asked, results=answer.findings, charts=charts)


def sketched(design: AttackDesign) -> Portrait:
    """Return the inputs and a map of the secret, where it can be read."""
    try:
        bits = secret_of(design)[0]
    except InputError:
        return portrait(design, None)
    columns = columns_for(len(bits))
    padded = np.pad(bits.astype(np.float64), (0, -len(bits) % columns))
    return Portrait({}, matrix=padded.reshape(-1, columns))
