from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from dpdesigner.desktop.base.layouts import FittedWidget, WrapLayout


class Block(QWidget):
    def __init__(self, width, height=20, grows=False):
        super().__init__()
        self._size = QSize(width, height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding if grows else QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self):
        return self._size

    minimumSizeHint = sizeHint


def placed(qtbot, layout, blocks, width):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setLayout(layout)
    for block in blocks:
        layout.addWidget(block)
    widget.resize(width, layout.heightForWidth(width))
    with qtbot.waitExposed(widget):
        widget.show()
    rects = [block.geometry().getRect() for block in blocks]
    blocks.append(widget)  # it lives as long as its blocks
    return rects


def test_rows_break_where_the_width_ends(qtbot):
    rows = placed(qtbot, WrapLayout(gap=10), [Block(50), Block(60, 30), Block(40)], 125)
    assert rows == [(0, 5, 50, 20), (60, 0, 60, 30), (0, 40, 40, 20)]


def test_growing_items_and_spread_gaps_fill_a_row(qtbot):
    assert placed(qtbot, WrapLayout(gap=10), [Block(50), Block(30, grows=True)], 200)[1] == (60, 0, 140, 20)
    assert placed(qtbot, WrapLayout(gap=10, spread=True), [Block(50), Block(30)], 200)[1] == (170, 0, 30, 20)


def test_hidden_items_take_no_room(qtbot):
    blocks = [Block(50), Block(50), Block(50)]
    blocks[1].hide()
    layout = WrapLayout(gap=10)
    assert placed(qtbot, layout, blocks, 200)[2] == (60, 0, 50, 20)
    assert layout.takeAt(5) is None
    assert layout.takeAt(0).widget() is blocks[0]
    assert layout.count() == 2


def test_a_fitted_widget_asks_for_the_height_of_its_rows(qtbot):
    outer = QWidget()
    qtbot.addWidget(outer)
    widget = FittedWidget()
    QVBoxLayout(outer).addWidget(widget)
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    rows = WrapLayout(gap=10)
    for _ in range(4):
        rows.addWidget(Block(100))
    column.addLayout(rows)
    widget.resize(450, 20)
    assert widget.minimumSizeHint().height() == 20
    widget.resize(110, 20)
    assert widget.minimumSizeHint().height() == 110
