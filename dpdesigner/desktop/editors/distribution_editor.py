"""The editor in which people draw their prior for a count: bars to paint, a curve to bend, a table to type in."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPoint, QSize, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStackedWidget

from dpdesigner.core.basics.named_priors import parameters
from dpdesigner.core.basics.parsing import cut, exact, nearest
from dpdesigner.core.basics.prior import Prior, Weights, weights_of_text
from dpdesigner.core.basics.rounding import brief, group_thousands
from dpdesigner.desktop.background.tables import choose_column, count_columns_of, counts_of
from dpdesigner.desktop.base.labels import ErrorLine, ReadOut
from dpdesigner.desktop.base.layouts import FittedWidget, column_of
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import capital, tr
from dpdesigner.desktop.editors.distribution_controls import DistributionControls, PresetForm, interval_quantiles
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.editors.distribution_table import DistributionTable
from dpdesigner.desktop.editors.weight_rules import Floats, Rules, alike, checked, drawable, mirrored, refit, replaced, smoothed
from dpdesigner.errors import InputError

_RARE = 1 / 20  # a probability that people can picture: the smallest count exceeded no more often is used


def rarely_above(weights: Floats) -> tuple[int, float] | None:
    """Return a count and the probability of more: at most 1 in 20 if possible; None if it is uninformative, or flat above."""
    above = np.cumsum(weights[:0:-1])[::-1] / float(weights.sum())  # P(count > q) for q in 0..n - 1
    rare = np.flatnonzero((above > 0) & (above <= _RARE * (1 + 1e-9)))
    some = np.flatnonzero(above > 0)
    if not some.size:
        return None
    count = int(rare[0] if rare.size else some[-1])
    flat = np.ptp(weights[count:]) <= 1e-9 * weights[count]  # so nobody has drawn there
    return None if flat or above[count] > 0.5 else (count, float(above[count]))


def described(weights: Floats, count: int | None) -> str:
    """Return the description of a count for screen readers; empty if there is no count."""
    if count is None or count >= len(weights):
        return ""
    percent = brief(100 * float(weights[count]) / float(weights.sum()))
    return tr("count {count}: {percent} percent").format(count=count, percent=percent)


class AskingLine(QStackedWidget):
    """A line that shows what a shape means; after a stroke it asks back, until a bar is hovered or a click says it in numbers."""

    restored = Signal()  #: the user wants back what was there before everything was erased
    answered = Signal(str)  #: the question was clicked: the equivalent quantiles, for example ``"smooth-quantiles:96%=9"``

    def __init__(self) -> None:
        super().__init__()
        self.warning = ""  #: why a gesture was not followed in full; takes precedence over other text
        self.reading = ReadOut(style="small")
        self.setToolTip(self.tr("Drag to paint, click to select, right-drag to erase"))  # where the reading has none of its own
        self.question = QPushButton()
        set_class(self.question, "link")
        self.question.setStyleSheet("padding: 0px; text-align: left;")
        self._tip = self.tr("Click to enter it in numbers")
        self.question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.question.clicked.connect(self._answer)
        self._asked: Floats | None = None
        self._versions: tuple[str, ...] = ()
        self._spec, self._blank = "", False
        self.addWidget(self.reading)
        self.addWidget(self.question)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def read(self, weights: Floats, count: int | None) -> None:
        """Show the probability of a count, and of that count or fewer."""
        if count is None or count >= len(weights):
            self._say("")
            return
        total = float(weights.sum())
        exactly, below = brief(100 * float(weights[count]) / total), brief(100 * float(weights[: count + 1].sum()) / total)
        long = self.tr("P(count = {count}) = {percent}%, P(count ≤ {count}) = {below}%")
        short = self.tr("P(= {count}) = {percent}%, P(≤ {count}) = {below}%")
        self._say(*(words.format(count=count, percent=exactly, below=below) for words in (long, short)))

    def _say(self, *versions: str) -> None:
        self.reading.set_style("error" if self.warning else "small")
        self.reading.setText(*((self.warning,) if self.warning else versions))

    def ask(self, weights: Floats, fitted: bool = False) -> None:
        """Ask whether a shape is intended; for a fitted one, first name its most likely count."""
        rare, n = rarely_above(weights), len(weights) - 1
        self._asked = None if rare is None else weights.copy()
        if rare is not None:
            count, chance = rare
            sure = min(max(round(100 * (1 - chance)), 1), 99)
            self._spec = f"smooth-quantiles:{interval_quantiles(str(sure), '0', str(count), n)}"
            words: tuple[str, ...] = (
                self.tr("Do you think the count is {where} with probability 1 in {odds}?"),
                self.tr("You believe: {where} in 1 of {odds} cases. Change"),
                self.tr("{where} in 1 of {odds} cases?"),
            )
            if fitted:
                more = self.tr("So you think {likeliest} is most likely, and {where} has probability 1 in {odds}?")
                words = (more, self.tr("So you think it is {where} with probability 1 in {odds}?"), words[2])
            where = self.tr("exactly {count}").format(count=n) if count + 1 == n else self.tr("above {count}").format(count=count)
            given = {"odds": round(1 / chance), "where": where, "likeliest": int(weights.argmax())}
            self._versions = tuple(capital(text.format(**given)) for text in words)
        self.point(False)

    def offer(self, on: bool) -> None:
        """Offer to restore what was there before all was erased, or withdraw the offer."""
        self._blank = on
        self.point(False)

    def forget(self, shown: Floats) -> None:
        """Withdraw the question, unless it is about the shape shown."""
        if self._asked is not None and not alike(shown, self._asked):
            self._asked = None
            self.point(False)

    def point(self, on: bool) -> None:
        """Show the line while a bar is hovered, and the question again afterwards."""
        self.setCurrentIndex(1 if self._blank or (self._asked is not None and not on) else 0)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics, versions = self.question.fontMetrics(), self._versions
        if self._blank:
            versions = (self.tr("Nothing is painted. Restore the previous prior"), self.tr("Restore the previous belief"))
        fitting = (text for text in versions if metrics.horizontalAdvance(text) <= self.width() - 4)
        self.question.setText(next(fitting, versions[-1] if versions else ""))
        tip = self.tr("Restore the previous prior, like Esc") if self._blank else self._tip
        self.question.setToolTip(tip)

    @Slot()
    def _answer(self) -> None:
        if self._blank:
            self.restored.emit()
        else:
            self._asked = None
            self.point(False)
            self.answered.emit(self._spec)


_LEAST_HEIGHT = 116  # pixels of the bars with their axis, at text scale 1
_MOST_TEXTS = 2000  # weights that are shown as entered
_LARGEST_PREVIEWED = 100_000  # bars: checking a design with more takes longer than a frame, so that it comes at the end of a drag


class _Note(ErrorLine):
    """A note about the prior, which stays where errors are cleared."""

    def clear(self) -> None:
        pass


class DistributionEditor(FittedWidget):
    """An editor of weights over 0..n that requests changes. Their sum does not matter: the axis shows shares of it.

    Values that come from outside are shown and emit nothing. Every gesture is previewed by `changing` and ends in one
    `changed`, or in `cancelled`.
    """

    changing = Signal(object)  #: array of weights, at most once per mouse event, during a gesture
    changed = Signal(object, str)  #: array of weights, tuple of texts, a name or the `Prior` of a file; label of the undo step
    cancelled = Signal()  #: a gesture was cancelled, or ended where it began
    emptied = Signal(bool)  #: whether everything was erased; no other signal is emitted then
    selected = Signal(int)  #: a count was selected
    hovered = Signal(object)  #: the count under the mouse, or None
    pinRequested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.texts: tuple[str, ...] | None = None  #: the weights as entered
        self.spec = ""  #: the name and parameters of the shape, if it has a name
        self.widens = False  #: whether the page takes priors over another n
        self.used = False  #: whether the user has discovered how to use this
        self._presenting = False
        self.asking, self.error, self.note = AskingLine(), ErrorLine(), _Note()
        self._shown: Prior | None = None
        self.plot, self.table = DistributionPlot(), DistributionTable()
        self.presets = PresetForm()
        self.presets.follows = self.plot
        self.controls = DistributionControls(self.presets)
        self.setAccessibleName(self.tr("Prior"))
        self.plot.setAccessibleName(self.tr("Prior: how likely each count is"))
        self.stack = QStackedWidget()
        for view in (self.plot, self.table):
            self.stack.addWidget(view)
        theme().follow(self._restyle)
        column_of(self.asking, (self.stack, 1), self.presets, self.note, self.error, self.controls, on=self, gap=4)
        self._wanted = ""  # the name and parameters last requested
        self._named_n: int | None = None  # that of named priors, where the bars show only a part
        self.set_distribution(np.ones(1))
        self._connect()

    def set_prior(self, prior: Prior, whole: Prior | None = None) -> None:
        """Show a prior as it was given, by its name or its weights, with the name of the whole that it is cut from."""
        given, named = prior.specification, (whole or prior).specification
        many = isinstance(given, Weights) and len(given) > _MOST_TEXTS
        texts = None if isinstance(given, str) or many else tuple(map(str, given))
        self._named_n = None if whole is None else whole.n
        self.set_distribution(prior.weights, texts=texts, spec=named if isinstance(named, str) else "")
        self._show_note(prior)

    def _show_note(self, prior: Prior | None) -> None:
        """Say of a prior from a column how it differs from that, and that nothing protects it."""
        self._shown = prior
        if prior is None or not prior.source or self._presenting:
            self.note.set_sentence("")
            return
        words = self.tr("Counted without noise: do not publish this prior or any file that contains it.")
        warning = (words,) if prior.origin else ()
        told = " ".join((*(f"{part if part.startswith('n =') else capital(part)}." for part in prior.notes), *warning))
        n = prior.largest
        if not self.widens or not n or prior.n / 2 < n <= prior.n:
            self.note.set_sentence(told, "small")
        else:
            words, most = self.tr("Set n = {n}"), self.tr("Largest count: {n}, taken from the data: not private.")
            words, most = (text.format(n=group_thousands(n)) for text in (words, most))

            def take() -> None:
                self.changed.emit(prior.resized(n, taken=True), words)

            self.note.set_remedy(f"{most} {told}", words, take, "small")

    def set_distribution(self, weights: ArrayLike, *, texts: tuple[str, ...] | None = None, spec: str = "") -> None:
        """Show a prior and emit nothing; a gesture in progress continues if these are its current weights.

        Parameters
        ----------
        weights : array (n + 1,)
            Finite, at or above 0, not all 0. They need not sum to 1.
        texts : tuple of str, optional
            The weights as the user gave them, for the table. Without them, the table shows probabilities.
        spec : str
            The name and the parameters of a prior that has a name, such as ``"binomial:0.3"``.

        Raises
        ------
        InputError
            If the weights cannot be a prior, or the texts are not as many. What was shown stays.
        """
        shown = checked(weights, None if texts is None else len(texts))
        if self.plot.busy and alike(shown, self.plot.weights):
            return
        self.texts, self.spec, self.asking.warning = texts, spec, ""
        fitted, self._wanted = bool(spec) and spec == self._wanted, ""
        another = len(shown) != len(self.plot.weights)
        self.plot.set_weights(drawable(shown, given=texts is not None))
        if another:
            self.plot.unlock()
        self.error.clear()
        self.asking.forget(self.plot.weights)
        if fitted and spec.startswith("smooth-quantiles"):
            self.asking.ask(self.plot.weights, fitted)
        self.refresh()

    @Slot()
    def _restyle(self) -> None:
        self.stack.setMinimumHeight(round(_LEAST_HEIGHT * theme().scale))

    @property
    def count(self) -> int | None:
        return self.plot.bars.selected

    def set_selected(self, count: int | None) -> None:
        """Mark a count; emit nothing."""
        self.plot.set_selected(count)
        self.table.show_count(count)
        self.controls.show_rules(self.plot.rules, count)
        self.read_out()

    def figure(self) -> DistributionPlot:
        """Return the part that is saved as a picture."""
        return self.plot

    @Slot(str)
    def set_mode(self, mode: str) -> None:
        """Show the bars to paint (``"paint"``), the curve to bend (``"curve"``) or the ``"table"``."""
        self.plot.cancel()
        self.plot.set_blank(False)
        self.controls.show_mode(mode)
        self.error.clear()
        self.asking.warning = ""
        if mode == "table":
            self._fill_table()
        else:
            self.plot.set_mode("curve" if mode == "curve" else "paint")
        self.stack.setCurrentWidget(self.table if mode == "table" else self.plot)
        self.refresh()

    def set_presenting(self, on: bool) -> None:
        self.controls.setVisible(not on)
        self._presenting = on
        self._show_note(self._shown)
        self.refresh()

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height of the least plot and the rows of buttons at the current width."""
        least, layout = super().minimumSizeHint(), self.layout()
        return QSize(least.width(), least.height() if layout is None else layout.minimumHeightForWidth(self.width()))

    @Slot()
    def refresh(self) -> None:
        """Update everything around the bars."""
        if self.stack.currentWidget() is self.table:
            self._fill_table()
        self.presets.show_spec("" if self._presenting else self.spec, self._named_n or len(self.plot.weights) - 1)
        self.controls.show_rules(self.plot.rules, self.count)
        self.read_out()

    def _fill_table(self) -> None:
        self.table.rows.show_weights(self.plot.weights, self.texts, self.plot.rules.locked)
        self.table.show_count(self.count)

    @Slot()
    def read_out(self) -> None:
        """Show the probability of the count under the mouse, otherwise of the selected one, and describe the selected one."""
        weights, place = self.plot.weights, self.plot.hovered_count
        self.plot.setAccessibleDescription(described(weights, self.count))
        if place is None and not self.used and not self._presenting and self.stack.currentWidget() is self.plot:
            self.asking.read(weights, None)
        else:
            self.asking.read(weights, self.count if place is None else place)

    def _connect(self) -> None:
        plot, table, controls = self.plot, self.table, self.controls
        plot.changing.connect(self._preview)
        plot.changed.connect(self._conclude)
        plot.cancelled.connect(self._give_up)
        plot.explained.connect(self._explain)
        plot.pointed.connect(self._point)
        plot.menu_wanted.connect(self._open_menu)
        plot.rules_changed.connect(self.refresh)
        plot.blanked.connect(self.asking.offer)
        plot.blanked.connect(self.read_out)
        plot.blanked.connect(self.emptied)
        self.asking.restored.connect(self.bring_back)
        self.asking.answered.connect(self._say_in_numbers)
        plot.brush_changed.connect(controls.brush.show_brush)
        table.rows.typed.connect(self._type)
        table.rows.shared.connect(self._type_share)
        table.rows.refused.connect(self.error.set_sentence)
        table.stepped.connect(plot.step)
        plot.gesture.watch(table)
        for view in (plot, table):
            view.chosen.connect(self._choose)
            view.lock_wanted.connect(plot.toggle_lock)
        self.presets.chosen.connect(self.error.clear)
        self.presets.chosen.connect(self._choose_preset)
        self.presets.refused.connect(self.error.set_error)
        controls.mode_chosen.connect(self.set_mode)
        controls.brush.changed.connect(plot.set_brush)
        controls.smooth_wanted.connect(self.smooth)
        controls.mirror_wanted.connect(self.mirror)
        controls.hold_chosen.connect(plot.set_hold_total)
        controls.lock_wanted.connect(plot.toggle_selected)
        controls.unlock_wanted.connect(plot.unlock)
        controls.pin_wanted.connect(self.pinRequested)
        controls.csv_wanted.connect(lambda: self.open_counts())
        controls.paste_wanted.connect(self.paste)

    @Slot(object)
    def _point(self, count: int | None) -> None:
        if not self.plot.busy:
            self.asking.warning = ""
        self.asking.point(count is not None)
        self.read_out()
        self.hovered.emit(count)

    @Slot(str)
    def _explain(self, words: str) -> None:
        self.asking.warning = words
        self.read_out()

    @Slot(object)
    def _preview(self, weights: Floats) -> None:
        self.used = True
        if self.stack.currentWidget() is self.table:
            self.table.rows.show_weights(weights, None, self.plot.rules.locked)
        if len(weights) <= _LARGEST_PREVIEWED:
            self.changing.emit(self._edited(weights.copy()))

    @Slot(object, str)
    def _conclude(self, weights: Floats, label: str) -> None:
        self.used = True
        self.texts, self.spec = None, ""
        self.refresh()
        edited = self._edited(weights.copy())
        if not isinstance(edited, Prior):  # otherwise nobody believes it: it is in the data
            self.asking.ask(weights)
        self.changed.emit(edited, label)

    @Slot(str)
    def _say_in_numbers(self, spec: str) -> None:
        """Open the form with the quantiles of the shape."""
        self.presets.show_quantiles(spec, len(self.plot.weights) - 1)

    @Slot(str)
    def _choose_preset(self, spec: str) -> None:
        """Request a named prior; what is typed about a drawn shape keeps the shape within and outside the interval."""
        (name, _, text), n = spec.partition(":"), len(self.plot.weights) - 1
        label = self.tr("Choose {name} prior").format(name=name)
        if self.spec or not self.presets.typed:
            self._wanted = spec
            self.changed.emit(spec, label)
            return
        with self.error.saying():
            self.changed.emit(self._edited(refit(self.plot.weights, parameters(name, text, n))), label)
            self.presets.show_quantiles(spec, n)

    @Slot(object)
    def _give_up(self, weights: Floats) -> None:
        self.refresh()
        if len(weights) <= _LARGEST_PREVIEWED:
            self.changing.emit(self._edited(weights.copy()))
        self.cancelled.emit()

    @Slot(int, str)
    def _type(self, count: int, text: str) -> None:
        rows, plot = self.table.rows, self.plot
        label = self.tr("Set count {count} to {text}").format(count=count, text=text)
        settled = replaced(plot.weights, count, self._drawn(rows.check(count, text)), plot.rules)
        why_not = plot.why_not(count, settled)
        self.error.set_sentence(why_not)
        if why_not:
            return
        if plot.rules.bind:
            plot.commit(settled, label)
        else:
            self._take_texts(rows.with_text(count, text), settled.weights, label)

    def _drawn(self, weight: float) -> float:
        """Return a typed weight on the scale of the bars, which show very large and very small weights as probabilities."""
        highest = float(self.plot.weights.max())
        largest = highest if self.texts is None else max(nearest(exact(text)) for text in self.texts)
        return weight if largest == highest else weight / largest * highest

    @Slot(int, object)
    def _type_share(self, count: int, share: Fraction) -> None:
        """Give a count a share of the total; the others share the rest."""
        plot, percent = self.plot, brief(float(100 * share))
        label = self.tr("Set count {count} to {percent}%").format(count=count, percent=percent)
        if plot.rules.locked:
            value = float(share) * float(plot.weights.sum())
            plot.commit(replaced(plot.weights, count, value, Rules(plot.rules.locked, True)), label)
            return
        try:
            texts = self.table.rows.with_share(count, share)
        except InputError as error:
            self.error.set_error(error)
            return
        self.error.clear()
        self._take_texts(texts, drawable(checked([nearest(exact(text)) for text in texts]), given=True), label)

    def _take_texts(self, texts: tuple[str, ...], weights: Floats, label: str) -> None:
        """Show typed weights, and request them as they are written."""
        self.plot.set_weights(weights)
        self.texts, self.spec = texts, ""
        self.refresh()
        self.plot.anew = False
        self.changed.emit(self._edited(texts), label)

    def _edited(self, weights: Any) -> Any:
        """Return weights as those of a counted prior that was edited, unless that was erased first."""
        shown = self._shown
        return weights if shown is None or not shown.source or self.plot.anew else shown.edited(weights)

    @Slot(int)
    def _choose(self, count: int) -> None:
        self.used, self.asking.warning = True, ""
        self.set_selected(count)
        self.selected.emit(count)

    @Slot()
    def bring_back(self) -> None:
        """Restore the shape that was there before everything was erased."""
        self.plot.set_blank(False)
        self.plot.setFocus()

    @Slot()
    def smooth(self) -> None:
        """Average each bar with its neighbours."""
        self.plot.commit(smoothed(self.plot.weights, self.plot.rules), self.tr("Smooth prior"))

    @Slot()
    def mirror(self) -> None:
        """Mirror the shape."""
        self.plot.commit(mirrored(self.plot.weights, self.plot.rules), self.tr("Mirror prior"))

    @Slot()
    def paste(self) -> None:
        """Request a prior from the numbers on the clipboard: its weights, or counts."""
        text = QGuiApplication.clipboard().text()
        self.error.clear()
        if not text.strip():
            self.error.set_sentence(self.tr("There is no text on the clipboard; copy a column of numbers first."))
            return
        with self.error.saying():
            self.changed.emit(weights_of_text(text, len(self.plot.weights) - 1), self.tr("Paste prior"))

    def open_counts(self, path: str = "") -> None:
        """Request a prior from a column of counts in a table; ask for one if the path is empty."""
        rows = self.tr("Each row is one earlier count, for example of one day. One row per person? Use Histogram.")
        question = f"{rows}\n{self.tr('Which column of {name} holds the counts?')}"
        with self.error.saying():
            choose_column(self, self.tr("Prior from a column of counts"), question, self.take_counts, count_columns_of, path)

    def take_counts(self, path: str, column: str) -> None:
        """Request the prior of a column of counts, unless most are beyond the range."""
        self.error.clear()
        with self.error.saying():
            (counts, blank), n = counts_of(path, column, self), len(self.plot.weights) - 1
            named = self.tr("column {column}").format(column=column) if column.isdecimal() else column
            source = ", ".join(cut(part, 140) for part in (named, Path(path).name) if part)
            label = self.tr("Prior from {source}").format(source=source)
            if blank:
                source += f"; {group_thousands(blank)} blank {'cell' if blank == 1 else 'cells'} left out"
            above, most = sum(count > n for count in counts), max(counts)

            def take(n: int, taken: bool = False) -> None:
                counted = Prior.of_counts(counts, n, source, taken)
                self.changed.emit(counted, label)
                if not self.widens:  # the page keeps the weights only
                    self._show_note(counted)

            if 2 * above <= len(counts):
                take(n)
                return
            told = self.tr("{above} of {all} counts are above n = {n}: too many for the last bar.")
            told = told.format(above=group_thousands(above), all=group_thousands(len(counts)), n=group_thousands(n))
            if not self.widens:
                raise InputError(told)
            self.error.set_remedy(told, self.tr("Set n = {n}").format(n=group_thousands(most)), partial(take, most, taken=True))

    @Slot(int, QPoint)
    def _open_menu(self, count: int, at: QPoint) -> None:
        self._choose(count)
        self.controls.open_menu(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        else:
            super().keyPressEvent(event)
