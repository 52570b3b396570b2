"""Edit > Copy as program."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import Project
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign


def test_the_shown_mechanism_is_copied_as_a_program(qtbot, monkeypatch):
    window = MainWindow([CountDesign(5, alpha="1/2"), NoiseDesign(epsilon=1), HistogramDesign.starting()])
    qtbot.addWidget(window)
    window.show()
    code = window.menus.code
    code.parent().aboutToShow.emit()
    assert [action.text() for action in code.actions()] == ["Python", "OpenDP", "R"]
    code.actions()[0].trigger()
    names: dict = {"__name__": "program"}
    exec(QGuiApplication.clipboard().text(), names)
    assert names["release"](3) in range(6)
    window.document.select(1)
    said: list[str] = []
    monkeypatch.setattr(window.banner, "say", said.append)
    code.actions()[1].trigger()
    assert "real noise is for simulation" in said[-1]
    window.document.select(2)
    code.parent().aboutToShow.emit()
    assert code.menuAction().isVisible()  # histograms have programs too
    window.document.load(Project((CountDesign(5, alpha="1/2"),)))
    window.close()
