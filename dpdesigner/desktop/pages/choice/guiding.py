"""The stops of the tour over the choice page."""

from __future__ import annotations

from dpdesigner.desktop.pages.choice.inputs_column import InputsColumn
from dpdesigner.desktop.pages.choice.pictures_card import PicturesCard
from dpdesigner.desktop.pages.choice.results_column import ResultsColumn
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.theme.translation import tr


def stops(inputs: InputsColumn, pictures: PicturesCard, results: ResultsColumn) -> tuple[Stop, ...]:
    """Return the stops: bars, neighbours, privacy, rules, papers."""
    bars = tr("Drag a bar of the first row. The chances below follow, and so does what one person can do to them.")
    moves = tr("Joining moves all counts the same way; changing an answer does not. Choose the other and see the chances change.")
    privacy = tr("Move the slider. The lowest row never leaves its band.")
    rules = tr("Every rule here is scaled to the same guaranteed ε. Click one to draw it; the old one stays as thin marks.")
    papers = tr("A ring is what a paper calls its constant, a disc what it has. Red: less privacy than it says.")
    return (
        Stop(pictures.strips, tr("What people said, and what is announced"), bars, inputs.changed),
        Stop(inputs.moves, tr("What one person may change"), moves, inputs.changed),
        Stop(inputs.privacy, tr("How private"), privacy, inputs.changed),
        Stop(results.bars, tr("How often it gets it right"), rules, results.ruleChosen),
        Stop(results.papers, tr("One rule, three papers"), papers),
    )
