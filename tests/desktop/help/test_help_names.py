"""What the help puts in quotation marks is there, under that name, on a page or in a menu."""

from __future__ import annotations

import re
from html import unescape

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.desktop.help.help_pages import help_pages
from dpdesigner.desktop.menus.menus import Menus, plain
from dpdesigner.desktop.output.pictures import discard
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Study

#: Sentences of people, papers and the window that are no controls.
QUOTED = {"all rows", "not given", "in some cases", "true 7 → says 9: 0.0813 (1 in 12)"}
STUDIES: list[Study] = [
    CountDesign(20, alpha="1/2"),
    NoiseDesign(),
    HistogramDesign(),
    ChoiceDesign(),
    dp.AttackDesign(n=20, queries=40),
    dp.PapersDesign(),
    dp.exhibit("notes/laplace-cdf"),
]


def texts(root: QObject) -> set[str]:
    found = [child for kind in (QAbstractButton, QLabel, QAction) for child in root.findChildren(kind)]
    return {plain(child.text()).removesuffix("▾").rstrip(" …") for child in found}


def test_every_control_in_quotation_marks_exists(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    Menus(window)
    shown = texts(window)
    for study in STUDIES:
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
    assert named - QUOTED - shown == set()
