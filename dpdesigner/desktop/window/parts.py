"""The parts of one window that its commands work on."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesigner.desktop.compare.stage import Stage
from dpdesigner.desktop.demonstration.demonstration import Demonstration
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import Filing
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.document.recovery import Recovery
from dpdesigner.desktop.help.why_panel import WhyPanel
from dpdesigner.desktop.menus.menus import Menus
from dpdesigner.desktop.presenting.presenting import Presenting
from dpdesigner.desktop.presenting.scenes import Scenes
from dpdesigner.desktop.presenting.scenes_panel import ScenesPanel
from dpdesigner.desktop.window.banner import Banner
from dpdesigner.desktop.window.header import Header
from dpdesigner.desktop.window.history import HistoryPanel
from dpdesigner.desktop.window.layout_memory import LayoutMemory
from dpdesigner.desktop.work.worker import Worker


@dataclass(frozen=True, eq=False)
class Parts:
    """What the window is put together from, as far as commands use it."""

    document: Document
    worker: Worker
    filing: Filing
    recovery: Recovery
    menus: Menus
    header: Header
    host: PageHost
    stage: Stage
    scenes: Scenes
    scenes_panel: ScenesPanel
    presenting: Presenting
    demonstration: Demonstration
    why: WhyPanel
    history: HistoryPanel
    banner: Banner
    layout_memory: LayoutMemory
