"""The parts of the window, made and put in their places; its commands work on them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QWidget

from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.background.worker import Worker
from dpdesigner.desktop.compare.stage import Stage
from dpdesigner.desktop.demonstration.demonstration import Demonstration
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import Filing
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.document.questions import Questions
from dpdesigner.desktop.document.recovery import Recovery
from dpdesigner.desktop.help.why_panel import WhyPanel
from dpdesigner.desktop.menus.menus import Menus
from dpdesigner.desktop.menus.toolbar import ToolBar
from dpdesigner.desktop.presenting.caption import Caption
from dpdesigner.desktop.presenting.presenting import Presenting
from dpdesigner.desktop.presenting.scenes import Scenes
from dpdesigner.desktop.presenting.scenes_panel import ScenesPanel
from dpdesigner.desktop.widgets.base.layouts import column_of, row_of
from dpdesigner.desktop.window.banner import Banner
from dpdesigner.desktop.window.busy_banner import Solving
from dpdesigner.desktop.window.header import Header
from dpdesigner.desktop.window.history import HistoryPanel
from dpdesigner.desktop.window.layout_memory import LayoutMemory
from dpdesigner.desktop.window.rail import Rail
from dpdesigner.desktop.window.status import Status
from dpdesigner.studies import registry
from dpdesigner.studies.study import Study


class Parts(QMainWindow):
    """A window with its parts, which are not connected with each other yet.

    Parameters
    ----------
    studies : sequence of Study
        What to show first, at least one.
    """

    def __init__(self, studies: Sequence[Study]) -> None:
        super().__init__()
        self.document = Document(studies, self)
        self.worker = Worker(self, window=self)
        self.runner = Runner(self.worker, self)
        self.questions = Questions(self)
        self.filing = Filing(self.document, self.questions, self)
        self.recovery = Recovery(self.document, self.filing, self)
        self.recovery.picture(self)
        self.menus = menus = Menus(self)
        self.toolbar = ToolBar(menus, self)
        self.header = Header(menus.export, menus.designs, menus.compare)
        self.rail = Rail(registry.pages())
        self.host = PageHost(self.document, self.runner)
        self.stage = Stage(self.document, self.host, self.runner, self.worker)
        self.scenes = Scenes(self.document, self.host, self)
        self.scenes_panel = ScenesPanel((menus.add_scene, menus.update_scene, menus.remove_scene), self)
        self.caption = Caption()
        self.status = Status()
        self.history = HistoryPanel(self.document.undo_stack, self)
        self.layout_memory = LayoutMemory(self)
        self._lay_out()
        controls = (self.menuBar(), self.toolbar, self.rail, self.status, self.history, self.why, self.scenes_panel)
        self.presenting = Presenting(self, self.document, self.host, self.scenes, self.caption, controls)
        self.demonstration = Demonstration(self, self.worker)
        self.solving = Solving(self.runner, self.host, self.header, self)

    def _lay_out(self) -> None:
        central, below = QWidget(), row_of(self.rail, (self.stage, 1), gap=0)
        layout = column_of(self.header, self.caption, (below, 1), on=central, gap=0)
        self.setCentralWidget(central)
        self.setStatusBar(self.status)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.history)
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.scenes_panel)
        self.why = WhyPanel(self.host, self.stage, below)
        self.banner = Banner(central, self.status.toast)
        layout.addWidget(self.banner)
