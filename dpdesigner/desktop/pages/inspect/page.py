"""The inspect page: a table of releases on the left, what it reveals in the middle, its risks and utility on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QGridLayout, QLabel, QLineEdit, QMenu, QSizePolicy, QWidget

from dpdesigner.core.basics.rounding import figure, group_thousands
from dpdesigner.core.inspection.keys import LARGEST_N, KeyedTable
from dpdesigner.desktop.background.tables import chosen_table
from dpdesigner.desktop.background.waiting import waited
from dpdesigner.desktop.base.card import Disclosure, Folding
from dpdesigner.desktop.base.controls import push_button, value_box
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import flow_of, row_of, styled
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.output.export_dialog import save_keyed_table
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.fields import DesignsButton, JoinedField
from dpdesigner.desktop.pages.kit.page import Figure, Part
from dpdesigner.desktop.pages.kit.panel_views import PanelView, Place, PlotPanel
from dpdesigner.desktop.pages.kit.summary import Summary
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.plots.matrix_pictures import Thumbnail
from dpdesigner.desktop.plots.people import Crowd
from dpdesigner.errors import Cancelled, DpDesignerError, InputError
from dpdesigner.files.verification_report import table_text
from dpdesigner.messages import message
from dpdesigner.studies import registry
from dpdesigner.studies.base import Answer, Panel
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.findings import Findings, format_finding
from dpdesigner.studies.inspect.answer import TOLD, InspectAnswer, Offer, error_text, keyed_costs, private_designs, rate_on
from dpdesigner.studies.inspect.design import PRIVATE, keyed_tables, read_source
from dpdesigner.studies.panels import Plot, behind
from dpdesigner.studies.snapshot import Action, Snapshot
from dpdesigner.studies.study import Job


class AwayPanel(PlotPanel):
    """The crowd above the trade-off curve: its figures are filled up to the dragged point."""

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()
        self._plot: Plot | None = None
        self.column.insertWidget(0, self.crowd, 2)

    def show_panel(self, panel: Plot, place: Place) -> None:
        self._plot = panel
        super().show_panel(panel, place)
        self._show_crowd(place)

    def put_handles(self, place: Place) -> None:
        super().put_handles(place)
        self._show_crowd(place)

    def set_stale(self, on: bool) -> None:
        super().set_stale(on)
        self.crowd.set_stale(on)

    def _show_crowd(self, place: Place) -> None:
        if (plot := self._plot) is not None and plot.handles:
            at = place(plot.handles[0].target)
            false: Any = plot.handles[0].place if at is None else at
            line = plot.lines[0]
            reached = line.y[line.x <= false].max(initial=0.0)  # on a vertical part of the curve the top counts
            self.crowd.show_shares(max(float(reached), line.at(false)), float(false))


_EXAMPLES = (
    (message("An office’s table: R package ptable, D = 5, V = 2"), "file: example:ptable_D5V2.csv"),
    (message("Geometric noise, ε = ln 2, n = 20"), "geometric: 20, ln 2"),
    (message("Gaussian noise, σ = 2, clamped, 12 decimals"), "file: example:gaussian_sigma_2.csv"),
    (message("Geometric noise, ε = 1, printed with 6 decimals"), "file: example:geometric_printed.csv"),
)
#: Findings that belong to the exact details.
_EXACT = "exp_epsilon", "delta_floor", "total_variation", "renyi_2", "rho", "mu", "optimum_delta", "deficiency"
_INTERVAL = "interval_low", "interval_high", "interval_mass"
_SHOWN = {
    "away": (),
    "delta": ("epsilon", "delta", "delta_floor", "exp_epsilon", "total_variation", "renyi_2", "rho", "mu"),
    "reading": ("optimum", "optimum_delta", "deficiency", "posterior_vulnerability", "min_capacity_bits"),
    "again": ("epsilon", "delta", "rho", "releases_loss"),
    "intervals": ("error_bound", *_INTERVAL, "posterior_mean", "bias_max", "variance_max"),
}
_KINDS = ("count", "noise", "choice")  # kinds of designs that have a table
_OF_TABLE = ("table", "n", "headings", "mend")  # fields by which a table is read
_LARGE = 1.2  # text scale above which the columns scroll anyway, and nothing folds
_WIDTHS = (306, 530, 322)  # column widths at 1280 pixels
_FORMS = ("tau-argus", "Tau-Argus"), ("sas", "SAS")  # not cell-key-perturbation: there a count of 0 stays 0, which is not private


class TableField(Field):
    """The table as a picture, its name, and other sources: a file, the clipboard, an open design, or an example."""

    refused = Signal(str)  #: why nothing was taken

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        name = self.accessibleName() or self.tr("The table")
        self.set_word(self.tr("drag the frame"))
        self.picture = Thumbnail(self.tr("The table; click on the border between two rows to choose that pair"))
        self.picture.setToolTip(self.tr("Drag the frame to compare two other counts. Blank: never released"))
        tip = self.tr("The path of a table, or geometric: n, ε")
        self.box = value_box("0" * 24, self.tr("{name}, file or rows").format(name=name), tip, self._given)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tip = self.tr("A table in a file: CSV, Tau-Argus, SAS or cell-key-perturbation")
        self.open = push_button(self.tr("Open…"), tip, self._open)
        none = self.tr("No open Count, Noise or Choice design")
        self.designs = DesignsButton(self.tr("From Count"), self.tr("The table of an open design"), _KINDS, none)
        more = push_button(self.tr("More"), self.tr("The table on the clipboard, or an example"), lambda: None)
        menu = QMenu(more)
        self.paste = menu.addAction(self.tr("Paste a table"))
        self.paste.triggered.connect(self._paste)
        menu.addSeparator()
        for words, table in _EXAMPLES:
            menu.addAction(translated(words)).triggered.connect(lambda checked=False, table=table: self.take(table))
        more.setMenu(menu)
        self._buttons = QWidget()
        flow_of(self.open, self.designs, more, on=self._buttons, gap=4)
        for part in (self.picture, self.box, self._buttons):
            self.add(part)

    take = Field._given

    def set_presenting(self, on: bool) -> None:
        self._buttons.setVisible(not on)

    def _open(self) -> None:
        if path := chosen_table(self.tr("Open a table"), self):
            self.take(f"file: {path}")

    @Slot()
    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        if text.strip():
            self.take(text if "\n" in text else f"{text}\n")
        else:
            self.refused.emit(self.tr("The clipboard holds no table."))


OfferRow = tuple[str, Offer, Mapping[str, Callable[[], None]]]


class OffersDialog(QDialog):
    """Private noise to use in place of a table: what each costs, and buttons that open or save it."""

    def __init__(self, rows: Sequence[OfferRow], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Find private noise"))
        grid = QGridLayout(self)
        grid.setHorizontalSpacing(24)
        for place, words in enumerate((self.tr("ε"), self.tr("Expected error")), 1):
            grid.addWidget(styled("muted", words), 0, place)
        for row, (name, costs, does) in enumerate(rows, 1):
            full = f"{name} ({costs.lacks})" if costs.lacks else name
            for place, words in enumerate((full, costs.epsilon, costs.error)):
                grid.addWidget(QLabel(words), row, place)
            buttons = [push_button(words, f"{words}: {full}", partial(self._do, act)) for words, act in does.items()]
            if buttons:
                grid.addLayout(row_of(*buttons, gap=6), row, 3, Qt.AlignmentFlag.AlignLeft)

    def _do(self, act: Callable[[], None]) -> None:
        self.accept()
        act()


class QuietField(JoinedField):
    """A field whose box is out of view: only suggested remedies are entered into it; a list of choices is seen."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        if self.box is None:
            self.box = value_box("0", "", "", self._given)
            self.add(self.box)
        for part in (*self.findChildren(QLabel), *self.findChildren(QLineEdit)):
            part.hide()


