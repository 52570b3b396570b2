"""The menus of the window, the lists in them that change, and the toolbar with the most-used commands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QColor, QGuiApplication, QIcon, QIconEngine, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QToolBar, QWidget

from dpdesigner.desktop.base.preferences import SCHEMES, preferences, settings
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import forget_recent, recent_files
from dpdesigner.desktop.presenting.presenting import OTHER, SAME
from dpdesigner.desktop.window.rail import draw_icon
from dpdesigner.files.project import examples
from dpdesigner.studies import registry

Keys = QKeySequence.StandardKey


class Menus(QObject):
    """Makes the actions; the window connects them."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._menus: list[QMenu] = []
        self._page_actions: list[QAction] = []
        self._make_file()
        self._make_edit()
        self._make_view()
        self._make_design()
        self._make_present()
        self._make_help()

    def _make_file(self) -> None:
        menu = self._menu(self.tr("&File"))
        self.new = self._action(menu, self.tr("&New"), Keys.New)
        self.open = self._action(menu, self.tr("&Open…"), Keys.Open)
        self.recent = self._submenu(menu, self.tr("Open &recent"))
        self.examples = self._submenu(menu, self.tr("E&xamples"))
        self.gallery = self._action(menu, self.tr("Start pa&ge…"))
        menu.addSeparator()
        self.save = self._action(menu, self.tr("&Save"), Keys.Save)
        self.save_as = self._action(menu, self.tr("Save &as…"), QKeySequence("Ctrl+Shift+S"))
        menu.addSeparator()
        self.export = self._action(menu, self.tr("&Export…"), QKeySequence("Ctrl+E"))
        self.export.setToolTip(self.tr("Write tables, figures and the proof to files (Ctrl+E)"))
        self.report = self._action(menu, self.tr("Repor&t…"), QKeySequence("Ctrl+Shift+R"))
        self.share = self._action(menu, self.tr("&Web page…"))
        self.share.setToolTip(
            self.tr("Write one HTML file that opens in any browser; counts, noise and small attacks can be moved in it")
        )
        self.verify = self._action(menu, self.tr("&Verify a table…"))
        self.verify.setToolTip(self.tr("Check whether a table in a CSV file is a mechanism, and how private it is"))
        self.print = self._action(menu, self.tr("&Print…"), Keys.Print)
        menu.addSeparator()
        self.quit = self._action(menu, self.tr("&Quit"), QKeySequence("Ctrl+Q"))
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)

    def _make_edit(self) -> None:
        menu = self._menu(self.tr("&Edit"))
        self.undo = self._action(menu, self.tr("&Undo"), Keys.Undo)
        self.redo = self._action(menu, self.tr("&Redo"), QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y"))
        menu.addSeparator()
        self.copy = self._action(menu, self.tr("&Copy"), Keys.Copy)
        self.copy_picture = self._action(menu, self.tr("Copy p&icture"))
        self.code = self._submenu(menu, self.tr("Copy as pro&gram"))
        menu.addSeparator()
        self.preferences = self._action(menu, self.tr("&Preferences…"), QKeySequence("Ctrl+,"))
        self.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)

    def _make_view(self) -> None:
        menu = self._menu(self.tr("&View"))
        self.palette = self._action(menu, self.tr("&Command palette…"), QKeySequence("Ctrl+Shift+P"))
        self.why = self._action(menu, self.tr("&Why?"), QKeySequence("F1"), checkable=True)
        self.history = self._action(menu, self.tr("&History"), QKeySequence("Ctrl+H"), checkable=True)
        self.scenes = self._action(menu, self.tr("Sc&enes"), QKeySequence("Ctrl+Shift+E"), checkable=True)
        self.toolbar = self._action(menu, self.tr("Tool&bar"), checkable=True)
        menu.addSeparator()
        self.schemes = QActionGroup(self)
        for scheme, text in zip(SCHEMES, (self.tr("Colours of the s&ystem"), self.tr("&Light"), self.tr("&Dark")), strict=True):
            action = self._action(menu, text, checkable=True)
            action.setData(scheme)
            self.schemes.addAction(action)
        menu.addSeparator()
        self.exact = self._action(menu, self.tr("Exact deta&ils"))
        self.exact.setCheckable(True)
        self.exact.setToolTip(self.tr("Show the linear program, all digits, and how results were checked"))
        self.larger = self._action(menu, self.tr("L&arger text"), QKeySequence("Ctrl++"), QKeySequence("Ctrl+="))
        self.smaller = self._action(menu, self.tr("&Smaller text"), QKeySequence("Ctrl+-"))
        self.normal = self._action(menu, self.tr("&Normal text"), QKeySequence("Ctrl+0"))
        menu.addSeparator()
        self.next_pane = self._action(menu, self.tr("Ne&xt pane"), QKeySequence("F6"))
        self.previous_pane = self._action(menu, self.tr("Pre&vious pane"), QKeySequence("Shift+F6"))
        self.full_screen = self._action(menu, self.tr("&Full screen"), QKeySequence("F11"), checkable=True)
        self.reset_layout = self._action(menu, self.tr("&Reset layout"))

    def _make_design(self) -> None:
        self.design_menu = menu = self._menu(self.tr("&Design"))
        self.designs = self._submenu(menu, self.tr("&Go to"))
        self.next_design = self._action(menu, self.tr("&Next design"), QKeySequence("Ctrl+PgDown"))
        self.previous_design = self._action(menu, self.tr("&Previous design"), QKeySequence("Ctrl+PgUp"))
        menu.addSeparator()
        self.add = self._submenu(menu, self.tr("Ne&w design"))
        self.duplicate = self._action(menu, self.tr("D&uplicate"), QKeySequence("Ctrl+D"))
        self.rename = self._action(menu, self.tr("&Rename"), QKeySequence("F2"))
        self.remove = self._action(menu, self.tr("Re&move"))
        menu.addSeparator()
        self.compare = self._action(menu, self.tr("&Compare…"), QKeySequence("Ctrl+Shift+D"), checkable=True)
        self.pin = self._action(menu, self.tr("P&in for comparison"), QKeySequence("Ctrl+B"), checkable=True)
        self.pin.setToolTip(self.tr("Keep this design visible behind your changes"))
        self.same_people = self._action(menu, self.tr("Sam&e people…"))
        self.same_people.setToolTip(self.tr("Choose the designs that concern the same people, and see what they have together"))
        self._before_page_actions = menu.addSeparator()

    def _make_present(self) -> None:
        menu = self._menu(self.tr("&Present"))
        self.present = self._action(menu, self.tr("&Start presenting"), QKeySequence("F5"))
        self.present_here = self._action(menu, self.tr("Start from this s&cene"), QKeySequence("Shift+F5"))
        self.stop_presenting = self._action(menu, self.tr("S&top presenting"))
        self.stop_presenting.setEnabled(False)
        self.demonstration = self._action(menu, self.tr("&Demonstration"))
        self.demonstration.setToolTip(
            self.tr("Nine scenes in five minutes. Step with the arrow keys, end with Esc. Your work stays untouched")
        )
        self.screens = self._submenu(menu, self.tr("Scree&n"))
        menu.addSeparator()
        self.add_scene = self._action(menu, self.tr("&Add scene"), QKeySequence("Ctrl+Shift+N"))
        self.add_scene.setToolTip(self.tr("Make a scene from the present state of the page (Ctrl+Shift+N)"))
        self.update_scene = self._action(menu, self.tr("&Update scene"), QKeySequence("Ctrl+Shift+U"))
        self.update_scene.setToolTip(
            self.tr("Update the scene to the present state of the page; its caption stays (Ctrl+Shift+U)")
        )
        self.remove_scene = self._action(menu, self.tr("&Remove scene"))
        menu.addSeparator()
        self.play = self._action(menu, self.tr("&Let others play"), checkable=True)
        self.play.setToolTip(self.tr("Visitors can try everything. Afterwards the document returns to its present state"))

    def _make_help(self) -> None:
        menu = self._menu(self.tr("&Help"))
        self.contents = self._action(menu, self.tr("&Contents"), QKeySequence("Ctrl+F1"))
        self.tour = self._action(menu, self.tr("&Tour"))
        self.tour.setToolTip(self.tr("A tour of the controls on this page (90 seconds)"))
        menu.addAction(self.demonstration)
        self.about = self._action(menu, self.tr("&About dpdesigner"))
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def set_page_actions(self, actions: Iterable[QAction]) -> None:
        """Put the current page's own actions at the end of the Design menu, replacing those of the previous page."""
        for action in self._page_actions:
            self.design_menu.removeAction(action)
        self._page_actions = list(actions)
        self.design_menu.addActions(self._page_actions)
        self._before_page_actions.setVisible(bool(self._page_actions))

    def commands(self) -> list[tuple[str, QAction]]:
        """Return every visible command, with the names of its menus, in menu order."""
        collected: list[tuple[str, QAction]] = []
        for menu in self._menus:
            _collect(menu, plain_text(menu.title()), collected)
        return collected

    def _menu(self, title: str) -> QMenu:
        menu = self._window.menuBar().addMenu(title)
        self._menus.append(menu)
        return menu

    def _submenu(self, menu: QMenu, title: str) -> QMenu:
        submenu = QMenu(title, menu)
        submenu.setToolTipsVisible(True)
        menu.addMenu(submenu)
        return submenu

    def _action(self, menu: QMenu, text: str, *keys: QKeySequence | Keys, checkable: bool = False) -> QAction:
        """Make an action whose shortcut works even while the menu bar is hidden."""
        action = QAction(text, self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setCheckable(checkable)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        menu.addAction(action)
        self._window.addAction(action)
        return action


def plain_text(text: str) -> str:
    """Return a menu text without its mnemonic mark."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _collect(menu: QMenu, trail: str, collected: list[tuple[str, QAction]]) -> None:
    menu.aboutToShow.emit()
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            _collect(submenu, f"{trail} › {plain_text(submenu.title())}", collected)
        elif not action.isSeparator() and action.isVisible():
            collected.append((trail, action))


class MenuLists(QObject):
    """Fills five submenus and emits the choices made in them."""

    fileChosen = Signal(object)  #: a `Path`
    exampleChosen = Signal(object)  #: an `Example`
    kindChosen = Signal(str)  #: a kind of study to add

    def __init__(self, menus: Menus, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._recent, self._examples, self._designs, self._add = menus.recent, menus.examples, menus.designs, menus.add
        self._screens = menus.screens
        self._shown, self._presented_on = QActionGroup(self), QActionGroup(self)  # each has one checked action
        self._recent.aboutToShow.connect(self._fill_recent)
        self._examples.aboutToShow.connect(self._fill_examples)
        self._designs.aboutToShow.connect(self._fill_designs)
        self._add.aboutToShow.connect(self._fill_add)
        self._screens.aboutToShow.connect(self._fill_screens)

    @Slot()
    def _fill_recent(self) -> None:
        self._recent.clear()
        paths = recent_files()
        for path in paths:
            action = _action(self._recent, path.name)
            action.setToolTip(str(path))
            action.triggered.connect(partial(self.fileChosen.emit, path))
        self._recent.addSeparator()
        clear = _action(self._recent, self.tr("Clear this list"))
        clear.setEnabled(bool(paths))
        clear.triggered.connect(partial(forget_recent, None))

    @Slot()
    def _fill_examples(self) -> None:
        if self._examples.isEmpty():
            of_page: dict[str, QMenu] = {}
            for example in (known for known in examples() if known.kind in registry.kinds()):
                page = registry.page_of(example.kind).title
                if page not in of_page:
                    of_page[page] = QMenu(page, self._examples)
                    of_page[page].setToolTipsVisible(True)
                    self._examples.addMenu(of_page[page])
                action = _action(of_page[page], example.title)
                action.setToolTip(example.description)
                action.triggered.connect(partial(self.exampleChosen.emit, example))

    @Slot()
    def _fill_designs(self) -> None:
        self._designs.clear()
        for index, design in enumerate(self._document.designs):
            pinned = design == self._document.reference
            title = self.tr("{title} (pinned)").format(title=design.title) if pinned else design.title
            action = _choice(self._designs, self._shown, title, index == self._document.index)
            action.triggered.connect(partial(self._document.select, index))

    @Slot()
    def _fill_add(self) -> None:
        if self._add.isEmpty():
            for entry in registry.ENTRIES:
                action = _action(self._add, translated(registry.menu_title(entry.kind)))
                action.triggered.connect(partial(self.kindChosen.emit, entry.kind))

    @Slot()
    def _fill_screens(self) -> None:
        self._screens.clear()
        names = [screen.name() for screen in QGuiApplication.screens()]
        for value, text in (
            (OTHER, self.tr("The other screen, if there is one")),
            (SAME, self.tr("The window’s screen")),
            *((name, name) for name in names if len(names) > 1),
        ):
            action = _choice(self._screens, self._presented_on, text, value == preferences().choices.screen)
            action.triggered.connect(partial(_present_on, value))


def _present_on(screen: str) -> None:
    preferences().choose(screen=screen)


def _choice(menu: QMenu, group: QActionGroup, text: str, on: bool) -> QAction:
    """Add an action that is one of several choices."""
    action = _action(menu, text)
    action.setCheckable(True)
    action.setChecked(on)
    group.addAction(action)
    return action


def _action(menu: QMenu, text: str) -> QAction:
    """Add an action without a mnemonic in its text; made here, not by Qt, so that Python knows when the menu deletes it."""
    action = QAction(text.replace("&", "&&"), menu)
    menu.addAction(action)
    return action


_KEY = "layout/toolbar"


class ToolBar(QToolBar):
    """Buttons for the most-used commands. Its visibility is remembered.

    Parameters
    ----------
    menus : Menus
        Whose commands, of which each gets an icon.
    window : QMainWindow
        Where it goes.
    """

    def __init__(self, menus: Menus, window: QMainWindow) -> None:
        super().__init__(menus.tr("Toolbar"), window)
        self.setObjectName("toolbar")
        self._corner_of: QMenuBar | None = None  #: the menu bar, if the toolbar is at its right end
        self.setMovable(False)
        groups = (
            (("new", menus.new), ("open", menus.open), ("save", menus.save)),
            (("undo", menus.undo), ("redo", menus.redo)),
            (("compare", menus.compare), ("present", menus.present), ("palette", menus.palette)),
        )
        for group in groups:
            if self.actions():
                self.addSeparator()
            for name, action in group:
                self._add(name, action)
        self.shown = menus.toolbar
        self.shown.setChecked(settings().value(_KEY, True, bool) is True)
        self.shown.toggled.connect(self._choose)
        self._place(window)
        self._restyle()
        theme().changed.connect(self._restyle)

    def _add(self, name: str, action: QAction) -> None:
        action.setIcon(QIcon(_Drawing(name)))
        action.setIconVisibleInMenu(False)
        self.addAction(action)
        button, name = self.widgetForAction(action), plain_text(action.text()).removesuffix("…")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keyboard users have the menus
        button.setAccessibleName(name)
        action.setToolTip(f"{name} ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})")

    def _place(self, window: QMainWindow) -> None:
        bar = window.menuBar()
        if bar.isNativeMenuBar():
            window.addToolBar(self)
        else:
            margin = QWidget()
            margin.setFixedWidth(12)  # aligns the end of the last icon with the header's button
            self.addWidget(margin)
            self.setStyleSheet("QToolBar { background: transparent; }")  # the menu bar's line continues below it
            self._corner_of = bar
            bar.setCornerWidget(self)
        self.setVisible(self.shown.isChecked())

    def event(self, event: QEvent) -> bool:
        """Register again with the menu bar when the icon size changes, because only this updates the space for the toolbar."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self._corner_of is not None:
            self._corner_of.setCornerWidget(self)
        return done

    @Slot(bool)
    def _choose(self, shown: bool) -> None:
        settings().setValue(_KEY, shown)
        self.setVisible(shown)

    @Slot()
    def _restyle(self) -> None:
        side = round(16 * theme().scale)
        self.setIconSize(QSize(side, side))


class _Drawing(QIconEngine):
    """One of the line drawings, in the current colours when painted."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw it: muted, in the text colour under the mouse, in the accent colour when on, pale when disabled."""
        colours = theme().colours
        ink = QColor(colours.accent if state == QIcon.State.On else colours.text if mode == QIcon.Mode.Active else colours.muted)
        if mode == QIcon.Mode.Disabled:
            ink.setAlphaF(0.4)
        draw_icon(painter, self._name, "", QRectF(rect), ink)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return it on a transparent background."""
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint(painter, QRect(QPoint(), size), mode, state)
        painter.end()
        return picture

    def clone(self) -> QIconEngine:
        """Return a copy."""
        return _Drawing(self._name)
