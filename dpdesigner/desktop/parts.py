"""The parts of one window that its commands work on."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesigner.desktop.banner import Banner
from dpdesigner.desktop.compare.stage import Stage
from dpdesigner.desktop.document import Document
from dpdesigner.desktop.filing import Filing
from dpdesigner.desktop.header import Header
from dpdesigner.desktop.history import HistoryPanel
from dpdesigner.desktop.layout_memory import LayoutMemory
from dpdesigner.desktop.menus import Menus
from dpdesigner.desktop.page_host import PageHost
from dpdesigner.desktop.presenting import Presenting
from dpdesigner.desktop.recovery import Recovery
from dpdesigner.desktop.scenes import Scenes
from dpdesigner.desktop.scenes_panel import ScenesPanel
from dpdesigner.desktop.why_panel import WhyPanel
from dpdesigner.desktop.worker import Worker


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
    why: WhyPanel
    history: HistoryPanel
    banner: Banner
    layout_memory: LayoutMemory
