"""Named priors: the menu, and one row in which the parameters of the chosen one are typed."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QWidget

from dpdesigner.core.prior import Prior
from dpdesigner.desktop.widgets.value_box import ValueBox
from dpdesigner.errors import InputError


class PresetRow(QWidget):
    """Shows the parameters of a named prior and asks for others; hidden for priors without any."""

    chosen = Signal(str)  #: a prior by name, such as ``"binomial:0.3"``
    refused = Signal(str)  #: why the parameters cannot be

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec, self._n = "", 1
        self._label, self._box = QLabel(), ValueBox("5%=3, 50%=7, 95%=12")
        self._label.setProperty("class", "small")
        self._box.committed.connect(self._commit)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._label, 1)
        layout.addWidget(self._box)
        self.hide()

    def titles(self) -> dict[str, tuple[str, str]]:
        """Name: its title in the menu and what its parameters are."""
        return {
            "uniform": (self.tr("Uniform"), ""),
            "binomial": (self.tr("Binomial"), self.tr("chance that a row counts")),
            "poisson": (self.tr("Poisson"), self.tr("mean count")),
            "geometric": (self.tr("Geometric"), self.tr("ratio of neighbours")),
            "spike": (self.tr("Spike"), self.tr("the count")),
            "two-peak": (self.tr("Two peaks"), self.tr("where the peaks are")),
            "triangular": (self.tr("Triangular"), self.tr("least, likeliest, largest")),
            "quantiles": (self.tr("From quantiles"), self.tr("chance=count, …")),
        }

    def defaults(self, n: int) -> dict[str, str]:
        """A sensible prior of each name for counts 0..n."""
        at, far = n // 4, n - n // 4
        low, high = max(n // 6, 0), max(n // 6 + 1, n - n // 6)
        quantiles = f"quantiles:5%={low},95%={high}" if high < n else f"quantiles:50%={n // 2}"
        return {
            "uniform": "uniform",
            "binomial": "binomial:0.3",
            "poisson": f"poisson:{max(1, n // 4)}",
            "geometric": "geometric:0.8",
            "spike": f"spike:{n // 3}",
            "two-peak": f"two-peak:{at},{far}",
            "triangular": f"triangular:0,{n // 3},{n}",
            "quantiles": quantiles if n >= 1 else "uniform",
        }

    def fill(self, menu: QMenu) -> None:
        """Put the named priors into a menu."""
        for name, (title, _) in self.titles().items():
            menu.addAction(title).triggered.connect(partial(self._choose, name))

    def show_spec(self, spec: str, n: int) -> None:
        """Show the parameters of the prior in force; an empty spec for one that was drawn."""
        self._spec, self._n = spec, n
        name, _, parameters = spec.partition(":")
        self._label.setText("{}: {}".format(*self.titles().get(name, ("", ""))))
        self._box.show_value(parameters)
        self._box.setAccessibleName(self._label.text())
        self.setVisible(bool(parameters))

    def _choose(self, name: str, checked: bool = False) -> None:
        self.chosen.emit(self.defaults(self._n)[name])

    @Slot(str)
    def _commit(self, text: str) -> None:
        spec = f"{self._spec.partition(':')[0]}:{text.replace(' ', '')}"
        try:
            Prior(spec, self._n)
        except InputError as error:
            self._box.set_invalid(True)
            self.refused.emit(str(error))
            return
        self.chosen.emit(spec)
