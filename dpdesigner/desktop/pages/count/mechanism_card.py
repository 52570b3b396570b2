"""The middle of the count page: the matrix, one view at a time or two side by side."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.count.closed_form import LARGEST_PROGRAM_N
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.pages.count.matrix_contents import content, pattern
from dpdesigner.desktop.pages.kit.views_card import ViewsCard
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.labelled import push_button
from dpdesigner.desktop.widgets.base.more_row import MoreRow
from dpdesigner.desktop.widgets.base.number_text import group_thousands, significant
from dpdesigner.desktop.widgets.base.read_out import ReadOut
from dpdesigner.desktop.widgets.matrix.band import FEWEST_ROWS
from dpdesigner.desktop.widgets.matrix.pane import MatrixPair, MatrixPane
from dpdesigner.desktop.widgets.matrix.text import difference_text
from dpdesigner.studies.count.answer import Compared, CountOverview
from dpdesigner.studies.count.jobs import LARGEST_HELD
from dpdesigner.studies.count.panels import FRACTIONS_UP_TO
from dpdesigner.studies.count.run import DeltaAnswer, Solved
from dpdesigner.studies.findings import format_finding

_MARGINS = 24  # pixels at both sides of the options
_LOWEST = 300  # pixels of the matrix with its axes and key: below that its cells have less than 200, and the options give way


class MechanismCard(ViewsCard):
    """Tabs, the matrix, its options and the line that compares the linear program with the closed form."""

    rowSelected = Signal(int)
    columnSelected = Signal(int)
    hovered = Signal(int, int)  #: row and column under the mouse; -1, -1 when it left
    bandToggled = Signal(bool)  #: whether errors are wanted across instead of what is released
    besideToggled = Signal(bool)  #: whether two views are wanted beside each other

    def __init__(self) -> None:
        super().__init__(self.tr("Mechanism"))
        self._open, self._beside, self._selected = "optimal", False, (0, 0)
        self._outcome: Solved | None = None
        self._compared: Compared | None = None
        self._best: Mechanism | None = None
        self._before: CountOverview | None = None
        self._delta = False  # whether the views are those with a delta
        self._views = views = [
            ("optimal", self.tr("Optimal"), self.tr("The best mechanism found for this user; the badge says how good")),
            ("geometric", self.tr("Geometric"), self.tr("The range-restricted geometric mechanism: the same for every user")),
            ("remap", self.tr("Remap"), self.tr("How this user reads each output of the geometric mechanism")),
            ("witness", self.tr("LP check"), self.tr("Solution of the linear program, without using a theorem")),
            ("difference", self.tr("LP minus remap"), self.tr("LP check minus geometric + remap")),
            ("pattern", self.tr("Pattern"), self.tr("Privacy constraints: ↓ and ↑ tight, S slack, Z both zero")),
            ("induced", self.tr("Geometric∘Remap"), self.tr("The geometric mechanism read through the remap")),
        ]
        self.views = (*(key for key, _, _ in views), "before")
        self.offer(views)
        longest = self.tr("true 100 → releases 100: left 0.000813, right 0.000813, less than 1e−9 apart")
        self._comparison = ReadOut(longest)
        agreement = self.tr("Tailored mechanism and geometric + remap have the same expected loss, within 1e−14.")
        self._agreement = ReadOut(agreement, "muted")
        pair = MatrixPair()
        for signal, own in (
            (pair.rowSelected, self._select_row),
            (pair.columnSelected, self._select_column),
            (pair.hovered, self._compare),
            (pair.hovered, self.hovered),
        ):
            signal.connect(own)
        self._panes, self._second_pane = pair.panes, pair.panes[1]
        self.view, self.second = (pane.view for pane in pair.panes)
        self.add(pair, 1)
        for label in (self._comparison, self._agreement):
            label.hide()
            self.add(label)
        self._row = self._option_row()
        self.add(self._row)
        preferences().changed.connect(self._show_details)
        self._offer_views()
        self._presenting = False
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._share_room)
        self.view.installEventFilter(self)

    def _option_row(self) -> QWidget:
        options = (
            ("numbers", self.tr("Numbers"), self.tr("Show the probabilities in the cells if they fit")),
            ("logarithmic", self.tr("Log colour"), self.tr("Colour by the logarithm, which makes the tails visible")),
            ("fractions", self.tr("Fractions"), self.tr("Show exact fractions if alpha is rational")),
            ("binding", self.tr("Binding"), self.tr("Mark the cells where the privacy constraints are tight")),
            ("beside", self.tr("Side by side"), self.tr("Show geometric + remap next to this view")),
            (
                "band",
                self.tr("Band"),
                self.tr("Released minus true count, against the true count; very unlikely errors are left out"),
            ),
        )
        self._options = {key: push_button(text, tip, partial(self._option, key), checkable=True) for key, text, tip in options}
        self._options["band"].hide()
        rare = ("logarithmic", "binding", "band")
        shown = [button for key, button in self._options.items() if key not in rare]
        return MoreRow(*shown, more=[self._options[key] for key in rare])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share the room out anew when the matrix has another height."""
        if watched is self.view and event.type() == QEvent.Type.Resize:
            self._soon.start()
        return super().eventFilter(watched, event)

    @Slot()
    def _share_room(self) -> None:
        """Leave the options away where the matrix would be too low with them."""
        high = max(self._row.sizeHint().height(), self._row.heightForWidth(self.contentsRect().width() - _MARGINS))
        taken = high + self.body.spacing() if self._row.isHidden() else 0
        self._row.setVisible(not self._presenting and self.view.height() - taken >= _LOWEST)

    def _on(self, key: str) -> bool:
        """Whether an option is offered and chosen."""
        return self._options[key].isChecked() and not self._options[key].isHidden()

    def _option(self, key: str) -> None:
        wanted = {"beside": self.besideToggled, "band": self.bandToggled}.get(key)
        if wanted is None:
            self.refresh()
        else:
            wanted.emit(self._options[key].isChecked())

    def open(self, view: str, beside: bool, band: bool) -> None:
        """Say which view is open, whether geometric + remap is beside it, and whether errors are across."""
        another = view != self._open
        self._open, self._beside = view, beside
        if another:
            self._offer_views()
        self.tabs.set_current(view)
        self._options["beside"].setChecked(beside)
        self._options["band"].setChecked(band)

    def set_selected(self, row: int, column: int) -> None:
        """Outline a row and a column in every view."""
        self._selected = row, column
        for pane in self._panes:
            pane.view.set_selected(*self._outlined(self._open))
        self._compare(-1, -1)

    def _outlined(self, view: str) -> tuple[int | None, int | None]:
        """The row and column that a view outlines: none where they are cells, not counts."""
        row, column = self._selected
        if not self._delta:
            return row, column
        return (None if view == "remap" else row), (None if view == "geometric" else column)

    @Slot(int)
    def _select_row(self, row: int) -> None:
        if not (self._delta and self._open == "remap"):
            self.rowSelected.emit(row)

    @Slot(int)
    def _select_column(self, column: int) -> None:
        if not (self._delta and self._open == "geometric"):
            self.columnSelected.emit(column)

    def set_outcome(self, outcome: Solved, compared: Compared | None, best: Mechanism, proved: bool) -> None:
        """Show what was solved, and which mechanism is the one to show as optimal; the linear program may come later."""
        self._outcome, self._compared, self._best = outcome, compared, best
        text = self.tr("Optimal") if proved else self.tr("Best found")
        delta = isinstance(outcome, DeltaAnswer)
        if text != self._views[0][1] or delta != self._delta:
            self._views[0], self._delta = (self._views[0][0], text, self._views[0][2]), delta
            self._offer_views()
        self.refresh()

    @Slot()
    def _show_details(self) -> None:
        """Offer what only experts ask for, or leave it away."""
        self._offer_views()
        self.refresh()

    def _offer_views(self) -> None:
        own = ("before", self.tr("Against before"), self.tr("Current minus pinned design: blue is more likely now, orange less"))
        first, others = self._views[:3], self._views[3:]
        if self._delta:
            cells = self.tr("The universal (ε, δ) mechanism: the same cells for every user")
            read = self.tr("How this user reads each cell")
            first, others = [first[0], ("geometric", self.tr("Cells"), cells), ("remap", self.tr("Remap"), read)], []
        if not preferences().choices.exact:
            others = [view for view in others if view[0] == self._open]  # one that a scene has opened stays
        self.offer([*first, *([] if self._before is None else [own]), *others], self._open)

    def set_before(self, before: CountOverview | None) -> bool:
        """Offer the difference from what was pinned, while something is; return whether that has changed."""
        another, self._before = (before is None) != (self._before is None), before
        if another:
            self._offer_views()
        self.refresh()
        return another

    def set_stale(self, on: bool) -> None:
        """Fade the matrices while something newer is being computed."""
        for pane in self._panes:
            pane.view.set_stale(on)

    def set_presenting(self, on: bool) -> None:
        """Hide the options."""
        self._presenting = on
        self._row.setVisible(not on)
        self._soon.start()

    @Slot()
    def refresh(self) -> None:
        """Draw the open view with the options chosen."""
        outcome, beside = self._outcome, self._beside
        if outcome is None:
            return
        if self._delta:
            beside = False
        self._options["beside"].setVisible(not self._delta)
        self._options["binding"].setVisible(not self._delta and preferences().choices.exact)
        shown = "witness" if beside and self._open in ("optimal", "induced") else self._open
        self._options["fractions"].setVisible(outcome.design.n <= FRACTIONS_UP_TO)
        self._options["band"].setVisible(FEWEST_ROWS <= outcome.design.n + 1 <= LARGEST_HELD + 1)
        self._second_pane.setVisible(beside)
        self._fill(self._panes[0], shown)
        if beside:
            self._fill(self._second_pane, "induced")
        for pane in self._panes:
            pane.caption.setVisible(beside)
            pane.view.set_paired(beside)
        for label in (self._comparison, self._agreement):
            label.setVisible(beside)
        compared = self._compared
        pending = self.tr("The linear program has not finished yet.") if outcome.design.n <= LARGEST_PROGRAM_N else ""
        self._agreement.setText(pending if compared is None else translated(compared.sentence))
        self._compare(-1, -1)

    def _titles(self, view: str, outcome: Solved) -> tuple[str, ...]:
        """Return the title of a view, and a shorter one where it has one."""
        compared = self._compared
        if view == "induced":
            value = format_finding(outcome.findings["value"])
            return self.tr("Geometric + remap costs {value}").format(value=value), self.tr("Remap: {value}").format(value=value)
        if view == "witness" and compared is not None:
            value = figure(compared.witness.value)
            return self.tr("Linear program costs {value}").format(value=value), self.tr("LP: {value}").format(value=value)
        names = {key: text for key, text, _ in self._views}
        names.update(witness=self.tr("Linear program"), before=self.tr("Change from pinned"))
        return (names[view],)

    def _fill(self, pane: MatrixPane, key: str) -> None:
        outcome, best = self._outcome, self._best
        if outcome is None or best is None:
            return
        contents, view = content(key, outcome, self._compared, best, self._before, self._on("fractions")), pane.view
        pane.caption.set_full_text(*self._titles(key, outcome))
        pane.missing.setText(contents if isinstance(contents, str) else "")
        pane.stack.setCurrentWidget(pane.missing if isinstance(contents, str) else view)
        if isinstance(contents, str):
            return
        bound = key == "pattern" or (self._on("binding") and key in ("optimal", "induced"))
        view.set_band(self._on("band") and not bound and key != "remap")
        view.show_matrix(contents)
        view.set_numbers(self._on("numbers") or self._on("fractions"))
        view.set_log(self._on("logarithmic") and contents.kind == "probability")
        view.set_pattern(pattern(outcome) if bound else None)
        view.set_selected(*self._outlined(key))

    @Slot(int, int)
    def _compare(self, row: int, column: int) -> None:
        """Say how the cell under the mouse, else the selected one, differs between two views."""
        if not self._beside:
            return
        if row < 0:
            row, column = self._selected
        left, right = (pane.view.cell(row, column) if pane.shows else None for pane in self._panes)
        if self._open in ("remap", "difference", "before") or left is None or right is None:
            self._comparison.setText((self.view if self._panes[0].shows else self.second).read_out())
            return
        apart = difference_text(abs(left - right))
        words_of = self.tr("true {row} → releases {column}: left {left}, right {right}; difference: {apart}")
        texts = {"left": significant(left), "right": significant(right), "apart": apart.removeprefix("+")}
        self._comparison.setText(words_of.format(row=group_thousands(row), column=group_thousands(column), **texts))
