"""Named priors: their menu, and a sentence with boxes in which the parameters of the one in force are typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from dpdesigner.core.named_priors import parameters
from dpdesigner.desktop.theme import set_class
from dpdesigner.desktop.widgets.preset_values import QUANTILES, default_parameters, interval_quantiles, quantile_interval
from dpdesigner.desktop.widgets.value_box import ValueBox
from dpdesigner.desktop.widgets.wrap_layout import WrapLayout
from dpdesigner.errors import InputError

_SHARES = ("binomial", "geometric", "quantiles")  # whose boxes hold shares rather than counts
_BOX = re.compile(r"\[(.*?)\]")  # in a sentence: what the box in its place is called


class PresetForm(QWidget):
    """Shows a named prior as a sentence and asks for others; hidden for priors without parameters or without a name."""

    chosen = Signal(str)  #: a prior by name, such as ``"binomial:0.3"``
    refused = Signal(object, object)  #: the `InputError` that says why the parameters cannot be, and the box it is about, or None

    def __init__(self) -> None:
        super().__init__()
        self._name, self._n = "", 1
        self._shown = ("", 1)
        self.boxes: list[ValueBox] = []
        self._parts: list[QWidget] = []
        self._row = WrapLayout(self, gap=4)
        self.hide()

    def fill(self, menu: QMenu) -> None:
        """Put the named priors into a menu."""
        for name, (title, sentence) in self._texts().items():
            menu.addAction(f"{title}…" if sentence else title).triggered.connect(partial(self.choose, name))

    def choose(self, name: str, checked: bool = False) -> None:
        """Ask for the prior of a name, with parameters that suit n."""
        try:
            text = self._spec(name, default_parameters(name, self._n))
            parameters(name, text, self._n)
        except InputError as error:
            self.refused.emit(error, None)
            return
        self.chosen.emit(f"{name}:{text}" if text else name)

    def show_spec(self, spec: str, n: int) -> None:
        """Show the prior in force; an empty spec for one that was drawn. What is being typed stays."""
        name, _, text = spec.partition(":")
        self._n = n
        values = self._typed(name, text) if text and name in self._texts() else []
        sentence = self._texts()[name][1] if values else ""
        if (sentence, self._n) != self._shown:
            self._build(name, sentence)
        for box, value in zip(self.boxes, values, strict=True):
            box.show_value(value)
        self.setVisible(bool(values))

    def _texts(self) -> dict[str, tuple[str, str]]:
        """The title of each prior, and the sentence for its parameters: [name of a box]."""
        rows = self._n
        return {
            "uniform": (self.tr("Uniform"), ""),
            "binomial": (self.tr("Binomial"), self.tr("Each of {n} rows counts with chance [chance]").format(n=rows)),
            "poisson": (self.tr("Poisson"), self.tr("Rare events, [mean] on average")),
            "geometric": (self.tr("Geometric"), self.tr("Each count is [ratio] times as likely as the one before")),
            "spike": (self.tr("Spike"), self.tr("Certainly [count]")),
            "two-peak": (self.tr("Two peaks"), self.tr("Around [first peak] or around [second peak]")),
            "triangular": (
                self.tr("Triangular"),
                self.tr("From [least count] to [largest count], most likely [likeliest count]"),
            ),
            "quantiles": (
                self.tr("From quantiles"),
                self.tr("[certainty] % sure: between [least count] and [largest count]"),
            ),
        }

    def _build(self, name: str, sentence: str) -> None:
        self._name, self._shown = name, (sentence, self._n)
        while self._row.takeAt(0) is not None:
            pass
        for old in self._parts:
            old.hide()
            old.deleteLater()
        self.boxes, self._parts = [], []
        for place, part in enumerate(_BOX.split(sentence)):
            if place % 2:
                box = ValueBox("0.33" if name in _SHARES else str(max(self._n, 10)), self)
                box.setAccessibleName(part)
                box.setToolTip(self.tr("A number such as 0.2, 1/3 or 20%") if name in _SHARES else self.tr("A count"))
                box.committed.connect(self._commit)
                self.boxes.append(box)
                self._parts.append(box)
                continue
            for word in part.split():
                label = QLabel(word, self)
                set_class(label, "small")
                self._parts.append(label)
        for widget in self._parts:
            self._row.addWidget(widget)
            widget.show()

    def _commit(self, text: str) -> None:
        values = [box.text().strip() for box in self.boxes]
        try:
            spec = self._spec(self._name, values)
            parameters(self._name, spec, self._n)
        except InputError as error:
            sender = self.sender()
            box = self.boxes[QUANTILES.index(error.field)] if error.field in QUANTILES else sender
            if isinstance(box, ValueBox):
                self.refused.emit(error, box)
                box.set_invalid(True)
            return
        for box in self.boxes:
            box.set_invalid(False)
        self.chosen.emit(f"{self._name}:{spec}")

    def _spec(self, name: str, values: Sequence[str]) -> str:
        """Return the parameters as a prior takes them, from the boxes in the order of the sentence."""
        if name == "triangular":
            return ",".join((values[0], values[2], values[1]))
        if name == "quantiles":
            return interval_quantiles(values[0], values[1], values[2], self._n)
        return ",".join(values)

    def _typed(self, name: str, text: str) -> list[str]:
        """Return what stands in the boxes for given parameters; empty if the sentence cannot say them."""
        values = [value.strip() for value in text.split(",")]
        if name == "triangular" and len(values) == 3:
            return [values[0], values[2], values[1]]
        if name == "quantiles":
            return quantile_interval(values, self._n)
        return values if len(values) == len(_BOX.findall(self._texts()[name][1])) else []
