"""Cards of what comes out: findings, costs beside others, disclosure risk, what is given away, and a curve against epsilon."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFormLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QWidget

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import of_100
from dpdesigner.desktop.base.card import Card, Disclosure
from dpdesigner.desktop.base.controls import ButtonRow, push_button
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import capital, tr, translated
from dpdesigner.desktop.pages.kit.panel_views import Place, placed
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.answer import Given
from dpdesigner.studies.findings import Findings, Form, format_finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plain_language import reader_panel, reader_panel_with_delta
from dpdesigner.studies.snapshot import Found
from dpdesigner.studies.spending import RECORD
from dpdesigner.studies.table_panels import Ranking

_APART = 4  # pixels above a finding; its note stands close to it


class FindingRows(QWidget):
    """Names and values, one per line, with any note below its value; values can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(0)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._rows: list[tuple[QLabel, QLabel, QLabel]] = []

    def show_rows(self, rows: Sequence[tuple[str, str, str, str]]) -> list[QLabel]:
        """Show names, values, notes, and tooltips of the values; return the labels of the values."""
        while len(self._rows) < len(rows):
            self._rows.append(self._row())
        for _, value, note in self._rows[len(rows) :]:
            self._form.setRowVisible(value, False)
            self._form.setRowVisible(note, False)
        for (name, value, note), (label, text, more, tip) in zip(self._rows, rows, strict=False):
            self._form.setRowVisible(value, True)
            self._form.setRowVisible(note, bool(more))
            name.setText(label)
            value.setText(text)
            note.setText(more)
            value.setToolTip(tip)
            value.setAccessibleName(f"{label}: {' · '.join(filter(None, (text, more)))}")
        return [value for _, value, _ in self._rows[: len(rows)]]

    def _row(self) -> tuple[QLabel, QLabel, QLabel]:
        name, value, note = QLabel(), QLabel(), styled("small", wrapped=True)
        set_class(name, "muted")
        for label in (name, value):
            label.setContentsMargins(0, _APART, 0, 0)
        value.setWordWrap(True)
        value.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        name.setBuddy(value)
        self._form.addRow(name, value)
        self._form.addRow(note)
        return name, value, note


class FindingsCard(Card):
    """Findings, with exact values in their tooltips; or the reason why there are none.

    Parameters
    ----------
    heading : str
        ``"Results"`` if it is not given.
    form : str
        That of the values, as for `format_finding`.
    """

    whyRequested = Signal()

    def __init__(self, heading: str = "", form: Form = "short") -> None:
        self._results, self._form = heading or tr("Results"), form
        super().__init__(self._results, foldable=True)
        self.setToolTip(self.tr("Select a value to copy it"))
        self._rows = FindingRows()
        self.values: dict[str, QLabel] = {}  #: value labels by finding key
        self.reason = SentenceLabel("heading")
        self.why = QPushButton(self.tr("Why?"))
        set_class(self.why, "link")
        self.why.setToolTip(self.tr("Explanation and sources"))
        self.why.clicked.connect(self.whyRequested)
        self.header.addWidget(self.why)
        self.add(self._rows)
        self.add(self.reason)

    def set_findings(self, findings: Findings, explained: bool = False, reason: str = "") -> None:
        """Show findings, or the reason why there are none; `explained` says whether an explanation is available."""
        rows = [
            (
                capital(translated(each.label)),
                translated(format_finding(each, self._form)),
                translated(each.note),
                translated(format_finding(each, "full")),
            )
            for each in findings.values()
        ]
        self.values = dict(zip(findings, self._rows.show_rows(rows), strict=True))
        self.reason.set_sentence(reason)
        self.why.setVisible(explained)

    def set_stale(self, on: bool) -> None:
        self.set_word(self.tr("computing…") if on else "")


_GIVEN_HIGH = 60  # pixels of the picture at text scale 1


