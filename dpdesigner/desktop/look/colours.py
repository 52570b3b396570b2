"""The colours of the light and of the dark scheme, and the palettes made of them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True)
class Colours:
    """The named colours of one scheme, as ``#rrggbb``."""

    ground: str  #: behind the cards
    card: str
    hairline: str  #: borders and grid lines
    text: str
    muted: str  #: secondary text, axes (at least 4.5:1 on card)
    accent: str  #: bars, curves, the one primary button
    accent_soft: str  #: background of what is chosen
    on_accent: str  #: text on accent
    selected: str  #: the warm colour of what is selected
    proved: str  #: green, only for what is proved
    proved_soft: str
    warning: str  #: errors and what is outside a theorem
    field: str  #: background of text fields
    quiet: str  #: bars of lesser interest


LIGHT = Colours(
    ground="#f3f4f6",
    card="#ffffff",
    hairline="#e0e3e8",
    text="#14181f",
    muted="#5f6672",
    accent="#1f6feb",
    accent_soft="#e4eefd",
    on_accent="#ffffff",
    selected="#c2620a",
    proved="#15803d",
    proved_soft="#e2f3e8",
    warning="#b42318",
    field="#f7f8fa",
    quiet="#6b7280",
)
DARK = Colours(
    ground="#15171b",
    card="#1e2126",
    hairline="#333840",
    text="#e8eaed",
    muted="#a3a9b3",
    accent="#58a6ff",
    accent_soft="#22344d",
    on_accent="#0d1117",
    selected="#ffb04d",
    proved="#4cc38a",
    proved_soft="#1c3329",
    warning="#ff8b80",
    field="#16181c",
    quiet="#9097a3",
)


def palette(c: Colours) -> QPalette:
    """Return the palette of a scheme, for what the style sheet does not colour."""
    made = QPalette()
    roles = QPalette.ColorRole
    for role, colour in {
        roles.Window: c.ground,
        roles.WindowText: c.text,
        roles.Base: c.card,
        roles.AlternateBase: c.field,
        roles.Text: c.text,
        roles.Button: c.card,
        roles.ButtonText: c.text,
        roles.ToolTipBase: c.card,
        roles.ToolTipText: c.text,
        roles.Highlight: c.accent,
        roles.HighlightedText: c.on_accent,
        roles.Link: c.accent,
        roles.PlaceholderText: c.muted,
        roles.Mid: c.hairline,
        roles.Midlight: c.hairline,
        roles.Dark: c.hairline,
        roles.Light: c.card,
        roles.Shadow: c.hairline,
        roles.Accent: c.accent,
    }.items():
        made.setColor(role, QColor(colour))
    for role in (roles.Text, roles.WindowText, roles.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(c.hairline if c is LIGHT else c.quiet).darker(125))
    return made
