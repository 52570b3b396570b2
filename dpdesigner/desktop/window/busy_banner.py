"""What is said beside the result while something takes long, with the one button that stops it, and one that goes on."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.window.header import Header


class Solving(QObject):
    """Says so in the header where what is under way decides the result; else there is the button alone."""

    def __init__(self, runner: Runner, host: PageHost, header: Header, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._host, self._header = runner, host, header
        self._stopped = False
        runner.working.connect(self._say)
        runner.idle.connect(self._rest)
        runner.answered.connect(self._answer)
        host.pageChanged.connect(self._go_on)
        header.result.busyClicked.connect(self._click)

    @Slot()
    def stop(self) -> None:
        """Stop all that is computed for the design shown."""
        decides = self._decides()
        self._runner.cancel()
        if decides and (page := self._host.page) is not None:
            self._stopped = True
            stale = page.current_summary.state == "stale"
            words = self.tr("Stopped. The page still shows the previous result.") if stale else self.tr("Stopped.")
            if stale:
                self._header.set_proof(self.tr("stopped"))
            self._header.set_busy(words, self.tr("Continue"))

    def _decides(self) -> bool:
        """Whether what takes long may change the answer: nothing changes what is proved to be the best."""
        page = self._host.page
        if page is None or not set(self._runner.long) & set(page.answering):
            return False
        return "solve" in self._runner.long or page.current_summary.state != "proved"

    @Slot(str, object)
    def _say(self, text: str, fraction: float | None) -> None:
        if self._decides():
            self._stopped = False
            words = self.tr("Solving …") if fraction is None else self.tr("Solving, {percent}% …")
            self._header.set_busy(words.format(percent=round(100 * (fraction or 0))), self.tr("Stop"))
        elif not self._stopped:
            self._header.set_busy("", self.tr("Stop"))  # the status bar says what it is

    @Slot()
    def _rest(self) -> None:
        if not self._stopped:
            self._header.set_busy("", "")

    @Slot(str, object)
    def _answer(self, name: str, outcome: object) -> None:
        if name == "solve" or (self._stopped and self._host.page is not None and name in self._host.page.answering):
            self._go_on()

    @Slot()
    def _go_on(self) -> None:
        self._stopped = False
        self._rest()

    @Slot()
    def _click(self) -> None:
        if not self._stopped:
            self.stop()
            return
        self._go_on()
        if self._host.page is not None:
            self._header.set_proof(self._host.page.current_summary.badge)
        self._host.start()
