"""The commands of the window: actions of the menus connected with document, files, scenes, code, dialogs and panels."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu

from dpdesigner.desktop.background.waiting import waited
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.window.dialogs import ErrorDialog
from dpdesigner.desktop.window.help_window import HelpCommands
from dpdesigner.desktop.window.layout import Parts, walk
from dpdesigner.desktop.window.menus import MenuLists
from dpdesigner.errors import Cancelled, DpDesignerError, InputError
from dpdesigner.files.formatting import PROGRAMS
from dpdesigner.studies import registry
from dpdesigner.studies.fields import KEPT_RELEASES
from dpdesigner.studies.registry import entry

if TYPE_CHECKING:
    from dpdesigner.desktop.output.report_dialog import ReportDialog
    from dpdesigner.desktop.pages.kit.page import Page


class CodeCommands(QObject):
    """The languages in the menu; none for a kind without programs."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        for language, words in PROGRAMS.items():
            action = parts.menus.code.addAction(translated(words.title))
            action.setToolTip(translated(words.holds))
            action.triggered.connect(partial(self.copy, language))
        around = parts.menus.code.parent()
        if isinstance(around, QMenu):
            around.aboutToShow.connect(self._show)

    def _show(self) -> None:
        possible = entry(self._parts.document.study.kind).export_class().programs
        self._parts.menus.code.menuAction().setVisible(possible)

    def copy(self, language: str) -> None:
        from dpdesigner.files.export import export_of

        study, page = self._parts.document.study, self._parts.host.page
        done = {} if page is None else dict(page.outcomes)
        try:
            text = waited(lambda: export_of(study, done=done).program(language), self.tr("Writing the program"))
        except Cancelled:
            return
        except DpDesignerError as error:
            self._parts.banner.say(str(error))
            return
        QGuiApplication.clipboard().setText(text)
        self._parts.banner.say(self.tr("Copied as a program: {language}.").format(language=translated(PROGRAMS[language].title)))


