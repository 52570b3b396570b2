"""The dialog that writes a report to files or prints it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QWidget

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.background.waiting import Work
from dpdesigner.desktop.base.layouts import styled
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.output.export_dialog import FilesDialog
from dpdesigner.desktop.output.pictures import shared
from dpdesigner.desktop.output.reports import Illustrated, illustrated, print_report
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import check_writable, write_atomically
from dpdesigner.files.export import Export, export_of
from dpdesigner.files.formatting import Format, file_name
from dpdesigner.files.project import Project, Scene
from dpdesigner.files.report import spent_together
from dpdesigner.files.share import CAUTION, SharedPage, may_move
from dpdesigner.studies.fields import KEPT_RELEASES, draws_release
from dpdesigner.studies.registry import entry
from dpdesigner.studies.snapshot import Found
from dpdesigner.studies.study import Progress, Study

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter


def print_illustrated(report: Illustrated, parent: QWidget) -> str:
    """Ask for a printer and print; return a sentence that reports what was done.

    Raises
    ------
    InputError
        If there is no printer, it does not take the report, the file cannot be written, or this Qt cannot print.
    """
    try:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
    except ImportError as error:
        raise InputError(tr("This version of Qt cannot print. Write the report as a PDF instead."), "qt") from error
    if not QPrinterInfo.availablePrinterNames():
        raise InputError(tr("No printer is set up. Write the report as a PDF instead."), "file")
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(report.title)
    dialog = QPrintDialog(printer, parent)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    if not accepted:
        return tr("Not printed.")
    if path := printer.outputFileName():
        return _print_to_file(report, printer, path)
    print_report(report.finished(), report.recorded, printer)
    if printer.printerState() in (QPrinter.PrinterState.Aborted, QPrinter.PrinterState.Error):
        raise InputError(tr("The printer {name} did not accept the report.").format(name=printer.printerName()), "file")
    return tr("Sent to the printer {name}.").format(name=printer.printerName())


def _print_to_file(report: Illustrated, printer: QPrinter, path: str) -> str:
    """Print to a temporary file first, so that an existing file is replaced completely or not at all."""
    with TemporaryDirectory() as folder:
        printed = Path(folder) / "report.pdf"
        printer.setOutputFileName(str(printed))
        print_report(report.finished(), report.recorded, printer)
        write_atomically(path, printed.read_bytes())
    return tr("Written to {path}.").format(path=path)


#: The ending of an interactive page's file name.
PAGE = "-interactive.html"
_STILL = "-short.html"  # of one in which nothing moves


class ReportDialog(FilesDialog):
    """Choose the designs, the folder and the formats; the report is made in the background.

    Parameters
    ----------
    worker : Worker
    titles : sequence of str
        What the designs are called, and last the document.
    project : Project
        What the document holds.
    current : int
        The one that is shown.
    page : Page, optional
        Shows it; knows what was computed, drawn and selected.
    """

    remembered, usual = "report/formats", ".html,.pdf"

    def __init__(
        self,
        worker: Worker,
        titles: Sequence[str],
        project: Project,
        current: int,
        parent: QWidget | None = None,
        page: Page | None = None,
    ) -> None:
        super().__init__(worker, _proposed(titles[current]), parent)
        studies = project.studies
        self._titles, self._project, self._studies, self._current = titles, project, studies, current
        self.setWindowTitle(self.tr("Report"))
        self._shown = page
        self.reported: Callable[[Study], Mapping[str, Any]] = lambda study: {}  #: outcomes of pages that reports take over
        self.kept: Callable[..., None] = lambda made, studies: None  #: is given the releases and designs of a written report
        self._taken: Sequence[object] = ()
        self._paths: list[Path] = []
        self._left_out: Sequence[str] = ()
        self._page: Path | None = None
        self._scenes = project.scenes
        self.all_designs = QCheckBox(self.tr("All {count} designs of the document").format(count=len(studies)))
        self.all_designs.setVisible(len(studies) > 1)
        self.all_designs.toggled.connect(self._propose)
        formats = {
            ".html": self.tr("HTML, a single page with all contents"),
            ".pdf": self.tr("PDF"),
            PAGE: self.tr("Interactive page"),
        }
        self.offer(self.tr("Formats"), {ending: Format(words, "") for ending, words in formats.items()})
        self.contents = styled("small", wrapped=True)
        self.offer_bare(self.tr("These files hold your exact counts: do not publish them."), (PAGE,))
        self.bare.toggled.connect(self._show_contents)
        self.formats[PAGE].toggled.connect(self._show_contents)
        self.all_designs.toggled.connect(self._show_contents)
        self.said.setTextFormat(Qt.TextFormat.RichText)
        self.said.setOpenExternalLinks(True)
        self.printed = self.buttons.addButton(self.tr("Print…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.printed.clicked.connect(self.print_report)
        self.buttons.accepted.connect(self.write_report)
        self.steps.finished.connect(self._take)
        self._about = self.tr("Answer, figures, tables, proof, inputs and versions.")
        self.about = styled("muted", self._about, wrapped=True)
        self.lay_out(
            self.tr("Write the report"), self.about, self.target, self.all_designs, self.bare, self.contents, self.caution
        )
        self._show_contents()

    @Slot(bool)
    def _propose(self, every: bool) -> None:
        """Name the file after its contents, unless the user has named it."""
        one, all_of_them = _proposed(self._titles[self._current]), _proposed(self._titles[-1])
        old, new = (one, all_of_them) if every else (all_of_them, one)
        if self.name.text() == old:
            self.name.setText(new)

    @Slot()
    def write_report(self) -> None:
        """Make the report and write it to the files chosen."""
        if (wanted := self.selection()) is None:
            return
        paths = [wanted.folder / f"{wanted.name}{ending}" for ending in wanted.formats if ending != PAGE]
        ending = PAGE if self._moves() else _STILL
        self._page = wanted.folder / f"{wanted.name}{ending}" if PAGE in wanted.formats else None
        try:
            for path in (*paths, *([self._page] if self._page is not None else [])):
                check_writable(path)
        except InputError as error:
            self.tell_failure(error)
        else:
            if self.may_write(wanted, [*paths, *([self._page] if self._page is not None else [])]):
                self._make(paths)

    @Slot()
    def print_report(self) -> None:
        """Make the report and hand it to the system's print dialog."""
        self._page = None
        self._make([])

    def _make(self, paths: list[Path]) -> None:
        """Make the report and write it to files, or print it if there are none."""
        self._paths = paths
        title = self._titles[-1 if self.all_designs.isChecked() else self._current]
        self.run(self._work(title, self._chosen()))

    def _chosen(self) -> Sequence[Study]:
        return self._studies if self.all_designs.isChecked() else [self._studies[self._current]]

    def _moves(self) -> bool:
        return may_move(self._chosen(), self._scenes_of_page())

    def _scenes_of_page(self) -> list[Scene]:
        """Return the scenes of the selected designs; they refer to these designs by index."""
        if self.all_designs.isChecked():
            return list(self._scenes)
        return [replace(scene, design=0) for scene in self._scenes if scene.design == self._current]

    @Slot()
    def _show_contents(self) -> None:
        """Describe the contents of an interactive page before it is shared."""
        designs, scenes = self._chosen(), len(self._scenes_of_page())
        moves, box = self._moves(), self.formats[PAGE]
        shown = {entry(study.kind).export_class().shows_values(study) for study in designs} - {None}
        words = self.tr("The report shows everybody’s value.") if True in shown else self.tr("The report shows nobody’s value.")
        self.about.setText(" ".join([self._about, *([words] if shown else [])]))
        box.setText(self.tr("Interactive page") if moves else self.tr("Short HTML page"))
        words = self.tr("One HTML file with interactive counts, noise and small attacks")
        box.setToolTip(words if moves else self.tr("One HTML file with the answer and its pictures; nothing in it moves"))
        holds = self.tr("The page contains designs: {designs}; scenes: {scenes}.").format(designs=len(designs), scenes=scenes)
        counted = self.show_bare(self._chosen())
        safe = self.tr("It contains no file names.") if counted else self.tr("It contains no personal data and no file names.")
        self.contents.setText(" ".join([holds, safe, *([tr(CAUTION)] if scenes else [])]))
        self.contents.setVisible(box.isChecked() and box.isEnabled())
        self.adjustSize()

    def _work(self, title: str, studies: Sequence[Study]) -> Work:
        done, views = {place: self.reported(study) for place, study in enumerate(studies)}, {}
        self._taken = [each.value for outcomes in done.values() for each in outcomes.values() if isinstance(each, Found)]
        if (shown := self._shown) is not None and (design := shown.design) is not None and design in studies:
            views = {studies.index(design): shown.view_state()}
        designs = yield partial(_solved, studies, done, views, self.bare.isChecked())
        made = Illustrated(title)
        if self._paths or self._page is None:
            made = yield from illustrated(
                title, designs, self.page_of, self._tell_drawing, spent_together(self._project, studies), views
            )
        if self._paths:  # laying out a PDF would freeze the window for a second
            yield partial(made.write, self._paths)
        if self._page is not None:
            page: SharedPage = yield from shared(designs, self._scenes_of_page(), self.page_of, self._tell_drawing)
            self._left_out = page.left_out
            yield partial(_written, self._page, page.html)
        return made

    @Slot(object)
    def _take(self, report: Illustrated) -> None:
        self.set_busy(False)
        paths = [*self._paths, *([self._page] if self._page is not None else [])]
        self.own.update(paths)
        if self._paths:
            self.kept(self._taken, self._chosen())
        if paths:
            links = [f'<a href="{QUrl.fromLocalFile(str(path)).toString()}">{escape(path.name)}</a>' for path in paths]
            words = self.tr("Written to {folder}: {files}")
            folder = paths[0].parent
            details = "\n".join(self._left_out)
            self.report_written(words.format(folder=escape(str(folder)), files=", ".join(links)), folder, details)
            return
        try:
            self.tell(escape(print_illustrated(report, self)))
        except InputError as error:
            self.tell_failure(error)

    def _tell_drawing(self, fraction: float | None, text: str = "") -> None:
        self.tell_progress(fraction, self.tr("drawing {title}").format(title=text))

    def set_busy(self, on: bool) -> None:
        """Disable printing while work is in progress."""
        super().set_busy(on)
        self.printed.setEnabled(not on)


def _proposed(title: str) -> str:
    """The proposed file name of a report with this title."""
    return file_name(f"{title} report")


def _written(path: Path, text: str, progress: Progress) -> None:
    progress(None, path.name)
    write_atomically(path, text)


def _solved(
    studies: Sequence[Study],
    done: Mapping[int, Mapping[str, Any]],
    views: Mapping[int, Mapping[str, Any]],
    bare: bool,
    progress: Progress,
) -> list[Export]:
    known = [{**done.get(at, {}), **_released(study, views.get(at, {}), progress)} for at, study in enumerate(studies)]
    solved = [export_of(study, done=own, exact=None, progress=progress) for study, own in zip(studies, known, strict=True)]
    for each in solved:
        each.bare = bare and each.counts_data(each.study)
    return solved


def _released(study: Study, view: Mapping[str, Any], progress: Progress) -> Mapping[str, Any]:
    """Return the answer with the release that the window shows, where a kind draws one, so that the data are released once."""
    if not draws_release(study):
        return {}
    KEPT_RELEASES.keep(answer := KEPT_RELEASES.run(study, progress))
    return {"solve": answer.selected(view)}