class GivingCard(Card):
    """The data that leave the window: a picture, and buttons that save them and copy them or their privacy statement."""

    saveWanted = Signal(object, object)  #: the formats to write, and an earlier design to write instead of the one shown
    clearWanted = Signal()  #: the user wants noise without a seed
    copied = Signal(str)  #: a sentence for the status bar

    def __init__(self) -> None:
        super().__init__(self.tr("What you give away"))
        self.plot, self.told = CurvePlot(), SentenceLabel("small")
        self._given = Given("", "", "", None)
        self.save = push_button(
            self.tr("Save CSV…"), "", lambda: self.saveWanted.emit((self._given.file_format,), self._given.earlier)
        )
        self.column = push_button(self.tr("Copy"), "", self._copy)
        tip = self.tr("Copy the privacy statement: method, privacy and error bound")
        self.statement = push_button(self.tr("Copy statement"), tip, self._copy_statement)
        self.add(self.plot)
        self.clear = push_button(
            self.tr("Clear seed"), self.tr("Draw fresh noise, which may be published"), self.clearWanted.emit
        )
        set_class(self.clear, "link")
        note = QWidget()
        row_of((self.told, 1), self.clear, on=note)
        self.add(note)
        self._buttons = ButtonRow(self.save, self.statement, self.column)
        self.add(self._buttons)
        theme().follow(self._restyle)

    @Slot()
    def _restyle(self) -> None:
        room = Plot.room if self._given.plot is None else self._given.plot.room
        self.plot.setFixedHeight(round(px(_GIVEN_HIGH * room / Plot.room)))

    def show_given(self, given: Given) -> None:
        """Show what is given away, if it is new."""
        if given is self._given:
            return
        self._given, what = given, translated(given.what)
        self.save.setText(self.tr("Save {format}…").format(format=given.file_format.upper()))
        self.save.setToolTip(self.tr("Save {what}").format(what=what))
        self.column.setToolTip(self.tr("Copy {what}").format(what=what))
        self.set_word(translated(given.size))
        self.plot.setVisible(given.plot is not None)
        if given.plot is not None:
            self.plot.show_plot(given.plot)
            self.plot.set_stale(given.earlier is not None)
            self._restyle()
            self.plot.setAccessibleName(capital(what))
        self.told.set_sentence(translated(given.note))
        set_class(self.save, "" if given.seeded else "main")
        self.clear.setVisible(given.seeded)
        policy = self._buttons.sizePolicy()
        policy.setRetainSizeWhenHidden(given.plot is not None)  # no card moves when a release comes
        self._buttons.setSizePolicy(policy)
        self._buttons.setVisible(given.plot is not None and given.ready)

    def set_stale(self, on: bool) -> None:
        """Fade the picture, and give nothing away, while another release is computed."""
        self.plot.set_stale(on)
        self._buttons.setEnabled(not on)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._given.data())
        self.copied.emit(self.tr("On the clipboard: {what}.").format(what=translated(self._given.what)))

    @Slot()
    def _copy_statement(self) -> None:
        QGuiApplication.clipboard().setText(self._given.statement())
        self.copied.emit(self.tr("The privacy statement is on the clipboard."))


def recalled(design: Any, found: Found | None, answered: Callable[[Any], Any]) -> Found | None:
    """Return the newest known release of a design, or else the newest of its column, until another; perhaps `found`."""
    made = [each for each in RECORD.known(design.kind) if each.counts_column(design)]
    if not made:
        return None
    newest = next(reversed([each for each in made if each.releases(design)] or made))
    return found if found is not None and found.value is newest else Found(answered(newest.design), newest)


class PanelCard(Card):
    """A card for a panel; see `CardColumn`."""

    moving = Signal(str, object)  #: something in it is dragged: its target, and the value that it would take
    moved = Signal(str, object)  #: it was dropped there, or clicked
    cancelled = Signal(str)  #: the drag was cancelled

    def set_folded(self, on: bool) -> None:
        """Show only the title, without the word that explains the picture, or everything."""
        super().set_folded(on)
        self._word.setHidden(on)

    def show_panel(self, panel: Any) -> None:
        raise NotImplementedError

    def put_handles(self, place: Place) -> None:
        """Move the handles to the values of the design, even before its answer arrives."""

    def set_stale(self, on: bool) -> None:
        """Fade the panel while a newer one is being computed."""


class PlotCard(PanelCard):
    """A plot under its title and its hint, with its sentences below.

    Parameters
    ----------
    word : str
        The grey word where the plot has no hint, or where its hint does not fit.
    least : float
        The least height of the plot, in pixels at text scale 1.
    bare : bool
        Whether the sentences are left out.
    """

    def __init__(self, word: str = "", least: float = 90, bare: bool = False) -> None:
        super().__init__(" ", word, flexible=True, foldable=True)
        self._word_of_its_own, self._least, self._bare = word, least, bare
        self._words: Sequence[str] = (word,)
        self.plot, self.under = CurvePlot(), SentenceLabel("small")
        self.add(self.plot, 1)
        self.add(self.under)
        self.plot.handleMoving.connect(self.moving)
        self.plot.handleMoved.connect(self.moved)
        self.plot.handleCancelled.connect(self.cancelled)
        theme().follow(self._fit)

    @Slot()
    def _fit(self) -> None:
        self.plot.setMinimumHeight(round(px(self._least)))

    def show_panel(self, panel: Plot) -> None:
        self.set_heading(translated(panel.title))
        self._words = *filter(None, map(translated, panel.captions)), self._word_of_its_own
        self.set_word(*self._words)
        self.plot.show_plot(panel)
        self.under.set_sentence("" if self._bare else " ".join(map(translated, panel.under)))

    def put_handles(self, place: Place) -> None:
        self.plot.set_handles(placed(self.plot.handles(), place))

    def set_stale(self, on: bool) -> None:
        """Fade the plot and say that it is being recomputed."""
        self.plot.set_stale(on)
        self.set_word(*((self.tr("computing…"),) if on else self._words))


