"""Every contrast, computed from the schemes and from the pixels of a window, against WCAG 2.2."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from dpdesigner.desktop.base import theme as theme_module
from dpdesigner.desktop.base.colours import DARK, DARK_HIGH, LIGHT, LIGHT_HIGH, Colours
from dpdesigner.desktop.base.preferences import Choices, Preferences, preferences, settings
from dpdesigner.desktop.base.theme import TEXT, style_sheet, theme

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")

SCHEMES = (LIGHT, DARK, LIGHT_HIGH, DARK_HIGH)

_GROUNDS = ("ground", "card", "field")
#: What stands on what: of text, and of the outlines and signs that tell controls from what is around them.
PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "text": (
        *((ink, ground) for ink in ("text", "muted", "accent", "proved", "warning", "selected") for ground in _GROUNDS),
        *((ink, "accent_soft") for ink in ("text", "muted", "accent", "selected")),
        *((ink, "button") for ink in ("text", "muted", "accent")),
        ("text", "proved_soft"),
        ("proved", "proved_soft"),
        ("on_accent", "accent"),
        ("quiet", "card"),
    ),
    "outline": (
        *((ink, ground) for ink in ("edge", "accent", "quiet", "selected", "warning") for ground in _GROUNDS),
        ("edge", "accent_soft"),
        ("accent", "accent_soft"),
        ("proved", "proved_soft"),
    ),
}


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21: (L + 0.05) / (l + 0.05) of their luminances (WCAG 2.2)."""
    dim, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    """0.2126 R + 0.7152 G + 0.0722 B of the linear parts of an sRGB colour."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.fixture(autouse=True)
def usual_afterwards(qapp: QApplication) -> Iterator[None]:
    yield
    preferences().choose(**vars(Choices()))
    theme().apply()


def need(colours: Colours, kind: str) -> float:
    return {("text", False): 4.5, ("outline", False): 3, ("text", True): 7, ("outline", True): 4.5}[kind, colours.high]


def test_the_formula_against_published_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the grey that is known to fail
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)  # and the one that is known to pass


@pytest.mark.parametrize("colours", SCHEMES)
@pytest.mark.parametrize("kind", PAIRS)
def test_every_pair_of_every_scheme(colours: Colours, kind: str) -> None:
    found = {pair: contrast(getattr(colours, pair[0]), getattr(colours, pair[1])) for pair in PAIRS[kind]}
    assert {pair: round(value, 2) for pair, value in found.items() if value < need(colours, kind)} == {}


@pytest.mark.parametrize("colours", SCHEMES)
def test_every_rule_of_the_style_sheet_that_names_an_ink_and_a_ground(colours: Colours) -> None:
    """A rule that colours text on a ground of its own is held to the contrast of text, whether or not it is among the pairs."""
    seen = 0
    for selector, body in _RULE.findall(style_sheet(colours)):
        said = dict(re.findall(r"(?:^|[;\s])(background|color|border-color|border):\s*([^;]+)", body))
        ink, ground = said.get("color", ""), said.get("background", "")
        if ink.startswith("#") and ground.startswith("#") and ":disabled" not in selector:
            seen += 1
            assert contrast(ink, ground) >= need(colours, "text"), selector
        below = re.search(r"border-bottom-color:\s*(#[0-9a-f]{6})", body)  # the line that a field is told by
        outline = [below[1]] if below else re.findall(r"#[0-9a-f]{6}", said.get("border", ""))
        told = r"QLineEdit|QCheckBox" if not colours.high else r"QLineEdit|QPushButton|QCheckBox"  # a button is told by its text
        if outline and ground.startswith("#") and re.search(told, selector):
            seen += 1
            assert contrast(outline[0], ground) >= need(colours, "outline"), selector
    assert seen >= 8


@pytest.mark.parametrize(
    ("scheme", "contrast_asked", "expected"),
    [("light", "normal", LIGHT), ("dark", "normal", DARK), ("light", "high", LIGHT_HIGH), ("dark", "high", DARK_HIGH)],
)
def test_scheme_and_contrast_are_chosen_apart_and_last(scheme: str, contrast_asked: str, expected: Colours) -> None:
    preferences().choose(scheme=scheme, contrast=contrast_asked)
    assert theme().colours is expected
    kept = Preferences().choices
    assert (kept.scheme, kept.contrast) == (scheme, contrast_asked)
    settings().setValue("preferences/contrast", "pink")
    assert Preferences().choices.contrast == "system"


def test_high_contrast_follows_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert theme().colours in (LIGHT, DARK)
    monkeypatch.setattr(type(theme()), "_wants_contrast", lambda self: True)
    theme().follow_system()  # both signals are there to connect to
    theme().apply()
    assert theme().colours in (LIGHT_HIGH, DARK_HIGH)


def test_text_goes_with_the_size_of_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    font = QFont()
    font.setPointSizeF(13)
    monkeypatch.setattr(QFontDatabase, "systemFont", lambda kind: font)
    points, pixels = theme_module.system_text()
    assert points == pytest.approx(13 / TEXT)
    theme().apply()
    assert theme().points(TEXT) == pytest.approx(13) and theme().scale == pytest.approx(pixels)
    preferences().set_enlargement(2.0)
    assert theme().scale == pytest.approx(2.0), "before an audience the screen decides"
    preferences().set_enlargement(None)
    preferences().choose(text_scale=1.5)
    assert theme().points(TEXT) == pytest.approx(1.5 * 13)
    monkeypatch.undo()
    theme().apply()
    assert theme().points(TEXT) == pytest.approx(1.5 * TEXT)
