"""What can be done with a release: look at its worst interval, make another, make many, or make it in the way that is best."""

from __future__ import annotations

from PySide6.QtCore import Signal

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.labelled import push_button
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget, WrapLayout
from dpdesigner.studies.synthetic.design import WAYS
from dpdesigner.studies.synthetic.statements import ColumnResult


class ReleaseRow(FittedWidget):
    """A row of buttons below the pictures."""

    worst = Signal()
    again = Signal()
    many = Signal()
    best = Signal()  #: the way that promises most is wanted

    def __init__(self) -> None:
        super().__init__()
        again = self.tr("Make another column with new noise. Publish only one of them, and do not choose the one that looks best")
        many = self.tr("Simulate the errors of a hundred more releases, shown only here")
        best = self.tr("Use the method with the smallest error bound")
        self._best = push_button("", best, self.best)
        self._best.hide()
        row = WrapLayout(self, gap=6)
        release = push_button(self.tr("Release again"), again, self.again)
        set_class(release, "main")
        row.addWidget(release)
        row.addWidget(push_button(self.tr("× 100"), many, self.many))
        worst = self.tr("Show the interval with the largest error (W)")
        row.addWidget(push_button(self.tr("Worst interval"), worst, self.worst))
        row.addWidget(self._best)

    def show_facts(self, facts: ColumnResult) -> None:
        """Offer the best way where another is in force."""
        best = facts.recommended
        self._best.setVisible(best not in (None, facts.design.method))
        if best is not None:
            self._best.setText(self.tr("Use {way}").format(way=translated(dict(WAYS)[best]).lower()))
