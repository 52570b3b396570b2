"""Pictures: PNG, SVG and PDF files, and the clipboard."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.colours import DARK, LIGHT
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.output.pictures import FORMATS, copy_picture, draw_figure, figure_bytes, offscreen_page
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_colour import Scale, colour_table, enlarged, image_of
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line
from dpdesigner.studies.table_panels import Rank, Ranking

SIZE = QSize(400, 300)


@pytest.fixture
def view(qtbot: QtBot) -> MatrixView:
    theme().set_scheme("light")
    widget = MatrixView()
    qtbot.addWidget(widget)
    widget.set_matrix(np.eye(11))
    return widget


def rendered(svg: bytes) -> QImage:
    renderer = QSvgRenderer(svg)
    image = QImage(SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}


@pytest.mark.parametrize("ending", FORMATS)
def test_gives_each_format(view: MatrixView, ending: str) -> None:
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert figure_bytes(view, ending, SIZE).startswith(start)


def test_png_is_twice_as_sharp(view: MatrixView) -> None:
    image = QImage.fromData(figure_bytes(view, "png", SIZE))
    assert image.size() == 2 * SIZE
    assert {
        "#ffffff",
        QColor(*colour_table(Scale())[0, :3].tolist()).name(),
        QColor(*colour_table(Scale())[255, :3].tolist()).name(),
    } <= colours(image)


def test_svg_has_texts_and_the_size_asked_for(view: MatrixView) -> None:
    text = figure_bytes(view, "svg", SIZE).decode()
    assert 'viewBox="0 0 400 300"' in text
    assert "<title>Matrix of the mechanism</title>" in text
    assert "true count" in text and "released value" in text
    found = colours(rendered(text.encode()))
    assert QColor(*colour_table(Scale())[255, :3].tolist()).name() in found


def test_pdf_is_one_page_of_that_size(view: MatrixView) -> None:
    data = figure_bytes(view, "pdf", SIZE)
    boxes = re.findall(rb"/MediaBox \[([0-9. ]+)\]", data)
    points = 72 / view.logicalDpiX()
    assert len(boxes) == 1
    assert [float(part) for part in boxes[0].split()] == pytest.approx([0, 0, 400 * points, 300 * points], abs=1)


def test_cells_keep_their_places_in_vector_files() -> None:
    cells = np.arange(21, dtype=np.uint8)[None, :]
    indexed = image_of(cells, colour_table(Scale())).convertToFormat(QImage.Format.Format_Indexed8)
    large = enlarged(indexed)
    step = large.width() // 21
    for place in range(21):
        wanted = indexed.pixelColor(place, 0)
        assert large.pixelColor(place * step, 0) == large.pixelColor((place + 1) * step - 1, 0) == wanted


def test_files_are_light_whatever_the_screen(view: MatrixView) -> None:
    theme().set_scheme("dark")
    try:
        dark = QColor(DARK.card).name()
        assert rendered(figure_bytes(view, "svg", SIZE)).pixelColor(2, 2) == QColor(LIGHT.card)
        assert rendered(figure_bytes(view, "svg", SIZE, light=False)).pixelColor(2, 2).name() == dark
        assert QImage.fromData(figure_bytes(view, "png", SIZE, light=False)).pixelColor(2, 2).name() == dark
        assert QImage.fromData(figure_bytes(view, "png", SIZE)).pixelColor(2, 2) == QColor(LIGHT.card)
        assert theme().colours is DARK
    finally:
        theme().set_scheme("light")


def test_saving_leaves_the_widget_as_it_was(view: MatrixView, qtbot: QtBot) -> None:
    view.resize(460, 520)
    with qtbot.waitExposed(view):
        view.show()
    frame, geometry = view.figure().frame, view.figure().geometry()
    for ending in FORMATS:
        figure_bytes(view, ending, SIZE)
        assert view.figure().frame == frame
        assert view.figure().geometry() == geometry


def test_size_is_the_screens_by_default(view: MatrixView, qtbot: QtBot) -> None:
    view.resize(300, 300)
    with qtbot.waitExposed(view):
        view.show()
    assert QImage.fromData(figure_bytes(view, "png")).size() == 2 * view.figure().size()


def test_other_widgets_are_drawn_too(qtbot: QtBot, tmp_path: Path) -> None:
    theme().set_scheme("light")
    bars, curves = CostBars(), CurvePlot()
    bars.show_ranking(Ranking("costs", "cost", (Rank("Optimal", 1.0, proved=True), Rank("Geometric", 2.0))))
    curves.show_plot(Plot("loss", "", Axis(), Axis(), (Line([1, 2, 3], [3, 2, 1], "loss", proved=True),)))
    for widget in (bars, curves):
        qtbot.addWidget(widget)
        assert QColor(LIGHT.proved).name() in colours(QImage.fromData(figure_bytes(widget, "png", SIZE)))
        assert len(figure_bytes(widget, "pdf", SIZE)) > 1000
    assert b"Geometric" in figure_bytes(bars, "svg", SIZE)


def test_draws_on_the_page_of_a_report(view: MatrixView) -> None:
    image = QImage(900, 700, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    painter = QPainter(image)
    painter.translate(300, 200)
    draw_figure(painter, view, SIZE)
    painter.end()
    assert image.pixelColor(299, 199) == image.pixelColor(701, 501) == QColor("red")
    assert image.pixelColor(302, 202) == QColor(LIGHT.card)


def test_copies_a_picture(view: MatrixView) -> None:
    view.resize(SIZE)
    copy_picture(view)
    assert QGuiApplication.clipboard().image().size() == 2 * view.figure().size()


def test_copies_what_has_no_room_on_the_screen(view: MatrixView) -> None:
    view.resize(0, 0)
    copy_picture(view)
    picture = QGuiApplication.clipboard().image()
    assert picture.width() >= 800 and picture.height() >= 600
    assert len({picture.pixel(x, picture.height() // 2) for x in range(picture.width())}) > 3


def test_other_formats_are_refused(view: MatrixView) -> None:
    with pytest.raises(InputError, match="got bmp"):
        figure_bytes(view, "bmp")


def test_what_is_selected_on_the_screen_is_not_in_the_picture(qtbot: QtBot) -> None:
    """The matrix's crosshair and the warm bar are the reader's own; the picture is the same whichever cell was chosen."""
    pictures = []
    for row, column in ((0, 0), (5, 7)):
        study = CountDesign(8, alpha="1/2")
        with offscreen_page(study, {}) as page:
            page.set_view_state({"view": "optimal", "row": row, "column": column})
            shown = {figure.name: figure.widget for figure in page.figures()}
            pictures.append(figure_bytes(shown["matrix"], "png", QSize(500, 400)))
            assert dict(page.view_state())["row"] == row, "on the screen it stays"
    assert pictures[0] == pictures[1]
