"""Cards of what comes out: findings, costs beside others, disclosure risk, and a curve against epsilon with a line to drag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import figure
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import styled
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.studies.findings import Findings, format_finding
from dpdesigner.studies.panels import Handle
from dpdesigner.studies.plain_language import reader_panel, reader_panel_with_delta
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
    """Findings, with exact values in their tooltips; or the reason why there are none."""

    whyRequested = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("Results"), foldable=True)
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
                translated(format_finding(each)),
                translated(each.note),
                translated(format_finding(each, "full")),
            )
            for each in findings.values()
        ]
        self.values = dict(zip(findings, self._rows.show_rows(rows), strict=True))
        self.reason.set_sentence(reason)
        self.why.setVisible(explained)

    def set_stale(self, on: bool) -> None:
        """Show that they are being recomputed."""
        self.set_word(self.tr("computing…") if on else "")


_ENDS = 1e-9, 1e9  # ends of the line: an axis has no room for an epsilon of 0 or without bound


class AgainstCard(Card):
    """A curve plot whose line requests designs with another `epsilon` from a column.

    Parameters
    ----------
    heading : str
        ``"Loss against ε"``.
    asking : AskingColumn
        Whose designs have an `epsilon`.
    flexible : bool
        As for `Card`.
    """

    def __init__(self, heading: str, asking: AskingColumn[Any], *, flexible: bool = False) -> None:
        super().__init__(heading, flexible=flexible, foldable=True)
        self.setToolTip(self.tr("Drag the line to set ε"))
        self.curve = CurvePlot()
        self.curve.handleMoving.connect(lambda target, epsilon: asking.drag("epsilon", epsilon, final=False))
        self.curve.handleMoved.connect(lambda target, epsilon: asking.drag("epsilon", epsilon, final=True))
        self.curve.handleCancelled.connect(asking.previewCancelled)
        self.add(self.curve, 1)

    def set_design(self, design: Any) -> None:
        """Put the line at the `privacy` of a design, even before its answer arrives."""
        epsilon = design.privacy.epsilon_above
        place = min(max(epsilon, _ENDS[0]), _ENDS[1])
        self.curve.set_handles((Handle(place, f"ε = {figure(epsilon, 4)}", "epsilon"),))

    def set_stale(self, on: bool) -> None:
        """Fade the curve and show that it is being recomputed."""
        self.curve.set_stale(on)
        self.set_word(self.tr("computing…") if on else "")


class CostCard(Card):
    """Bars under a heading, with a button that explains why the first is the best; less important bars can be unfolded.

    Parameters
    ----------
    heading, word : str
        ``"Accuracy"``, and what the bars measure: ``"expected error"``.
    question, tip : str
        The button's name for screen readers, ``"Why is this the best?"``, and its tooltip.
    """

    whyRequested = Signal()

    def __init__(self, heading: str, word: str, question: str, tip: str) -> None:
        super().__init__(heading, word, foldable=True)
        self._measure = word
        self._ranking = Ranking("costs", "")
        self.bars = CostBars()
        self.add(self.bars)
        self.all = QPushButton()
        self.all.setCheckable(True)
        set_class(self.all, "link")
        self.all.toggled.connect(self._show)
        self.all.hide()
        self.add(self.all)
        why = QPushButton(self.tr("Why?"))
        set_class(why, "link")
        why.setAccessibleName(question)
        why.setToolTip(tip)
        why.clicked.connect(self.whyRequested)
        self.header.addWidget(why)

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
        words = self.tr("▸ All alternatives ({count} more)") if folded else self.tr("▾ Only the main alternatives")
        if (text := words.format(count=hidden)) != self.all.text():
            self.all.setText(text)
        if (hidden > 0) == self.all.isHidden():
            self.all.setVisible(hidden > 0)

    def set_measure(self, word: str) -> None:
        """Say what the bars measure."""
        self._measure = word
        self.set_word(word)

    def set_stale(self, on: bool) -> None:
        """Show that the losses are being recomputed."""
        self.set_word(self.tr("computing…") if on else self._measure)


class RiskCard(Card):
    """Bars per 100 people, from the same code as the Inspect page."""

    def __init__(self) -> None:
        super().__init__(self.tr("Disclosure risk"), self.tr("of 100"), foldable=True)
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
            first = panel.rows[0]
            self.set_line(self.tr("{risk}: at most {value}").format(risk=translated(first.label), value=first.text))
