"""What the help puts in quotation marks is there, under that name, on a page or in a menu."""

from __future__ import annotations

import re
from html import unescape

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.desktop.output.pictures import discard
from dpdesigner.desktop.window.help_window import help_pages
from dpdesigner.desktop.window.menus import Menus, plain_text
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.registry import ENTRIES, entry
from dpdesigner.studies.study import Study

#: Sentences of people, papers and the window that are no controls: what a help page quotes otherwise is a control that is there.
QUOTED = {"all rows", "An audit of published tables", "not given", "in some cases", "7 is released as 9: 0.0813 (1 in 12)"}
#: Designs whose pages have the most controls; every kind that is not among them is looked at as it starts.
STUDIES: list[Study] = [
    CountDesign(20, alpha="1/2"),
    NoiseDesign(epsilon=1),
    HistogramDesign.starting(),
    ChoiceDesign.starting(),
    dp.AttackDesign(n=20, queries=40),
    dp.IntervalDesign([1, 2, 3] * 40, low=0, high=8, bits=3, epsilon=1),
    dp.NetDesign([2, 1, 0, 1], 3, 1),
    dp.AuctionDesign(bids=[1, 2, 3], cap=4, epsilon=1),
    dp.PapersDesign(),
    dp.exhibit("notes/laplace-cdf"),
]


def texts(root: QObject) -> set[str]:
    found = [child for kind in (QAbstractButton, QLabel, QAction) for child in root.findChildren(kind)]
    return {plain_text(child.text()).removesuffix("▾").rstrip(" …") for child in found}


def test_every_control_in_quotation_marks_exists(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    Menus(window)
    shown = texts(window)
    others = [known for known in ENTRIES if known.kind not in {study.kind for study in STUDIES}]
    for study in (*STUDIES, *(known.page_class().starting_study(known.kind) for known in others)):
        page = entry(study.kind).page_class()()
        page.set_study(study)
        shown |= texts(page)
        discard(page)
    named = {
        " ".join(unescape(quoted).split()).rstrip("…")
        for page in help_pages(window.menuBar())
        if page.name != "corrections"
        for quoted in re.findall("“([^”]*)”", page.html)
    }
    assert len(named) >= 15
    assert named - QUOTED - shown == set(), "are quoted in the help (“…”) and no control: name one that is, or write <i>…</i>"