class SceneCommands(QObject):
    """The scene commands of one window."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        self._comparing = False
        self._document, self._scenes, self._panel, self._menus = parts.document, parts.scenes, parts.scenes_panel, parts.menus
        self._connect_panel()
        self._connect_menus()
        self._document.playChanged.connect(self._show_play)
        parts.presenting.changed.connect(self._show_play)
        parts.presenting.changed.connect(self._put_comparison_aside)
        parts.presenting.tried.connect(self._offer_tried)
        self._show_scenes()

    def _connect_panel(self) -> None:
        panel, scenes = self._panel, self._scenes
        panel.showAsked.connect(scenes.show)
        panel.captionEdited.connect(scenes.set_caption)
        panel.orderAsked.connect(scenes.arrange)
        panel.list.moveAsked.connect(scenes.move)
        panel.list.removeAsked.connect(scenes.remove)
        panel.shownChanged.connect(self._menus.scenes.setChecked)
        scenes.chosen.connect(self._show_scenes)
        self._document.scenesChanged.connect(self._show_scenes)
        self._document.loaded.connect(self._open_panel)

    def _connect_menus(self) -> None:
        menus = self._menus
        menus.scenes.toggled.connect(self._panel.setVisible)
        menus.add_scene.triggered.connect(self._add)
        menus.update_scene.triggered.connect(self._scenes.retake)
        menus.remove_scene.triggered.connect(self._scenes.remove)
        menus.play.triggered.connect(self._let_play)

    @Slot()
    def _add(self) -> None:
        again = self._document.current.key in {scene.design for scene in self._document.scenes}
        self._scenes.add()
        if again:
            self._parts.banner.say(
                self.tr("All scenes of a design show it as it is now. To keep another value, duplicate the design.")
            )
        self._panel.show()
        self._panel.title.setFocus()
        self._panel.title.selectAll()

    @Slot()
    def _open_panel(self) -> None:
        """Show the scenes that come with a document; a document without scenes gets no empty strip."""
        self._panel.setVisible(bool(self._document.scenes))

    @Slot()
    def _show_scenes(self) -> None:
        self._panel.set_scenes(self._document.scenes, self._scenes.index)
        for action in (self._menus.update_scene, self._menus.remove_scene):
            action.setEnabled(self._scenes.index >= 0)

    @Slot(bool)
    def _let_play(self, on: bool) -> None:
        if on:
            self._document.start_play()
        else:
            self._document.end_play()

    @Slot()
    def _show_play(self) -> None:
        locked = self._document.playing and not self._parts.presenting.on
        self._menus.play.setChecked(locked)
        self._parts.header.mark.setVisible(locked)

    @Slot(bool)
    def _put_comparison_aside(self, presenting: bool) -> None:
        """Hide an open comparison, because scenes show pages; it comes back afterwards."""
        if presenting:
            self._comparing = self._menus.compare.isChecked()
        self._menus.compare.setChecked(self._comparing and not presenting)

    @Slot(object)
    def _offer_tried(self, study: Any) -> None:
        text = self.tr("The document is restored to its state before presenting. You can keep the last changes as a new design.")
        self._parts.banner.ask(text, self.tr("Keep changes"), partial(self._document.add, study))


class Commands(QObject):
    """The commands of one window."""

    def __init__(self, window: Parts) -> None:
        super().__init__(window)
        self._window, self._document, self._menus = window, window.document, window.menus
        self._written: dict[object, set[Path]] = {}  # by the key of the design and its release
        self._lists = MenuLists(self._menus, self._document, self)
        self._connect_files()
        self._connect_edits()
        self._connect_views()
        SceneCommands(window, self)
        CodeCommands(window, self)
        self.help = HelpCommands(window, self)

    def _connect_files(self) -> None:
        filing, menus = self._window.filing, self._menus
        self._connect(
            (menus.new, filing.new),
            (menus.open, filing.open),
            (menus.save, filing.save),
            (menus.save_as, filing.save_as),
            (menus.export, self.export),
            (menus.report, self.report),
            (menus.share, self.share),
            (menus.verify, self._choose_table),
            (menus.print, self.print),
            (menus.quit, self._window.close),
            (menus.about, self._open_about),
        )
        self._lists.fileChosen.connect(filing.open_path)
        self._lists.exampleChosen.connect(filing.open_example)
        self._lists.kindChosen.connect(self.add_design)

    def _connect_edits(self) -> None:
        document, menus, stack = self._document, self._menus, self._document.undo_stack
        self._connect(
            (menus.undo, self._undo),
            (menus.redo, document.redo),
            (menus.copy, self._copy),
            (menus.copy_picture, self._copy_picture),
            (menus.preferences, self._open_preferences),
            (menus.duplicate, document.duplicate),
            (menus.rename, self._window.header.edit_name),
            (menus.remove, document.remove),
            (menus.same_people, self.open_same_people),
            (menus.next_design, partial(self._step_design, 1)),
            (menus.previous_design, partial(self._step_design, -1)),
        )
        stack.canUndoChanged.connect(menus.undo.setEnabled)
        stack.canRedoChanged.connect(menus.redo.setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        document.playChanged.connect(self._show_undo)
        self._window.host.summaryChanged.connect(self._show_undo)
        document.studiesChanged.connect(self._show_designs)
        document.currentChanged.connect(self._show_pin)
        document.referenceChanged.connect(self._show_pin)
        menus.pin.triggered.connect(self._pin)
        menus.undo.setEnabled(False)
        menus.redo.setEnabled(False)

    def _connect_views(self) -> None:
        menus, presenting = self._menus, self._window.presenting
        self._connect(
            (menus.palette, self.open_palette),
            (menus.next_pane, partial(walk, self._window.header, self._window.stage, 1)),
            (menus.previous_pane, partial(walk, self._window.header, self._window.stage, -1)),
            (menus.larger, partial(preferences().step_text_scale, 1)),
            (menus.smaller, partial(preferences().step_text_scale, -1)),
            (menus.normal, partial(preferences().step_text_scale, 0)),
            (menus.reset_layout, self._reset_layout),
            (menus.present, presenting.start),
            (menus.present_here, presenting.start_here),
            (menus.stop_presenting, presenting.stop),
        )
        menus.compare.toggled.connect(self._window.stage.set_open)
        self._window.stage.opened.connect(menus.compare.setChecked)
        menus.history.toggled.connect(self._window.history.setVisible)
        menus.full_screen.toggled.connect(self._fill_screen)
        menus.schemes.triggered.connect(self._choose_scheme)
        presenting.changed.connect(self._show_presenting)
        menus.exact.triggered.connect(lambda on: preferences().choose(exact=on))
        preferences().changed.connect(self._show_scheme)
        self._show_scheme()

    def _connect(self, *pairs: tuple[QAction, Callable[[], object]]) -> None:
        for action, slot in pairs:
            action.triggered.connect(slot)

    # Designs -----------------------------------------------------------------------------------------------------------

    @Slot(str)
    def go_to_page(self, kind: str) -> None:
        """Show the first design of a page; if there is none, show its example, which is not part of the document yet."""
        shown = registry.page_of(kind).kinds
        places = [place for place, design in enumerate(self._document.designs) if design.study.kind in shown]
        if not places:
            self._document.visit(registry.entry(kind).page_class().starting_study(kind))
        elif self._document.study.kind not in shown:
            self._document.select(places[0])

    @Slot(str)
    def add_design(self, kind: str) -> None:
        """Add a design of a kind."""
        self._document.add(registry.entry(kind).page_class().starting_study(kind))

    def _step_design(self, step: int) -> None:
        self._document.select((self._document.index + step) % len(self._document.designs))

    @Slot(bool)
    def _pin(self, on: bool) -> None:
        self._document.pin(self._document.current.key if on else None)

    @Slot()
    def unpin(self) -> None:
        """Stop comparing."""
        self._document.pin(None)

    @Slot()
    def _show_pin(self) -> None:
        self._menus.pin.setChecked(self._document.reference is not None)

    @Slot()
    def _copy(self) -> None:
        page = self._window.host.page
        if page is not None and page.copy():
            self._window.banner.say(self.tr("Copied."))

    @Slot()
    def _copy_picture(self) -> None:
        from dpdesigner.desktop.output.pictures import copy_picture

        page = self._window.host.page
        figure = next(iter(page.figures()), None) if page is not None else None
        if figure is not None:
            copy_picture(figure.widget)
            self._window.banner.say(self.tr("Copied as a picture: {title}.").format(title=figure.title))

    # Dialogs -----------------------------------------------------------------------------------------------------------

    @Slot()
    def export(self) -> None:
        """Open the export dialog of the shown page."""
        self.export_as(())

    @Slot(object, object)
    def export_as(self, formats: Collection[str], earlier: Any = None) -> None:
        """Open the export dialog for the design shown, or for an earlier one; without formats, the last selection stays."""
        from dpdesigner.desktop.output.export_dialog import ExportDialog

        if self._window.host.page is not None:
            study = earlier or self._document.study
            name = entry(study.kind).export_class().proposed_name(study)
            only = next(iter(formats)) if len(formats) == 1 else ""
            dialog = ExportDialog(self._window.worker, self._window.host.page, study, name, self._window, only)
            dialog.own = self._own_files(study)
            dialog.reportWanted.connect(self.report)
            dialog.report.setHidden(bool(dialog.only) or earlier is not None)  # a report is of the design shown
            for key, box in dialog.formats.items() if formats else ():
                box.setChecked(key in formats)
            self._open(dialog)

    @Slot()
    def report(self) -> ReportDialog:
        """Open the report dialog."""
        from dpdesigner.desktop.output.report_dialog import ReportDialog

        designs, index = self._document.designs, self._document.index
        titles = [*(design.title for design in designs), self._document.title]
        project = self._document.visible.settled.project  # includes a design that is only viewed
        dialog = ReportDialog(self._window.worker, titles, project, index, self._window, self._window.host.page)
        dialog.reported, dialog.kept = self._window.host.reported, self._window.host.keep
        dialog.own = self._own_files(self._document.study)
        self._open(dialog)
        return dialog

    def _own_files(self, study: Any) -> set[Path]:
        """The files that this release of the current design has written since the program was started."""
        return self._written.setdefault((self._document.current.key, KEPT_RELEASES.drawn(study)), set())

    @Slot()
    def share(self) -> None:
        """Open the report dialog with only the interactive page selected, for all designs if there are scenes."""
        from dpdesigner.desktop.output.report_dialog import PAGE

        dialog = self.report()
        for ending, box in dialog.formats.items():
            box.setChecked(ending == PAGE)
        dialog.all_designs.setChecked(bool(self._document.scenes))

    @Slot()
    def open_same_people(self) -> None:
        """Open the dialog for the designs that concern the same people."""
        from dpdesigner.desktop.window.dialogs import SamePeopleDialog

        self._open(SamePeopleDialog(self._document, self._window))

    @Slot()
    def print(self) -> None:
        """Make a report of the shown design and ask for a printer."""
        self.report().print_report()

    @Slot()
    def _choose_table(self) -> None:
        from dpdesigner.desktop.background.tables import chosen_table

        if path := chosen_table(self.tr("Verify a table"), self._window, self._window.filing.folder()):
            self.verify(Path(path))

    def verify(self, path: Path) -> None:
        """Open a mechanism table on the Inspect page; if a count design is shown, check against its privacy."""
        study, table = self._document.study, f"file: {path}"
        try:
            inspected = registry.entry("inspect").study_class()
            if isinstance(study, inspected):
                changed = study.replace(table=table, headings="detect", mend="no", n=None)
                self._document.change(changed, self.tr("Change the table"))
            else:
                given = study.to_json()
                options = {"epsilon": given["epsilon"], "delta": 0} if {"prior", "epsilon"} <= given.keys() else {}
                self._document.add(inspected(table, name=path.stem[:100], **options))
        except InputError as error:
            self._window.banner.say(str(error))

    @Slot()
    def open_palette(self) -> None:
        """Open the command palette."""
        from dpdesigner.desktop.window.palette import CommandPalette

        CommandPalette(self._menus.commands(), self._window)

    def show_error(self, details: str) -> None:
        """Report a defect quietly, once the document is safe."""
        self._window.recovery.flush()
        text = self.tr("Something went wrong inside dpdesigner. Your design is safe.")
        self._window.banner.ask(text, self.tr("Details…"), partial(self._open_error, details))

    def _open_error(self, details: str) -> None:
        self._open(ErrorDialog(details, self._window))

    @Slot()
    def _open_preferences(self) -> None:
        from dpdesigner.desktop.window.dialogs import PreferencesDialog

        self._open(PreferencesDialog(self._window))

    @Slot()
    def _open_about(self) -> None:
        from dpdesigner.desktop.window.dialogs import AboutDialog

        self._open(AboutDialog(self._window))

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # Looks -------------------------------------------------------------------------------------------------------------

    @Slot(QAction)
    def _choose_scheme(self, action: QAction) -> None:
        preferences().choose(scheme=action.data())

    @Slot(bool)
    def _fill_screen(self, on: bool) -> None:
        state = self._window.windowState()
        full = Qt.WindowState.WindowFullScreen
        self._window.setWindowState(state | full if on else state & ~full)

    @Slot()
    def _reset_layout(self) -> None:
        self._menus.full_screen.setChecked(False)
        self._menus.toolbar.setChecked(True)
        self._menus.history.setChecked(False)
        self._menus.scenes.setChecked(False)
        self._menus.why.setChecked(False)
        self._window.layout_memory.reset()

    @Slot()
    def _show_scheme(self) -> None:
        self._menus.exact.setChecked(preferences().choices.exact)
        for action in self._menus.schemes.actions():
            action.setChecked(action.data() == preferences().choices.scheme)

    @Slot(str)
    def _name_undo(self, step: str) -> None:
        self._menus.undo.setText(self.tr("&Undo {step}").format(step=step).strip())

    @Slot(str)
    def _name_redo(self, step: str) -> None:
        self._menus.redo.setText(self.tr("&Redo {step}").format(step=step).strip())

    @property
    def _page_to_undo(self) -> Page | None:
        """The page, if Undo first takes back what is no step, like a refused input; otherwise None."""
        page, document = self._window.host.page, self._document
        return page if page is not None and page.taken_back and not (document.previewing or document.playing) else None

    @Slot()
    def _undo(self) -> None:
        if (page := self._page_to_undo) is not None:
            page.take_back()
        else:
            self._document.undo()

    @Slot()
    def _show_undo(self) -> None:
        """Let undo take back first what the page says; while others play, let it restore everything, and disable the history."""
        document, stack = self._document, self._document.undo_stack
        able, step = stack.canUndo(), stack.undoText()
        if document.playing:
            able, step = document.played, self.tr("visitors’ changes")
        elif (page := self._page_to_undo) is not None:
            able, step = True, page.taken_back
        self._menus.undo.setEnabled(able)
        self._name_undo(step)
        self._menus.redo.setEnabled(not document.playing and stack.canRedo())
        self._window.history.setEnabled(not document.playing)

    @Slot()
    def _show_designs(self) -> None:
        several = len(self._document.designs) > 1
        for action in (self._menus.remove, self._menus.next_design, self._menus.previous_design):
            action.setEnabled(several)

    @Slot(bool)
    def _show_presenting(self, on: bool) -> None:
        for action in (self._menus.present, self._menus.present_here, self._menus.play):
            action.setEnabled(not on)
        self._menus.stop_presenting.setEnabled(on)
