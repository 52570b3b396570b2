"""The audience page: readers on the left, one release with a remap strip for each in the middle, the cost of separate tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QBoxLayout, QWidget

from dpdesigner.core.basics.rounding import figure
from dpdesigner.desktop.base.card import Folding
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.editors.odds import bet
from dpdesigner.desktop.output.export_dialog import save_text
from dpdesigner.desktop.pages.audience.readers_field import ReadersField
from dpdesigner.desktop.pages.audience.remap_strips import LevelStripsPanel, RemapStripsPanel
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.page import Part
from dpdesigner.desktop.pages.kit.panel_views import PanelView
from dpdesigner.desktop.pages.kit.summary import Portrait, Summary
from dpdesigner.files.audience_export import AudienceExport
from dpdesigner.studies.base import Answer, Panel, for_owner
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.findings import Findings
from dpdesigner.studies.inspect.audience_answer import AudienceAnswer
from dpdesigner.studies.inspect.audience_design import TABLE, AudienceDesign
from dpdesigner.studies.inspect.audience_run import existing
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.snapshot import Action, Snapshot


class AudiencePage(DeclaredPage):
    """Publish one number for many readers, and see that none of them could be served better."""

    kind = "audience"
    tables_in_middle = True
    fields: ClassVar[Mapping[str, Callable[[DeclaredInput], Field]]] = {"readers": ReadersField}
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"release": RemapStripsPanel, "chain": LevelStripsPanel}
    widths = 331, 513, 307

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        self.readers: ReadersField = self._inputs.fields["readers"]
        self._inputs.column.insertWidget(2, self.readers.editor, 1)
        self._inputs.cards.insert(2, self.readers.editor)
        if isinstance(results := self._results.layout(), QBoxLayout):  # the readers' cards go before the results for all readers
            results.insertWidget(1, self._results.findings)
        preferences().changed.connect(self._show)
        self._inputs.field("readers", self.readers.show_error)
        for key in ("levels", "table"):  # seen without scrolling in the view that asks for them
            self._inputs.column.insertWidget(1, self._inputs.fields[key])
        self._inputs.field("table", lambda error: self._inputs.fields["table"].show_failure(error, self._told_table))
        folded = self._inputs.cards[3], self.readers.editor.rest, self._inputs.fields["privacy"].control
        self._inputs.folding = Folding(self._inputs, folded)
        self._inputs.fields["privacy"].control.leave_alpha_out()
        self.readers.chosen.connect(lambda place: self.look(reader=place))
        self._results.chosen = self._of_all
        self._told: tuple[str, Any, Summary] = "", "", Summary()
        super().lay_out(columns)

    def summary(self) -> Summary:
        """Return the current texts of the header; where a table cannot be read, those before, pale."""
        summary = super().summary()
        if self.answer is not None:
            self._told = self.answer.design.name, self.answer.design.table, summary
        words = self.tr("<b>The new table cannot be read.</b> All numbers shown are those from before it.")
        old = replace(self._told[-1], line=summary.line, facts=(), sentence=(words,))
        return summary if self._told_table is None else old

    @property
    def _told_table(self) -> Any:
        """The table before one that cannot be read; None if there is none."""
        return self._told[1] if self.failed and self.design is not None and self._told[0] == self.design.name else None

    def button_actions(self) -> Sequence[Action]:
        word, done, fit = self.tr("Copy the note"), self.tr("Copied to the clipboard."), lambda now: not self._refused
        way = partial(self._hand_over, lambda export, place: done if self._put(export.note(place)) else "")
        copy = Action(self.tr("Copy"), way, self.tr("The note as text"), on="note", command=word, when=fit, main=True)
        way = partial(self._hand_over, lambda export, place: done if self._put(export.note(*range(len(export.stems)))) else "")
        every = Action(self.tr("Copy all"), way, self.tr("The notes of all readers as text"), on="note", when=fit)
        title, tip = self.tr("Save the note…"), self.tr("The note as text, or the reading as a table")
        way = partial(self._hand_over, lambda export, place: save_text(self, title, *export.note_file(place)))
        save = Action(self.tr("Save…"), way, tip, on="note", command=title, when=fit)
        word, tip = self.tr("Open a table…"), self.tr("Read a table from a file")
        mine = replace(TABLE, text=word, run=lambda now: self._inputs.fields["table"].choose_file(), tip=tip, main=True)
        return (mine, *super().button_actions(), copy, every, save)

    def _hand_over(self, way: Callable[[AudienceExport, int], str], now: Snapshot) -> None:
        if told := way(AudienceExport(now.answer), min(int(now.view["reader"]), len(now.answer.results) - 1)):
            self.message.emit(told)

    @classmethod
    def starting_view(cls, study: Any) -> Mapping[str, Any]:
        return {"view": "table" if study.table != "" else "levels"} if study.table != "" or study.levels else {}

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        if study.table != "":
            return Portrait({}, matrix=existing(study)[1].doubles)
        priors = [spec.reader(study.n).prior.probabilities for spec in study.readers if not spec.caution]
        return Portrait({}, matrix=np.array(priors) if priors else None)

    def parts(self) -> Sequence[Part[Any, Any]]:
        ranges = lambda s: (s.design.n if s.design.table == "" else s.answer.n, s.design.n)  # noqa: E731 # a table has its own
        range_ = Part(None, ranges, self.readers.show_range)
        asked = Part(None, lambda s: (s.view["view"], s.design), self._show_asked)
        return (*super().parts(), Part(None, lambda s: (s.view["reader"],), self.readers.select), range_, asked)

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Return the panels; on the right those about one release or, in the view of the levels, about the levels."""
        middle, beside = super().shared_out(answer)
        own, view = [panel for panel in beside if isinstance(panel, Plot) and panel.key == "precision"], self.view["view"]
        if own and view == "levels" and (spent := answer.design.spent) is not None:  # beside it the losses, and what all cost
            words = self.tr("All levels together have ε = {epsilon}. {bet}")
            cost = words.format(epsilon=figure(spent.level.epsilon_above, 4), bet=bet(spent.level))
            return middle[1:], [replace(own[0], under=(*own[0].under, cost)), middle[0]]
        away = "precision", "targets", "level" * (view != "note")  # the curves of all readers have the targets
        return middle, [panel for panel in beside if panel.key not in away]

    def panels_of(self, answer: Answer) -> list[Panel]:
        """Return the visible panels; those of a table or levels that can be tried are pale."""
        panels = super().panels_of(answer)
        self.waiting.update({panel.key: True for panel in panels if for_owner(panel)})
        return panels

    def _of_all(self, answer: AudienceAnswer) -> Findings:
        """Return the numbers of all readers together if exact details are shown or no card has those of each reader."""
        every = answer.findings.items() if preferences().choices.exact or "separate" not in answer.panels else ()
        return {key: found for key, found in every if "/" not in key and key not in ("served", "kernels", "levels_epsilon")}

    def _show_asked(self, view: str, design: AudienceDesign) -> None:
        """Show the inputs of a view with it, or where they are given, and the ε of all levels instead of the release alone."""
        level = design.spent.level if design.levels and design.table == "" else None
        privacy = self._inputs.fields["privacy"]
        told, word = self.tr("This sets the release. All levels together have"), self.tr("all levels: {word} privacy")
        privacy.control.set_attained(level, told, word)
        own = {"levels": len(design.levels) not in (0, len(design.drawn)), "table": False}.get(view, True)  # sets what is seen
        privacy.setVisible(design.table == "" and own)
        QTimer.singleShot(250, privacy, lambda: privacy.control.fit_presets(0))  # a scroll bar may have come and gone
        for field in (self._inputs.fields["table"], self._inputs.fields["levels"]):
            field.setVisible(field.asked.matters(design) and bool(field.asked.of(design) or view == field.asked.key))
