"""The colours of the schemes, and the palettes made of them.

Text has a contrast of at least 4.5 to what it stands on, and what tells a field, a box to tick or a knob from its ground one of
at least 3 (WCAG 2.2, 1.4.3 and 1.4.11); in the schemes of high contrast 7 and 4.5. A button is told by its text and has an
outline under the mouse and the focus only, in the schemes of high contrast always. A test says what stands on what, and computes
it.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True)
class Colours:
    """The named colours of one scheme, as ``#rrggbb``."""

    ground: str  #: background behind the cards
    card: str
    hairline: str  #: borders of cards and grid lines, purely decorative
    text: str
    muted: str  #: secondary text, axes (at least 4.5:1 on card)
    accent: str  #: bars, curves, the one primary button
    accent_soft: str  #: background of chosen items
    on_accent: str  #: text on accent
    selected: str  #: the warm colour of selected items
    proved: str  #: green, only for proved results
    proved_soft: str
    warning: str  #: errors, and results outside a theorem
    field: str  #: background of text fields
    quiet: str  #: bars of lesser interest
    edge: str  #: separates a field or check box from its background: the line below it, or its outline
    button: str  #: fill of buttons on a card; buttons on the ground are filled like a card
    line: str  #: outline of fields at rest, track of sliders
    chosen: str  #: outline of a button that is chosen
    dark: bool = False
    high: bool = False  #: whether this is a high-contrast scheme

    def named(self, role: str) -> str:
        """Return the colour with this role, such as ``"accent"``."""
        return str(vars(self)[role])


LIGHT = Colours(
    ground="#f3f4f6",
    card="#ffffff",
    hairline="#e0e3e8",
    text="#14181f",
    muted="#5f6672",
    accent="#1a62d6",
    accent_soft="#e4eefd",
    on_accent="#ffffff",
    selected="#a85106",
    proved="#127038",
    proved_soft="#e2f3e8",
    warning="#b42318",
    field="#f7f8fa",
    quiet="#646b78",
    edge="#7f8794",
    button="#f0f2f5",
    line="#c9ced5",
    chosen="#a9c8f7",
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
    edge="#777f8c",
    button="#2b3038",
    line="#4a515c",
    chosen="#3d6799",
    dark=True,
)
LIGHT_HIGH = Colours(
    ground="#ffffff",
    card="#ffffff",
    hairline="#4a4f57",
    text="#000000",
    muted="#24282e",
    accent="#003f9e",
    accent_soft="#e6effc",
    on_accent="#ffffff",
    selected="#7a3600",
    proved="#00481c",
    proved_soft="#e6f5eb",
    warning="#8a0d05",
    field="#ffffff",
    quiet="#3a3f47",
    edge="#000000",
    button="#ffffff",
    line="#000000",
    chosen="#003f9e",
    high=True,
)
DARK_HIGH = Colours(
    ground="#000000",
    card="#000000",
    hairline="#b9bfc8",
    text="#ffffff",
    muted="#e4e7eb",
    accent="#8cc4ff",
    accent_soft="#0b2545",
    on_accent="#000000",
    selected="#ffc56b",
    proved="#6be3a6",
    proved_soft="#062a17",
    warning="#ffb3ab",
    field="#000000",
    quiet="#cfd4db",
    edge="#ffffff",
    button="#000000",
    line="#ffffff",
    chosen="#8cc4ff",
    dark=True,
    high=True,
)


def palette(c: Colours) -> QPalette:
    """Return the palette of a scheme, for widgets that the style sheet does not colour."""
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
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(c.quiet if c.dark or c.high else c.edge))
    return made