class CostCard(PanelCard):
    """Bars under a heading, with a button that explains why the first is the best; less important bars can be unfolded.

    A click on a bar selects what the ranking says.

    Parameters
    ----------
    heading, word : str
        ``"Accuracy"``, and what the bars measure: ``"expected error"``.
    question, tip : str
        The button's name for screen readers, ``"Why is this the best?"``, and its tooltip; without them there is no button.
    """

    whyRequested = Signal()

    def __init__(self, heading: str, word: str, question: str = "", tip: str = "") -> None:
        super().__init__(heading, word, foldable=True)
        self.measure = word  #: what the bars measure
        self._ranking = Ranking("costs", "")
        self.bars = CostBars()
        self.add(self.bars)
        self.all = Disclosure()
        self.all.toggled.connect(self._show)
        self.add(self.all)
        self.note = SentenceLabel("small")
        self.add(self.note)
        self.bars.picked.connect(self.moved)
        why = QPushButton(self.tr("Why?"))
        set_class(why, "link")
        why.setAccessibleName(question)
        why.setToolTip(tip)
        why.clicked.connect(self.whyRequested)
        self.header.addWidget(why)
        why.setHidden(not question)

    def show_panel(self, panel: Ranking) -> None:
        self.set_heading(capital(translated(panel.title)))
        self.set_word(self.measure)
        self.bars.setAccessibleName(capital(translated(panel.title)))
        self.note.set_sentence(translated(panel.note))
        self.show_ranking(panel)

    def show_ranking(self, ranking: Ranking) -> None:
        """Show a ranking, of some only the first bars until the others are unfolded."""
        self._ranking = ranking
        self._show()

    @Slot()
    def _show(self) -> None:
        rows, first = self._ranking.rows, self._ranking.first
        folded = first and not self.all.isChecked()
        self.bars.show_ranking(replace(self._ranking, rows=rows[:first]) if folded else self._ranking)
        hidden = len(rows) - first if first else 0
        more = self.tr("{count} more alternatives").format(count=hidden) if hidden > 0 else ""
        self.all.offer(more, self.tr("Only the main alternatives"))
        self.set_line(translated(self._ranking.read(0)) if rows and not self._ranking.select else "")  # no bar to choose

    def set_stale(self, on: bool) -> None:
        self.bars.set_stale(on)
        self.set_word(self.tr("computing…") if on else self.measure)


class RiskCard(Card):
    """Bars per 100 people, from the same code as the Inspect page."""

    def __init__(self) -> None:
        super().__init__(self.tr("Disclosure risk"), foldable=True)
        self.bars = CostBars()
        self.bars.setAccessibleName(self.tr("Disclosure risk"))
        self._level: tuple[PrivacyLevel, tuple[float, float] | None] | None = None
        self.add(self.bars)

    def show_level(self, level: PrivacyLevel, risks: tuple[float, float] | None = None) -> None:
        """Show the risks at a level; if a delta is allowed, bets won and people found out as probabilities."""
        if (level, risks) != self._level:
            self._level = level, risks
            panel = reader_panel(level) if risks is None else reader_panel_with_delta(*risks, level)
            self.bars.show_ranking(panel)
            won = of_100((panel.rows[0].value or 0) / 100)
            line, short = self.tr("Disclosure risk: ≤ {won} of 100 bets won"), self.tr("Risk: ≤ {won} of 100")
            self.set_line(line.format(won=won), short.format(won=won))


class TickList(QListWidget):
    """Lines with a tick each; seven can be seen at once."""

    opened = Signal(str)  #: the key of a line
    unticked = Signal(str)  #: the keys without a tick, with blanks between them

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        self._lines: Mapping[str, str] = {}
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setStyleSheet("QListWidget::item { padding: 2px 0; }")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentRowChanged.connect(lambda row: self.opened.emit([*self._lines][row]))
        self.itemChanged.connect(self._untick)

    @Slot(QListWidgetItem)
    def _untick(self, changed: QListWidgetItem) -> None:
        ticks = (self.item(row).checkState() == Qt.CheckState.Unchecked for row in range(self.count()))
        self.unticked.emit(" ".join(compress(self._lines, ticks)))
        self.setCurrentItem(changed)

    def show_lines(self, lines: Mapping[str, str], current: str, unticked: Collection[str]) -> None:
        """Show lines by their keys, the current one marked; none are hidden."""
        self.blockSignals(True)
        made, self._lines = len(self._lines) != len(lines), lines
        if made:
            self.clear()
            self.addItems([*lines.values()])
        for row, key in enumerate(lines):
            self.item(row).setText(lines[key])
            self.item(row).setToolTip(lines[key])
            self.item(row).setCheckState(Qt.CheckState.Unchecked if key in unticked else Qt.CheckState.Checked)
        self.setFixedHeight(min(len(lines), 7) * max(self.sizeHintForRow(0), 1) + 4)
        self.setCurrentRow([*lines].index(current) if current in lines else -1)
        if made:
            self.scrollToTop()
        self.blockSignals(False)
        self.setHidden(not lines)