class MendField(QuietField):
    """A check box: add what a row lacks to 1 to its largest entry."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        for part in self.findChildren(QComboBox):
            part.hide()
        self.tick = QCheckBox(self.tr("make every row sum to 1"))
        self.tick.setToolTip(translated(asked.label))
        self.tick.clicked.connect(lambda on: self._given("largest" if on else "no"))
        self.tick.setMinimumHeight(24)
        self.add(self.tick)

    def show_value(self, value: object) -> None:
        self.tick.setChecked(value == "largest")


def _account(answer: InspectAnswer) -> str:
    """Return how a table was read, and what of it was left out."""
    words = answer.source.words.removesuffix("; not read: nothing").removeprefix("read: ")
    return words.replace("; not read: ", translated(message(" · left out: ")))


class InspectPage(DeclaredPage):
    """Inspect any table of releases, and what its reader can infer about one person."""

    kind = "inspect"
    front = "crowd"
    fields: ClassVar[Mapping[str, Callable[[DeclaredInput], Field]]] = {
        "table": TableField,
        "headings": QuietField,
        "mend": MendField,
    }
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"found-out": AwayPanel}

    def public_view(self) -> Mapping[str, Any]:
        """Return the view of the counts and the point that the sentence is about."""
        return {**self.view_state(), "pair": TOLD, "all": False}

    def figures(self) -> Iterable[Figure]:
        """Return the panels, with the people of the first view before its curve."""
        found, answer = list(super().figures()), self.answer
        if self.view["view"] != "away" or not isinstance(answer, InspectAnswer) or answer.rare:
            return found
        (pair, curve), told = answer.pair(self.view["pair"]), answer.as_told if self.view["pair"] == TOLD else answer
        crowd, false = Crowd(), rate_on(told.design, curve, answer.people)
        crowd.counts = pair
        crowd.show_shares(float(curve.found_out(false)), float(false))
        return [*found[:1], Figure("crowd", self.tr("People found out"), crowd), *found[1:]]

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        self._wrong = ""  # the field of a refused design
        self.table: TableField = self._inputs.fields["table"]
        self.table.picture.rowChosen.connect(self._choose_row)
        self.table.designs.chosen.connect(self._take_design)
        self.table.refused.connect(self.message)
        self._results.chosen = self._chosen
        self._pictures.set_blank(" ")  # nothing is drawn that is not computed
        preferences().changed.connect(self._show)
        self._reading = Disclosure(self.tr("The largest count, header, labels, and rows that do not sum to 1"))
        self._reading.toggled.connect(lambda _: self._offer_reading())
        self._inputs.field("mend", self._offer)
        self._inputs.field("headings", self._offer)
        for part in (others := self._inputs.fields["others"], others.box):
            part.setSizePolicy(self.table.box.sizePolicy())
        row = self._inputs.fields["mend"].parentWidget()
        self._account = SentenceLabel("small")
        for part in (self._reading, self._account):
            self.table.body.insertWidget(self.table.body.indexOf(row), part)
        self._inputs.folding = Folding(self._inputs, [*reversed(self._inputs.cards[1:])])
        self._inputs.folding.set_on(theme().scale <= _LARGE)
        lay_out_columns(self, "inspect-columns", columns, _WIDTHS)

    def show_design(self, before: Any, design: Any) -> None:
        super().show_design(before, design)
        again, fields = self.tr("Released {count} times").format(count=design.releases), self._inputs.fields
        again = self.tr("{times}, new samples").format(times=again) if design.sampling else again
        fields["epsilon"].set_line(self.tr("Requested privacy: ε = {epsilon}").format(epsilon=design.epsilon))
        fields["releases"].set_line(self.tr("Released once") if design.releases == 1 else again)
        self._offer_reading()

    def _offer_reading(self) -> None:
        """Offer how a file is read, with what is not as usual, and show it where that is asked for."""
        design, fields = self.design, self._inputs.fields
        asked = [fields[key] for key in ("n", "headings", "mend") if design is not None and fields[key].asked.matters(design)]
        changed = [each.asked for each in asked if each.asked.of(design) != each.asked.default]
        words = {} if design is None else {"n": self.tr("n = {n}").format(n=design.n), "mend": self.tr("rows completed")}
        named = ", ".join(words.get(each.key) or translated(each.summary(design)) for each in changed)
        usual, opened = self.tr("How it is read"), self._reading.isChecked()
        more = self.tr("{usual}: {changes}").format(usual=usual, changes=named) if named else usual
        self._reading.offer(more if asked else "", usual)
        self._account.set_sentence(_account(self.answer) if opened and asked and self.answer is not None else "")
        for field in asked:
            field.setVisible(opened)
        fields["mend"].parentWidget().setVisible(opened and bool(asked))
        fields["released"].setVisible(self.view["view"] == "intervals")

    def _offer(self, error: InputError) -> None:
        """Show what is wrong with rows, header or labels, with a button that mends it."""
        field, parts = self._inputs.fields[error.field], error.suggestion.replace("both", self.tr("header and labels"))
        known = {"largest": self.tr("Complete rows"), "turned": self.tr("Turn the table")}
        words = known.get(error.suggestion, self.tr("Use {parts}").format(parts=parts))
        self.table.error.set_remedy(str(error), words, partial(field.changed.emit, error.suggestion, field.words))

    def summary(self) -> Summary:
        """Return the texts of header and status bar, with what most tables share left out."""
        now, answer, design = replace(super().summary(), value_label="", value=""), self.answer, self.design
        if design is None:
            return now
        facts: tuple[str, ...] = now.facts
        if answer is not None and facts:
            _, sums, _, exactly, *remarks = facts
            sums = self.tr("Made to sum to 1: {rows}").format(rows=answer.source.completed) if answer.source.completed else sums
            facts = (_account(answer), sums, *(() if answer.profile.exact else (exactly,)), *remarks)
        shown = [each for each in design.inputs() if each.matters(design) and not each.aside]
        if self.failed and self._wrong:
            shown = [each for each in design.inputs() if each.key == self._wrong]
        unusual = (
            each for each in shown if each.key in ("table", "epsilon") or each.input.summary(each.of(design)) != str(each.default)
        )
        words = {each.key: translated(each.summary(design)) for each in unusual}
        if answer is not None and answer.source.completed and "table" in words and not self.failed:
            words["table"] = self.tr("{table}, completed").format(table=words["table"])
        if "epsilon" in words:
            words["epsilon"] = self.tr("requested {epsilon}").format(epsilon=words["epsilon"])
        return replace(now, facts=facts, line=" · ".join(filter(None, words.values())).removeprefix("file: example:"))

    def sentences(self, answer: Answer) -> Sequence[str]:
        return answer.headlines if isinstance(answer, InspectAnswer) else ()

    def button_actions(self) -> Sequence[Action]:
        return [replace(action, run=self._make_private) if action is PRIVATE else action for action in super().button_actions()]

    def set_parts(self, *parts: Part[Any, Any]) -> None:
        """Set the parts of a declared page, and the thumbnail: of the table alone until its rows are compared."""
        read = Part(None, lambda s: (s.outcome("table"), None), self._show_table)
        compared = Part(None, lambda s: (s.answer, s.view["pair"]), self._show_table, self.table.picture.set_stale)
        super().set_parts(*parts, read, compared)

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return the answer, and before the first one the table that is read."""
        early = [] if self.answer is not None else [Job("table", lambda progress: read_source(study)[1])]
        return [*early, *super().jobs(study)]

    def _mark(self, stale: bool) -> None:
        super()._mark(stale)
        if self.answer is None and stale:
            self._pictures.set_blank(self.tr("computing…"))

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Return the panels, with a pinned table's curves dashed behind them."""
        middle, beside = super().shared_out(answer)
        opened = next(view.panels for view in answer.design.views if view.key == self.view["view"])
        beside.sort(key=lambda panel: panel.key not in opened)  # what the open view shows comes first
        before = {} if self.before is None else {each.key: each for each in self.before.panels_in(self.view)}
        middle = [
            behind(panel, before[panel.key]) if isinstance(panel, Plot) and panel.key in before else panel for panel in middle
        ]
        return middle, beside

    def _open_view(self, view: str) -> None:
        super()._open_view(view)
        self._offer_reading()

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show an error next to its control; a table that is not read has no picture."""
        super().show_failure(name, error)
        if name == "solve":
            self.table.picture.set_stale(True)  # it is of another table
        self._wrong = field = error.field if isinstance(error, InputError) else ""
        unread = field in _OF_TABLE or (self.answer is None and not (field and self._pictures.panels.views))
        self._pictures.set_blank(self.tr("The risks appear here once a table has been read.") if unread else "")

    def _show(self, *_: Any) -> None:
        super()._show()
        self._offer_reading()
        if self.answer is not None:
            self._pictures.set_blank("")
        if self.answer is not None and isinstance(view := self._pictures.panels.views.get("found-out"), AwayPanel):
            view.crowd.counts = self.answer.pair(self.view["pair"])[0]
            view.crowd.show_shares(*view.crowd.shares)
            view.crowd.setVisible(not self.answer.rare)

    def _chosen(self, answer: Any) -> Findings:
        """The findings of the open view."""
        keys = [key for key in _SHOWN[self.view["view"]] if preferences().choices.exact or key not in _EXACT]
        if answer.profile.exp_epsilon == float("inf") and "optimum" in keys:
            keys.remove("optimum")  # without noise there is no error
        if answer.design.delta is not None and "epsilon" in keys:
            pure = answer.findings["epsilon"].number  # infinite, it has no place beside a level that is met
            keys = ["epsilon_at_delta", *(key for key in keys if key != "epsilon" or pure != float("inf"))]
        found = {key: answer.findings[key] for key in keys}
        for key in found.keys() & {*_INTERVAL, "posterior_mean"}:  # the picture says after which release
            found[key] = found[key] if found[key].value is None else replace(found[key], note="")
        if (bound := found.get("error_bound")) is not None:
            share = format_finding(answer.findings["error_bound_mass"])
            found["error_bound"] = replace(bound, note=message("in {share} of releases, at face value", share=share))
        if (delta := found.get("delta")) is not None:
            found["delta"] = replace(delta, note=delta.note or (message("private up to this δ") if delta.number else ""))
        return found

    # Pairs ---------------------------------------------------------------------------------------------------------------

    def _show_table(self, shown: Any, pair: int | None) -> None:
        table, framed = (shown, (-1, -1)) if pair is None else (shown.releases, shown.pair(pair)[0])
        self.table.picture.show_table(table.doubles, framed, (table.outputs[0][:8], table.outputs[-1][:8]))

    @Slot(int)
    def _choose_row(self, row: int) -> None:
        """Select the pair of a row and the one before it."""
        if not isinstance(self.answer, InspectAnswer):
            return
        if (pair := (row, row - 1)) in self.answer.people.pairs:
            self.look(pair=self.answer.people.pairs.index(pair))

    # Private and other tables ------------------------------------------------------------------------------------------------

    def _make_private(self, now: Snapshot[Any, Any]) -> None:
        """Offer private noise with its ε and expected error; for an office's table also in keys."""
        counts, best, n = private_designs(now), now.answer.findings["best_loss"].number or 0.0, now.answer.reader.table.n
        wanted, by_keys = counts[0][0], now.answer.by_keys and n <= LARGEST_N
        if len(counts) == 1 and not by_keys:  # nearly the requested level: then that one
            self._open_count(wanted)
            return
        try:
            tables = waited(partial(keyed_tables, wanted), self.tr("Looking for tables in keys"), self) if by_keys else []
        except Cancelled:
            return
        own = now.answer.findings["epsilon"].number
        level = figure(own, 3) if own is not None and own < float("inf") else self.tr("none")
        rows: list[OfferRow] = [(self.tr("This table"), Offer(level, error_text(best, best)), {})]
        for each, costs in counts:
            rows.append((self.tr("Geometric noise"), costs, {self.tr("Open on Count"): partial(self._open_count, each)}))
        for made in tables:
            saves = {
                self.tr("Save for {name}…").format(name=name): partial(self._save_keyed, wanted, form, made)
                for form, name in _FORMS
            }
            words = self.tr("Table in {keys} keys").format(keys=group_thousands(made.keys))
            rows.append((words, keyed_costs(now, wanted, made), saves))
        OffersDialog(rows, self).open()

    def _open_count(self, count: Any) -> None:
        self.designRequested.emit(count)
        self.message.emit(self.tr("“{name}” is a new design. The inspected table is unchanged.").format(name=count.name))

    def _save_keyed(self, count: Any, form: str, made: KeyedTable) -> None:
        """Ask for a file, and write a private table in keys, read back and verified."""
        if said := save_keyed_table(self, count, form, made):
            self.message.emit(said)

    def _take_design(self, study: Any) -> None:
        """Inspect the table of a design, in fractions if there are any."""
        try:
            text = waited(lambda: table_text(registry.run(study)), self.tr("Computing the table"), self)
        except Cancelled:
            return
        except DpDesignerError as error:
            self.message.emit(str(error))
        else:
            self.table.take(text)
