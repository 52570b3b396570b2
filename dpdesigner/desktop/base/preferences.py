"""The user's permanent choices: colours, text size, motion, screen; kept in the settings file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QApplication, QStyle

from dpdesigner.desktop.base.theme import Contrast, Scheme, theme

SCHEMES: tuple[Scheme, ...] = ("system", "light", "dark")
CONTRASTS: tuple[Contrast, ...] = ("system", "normal", "high")
TEXT_SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


@dataclass(frozen=True)
class Choices:
    """All preferences.

    Parameters
    ----------
    scheme : {"system", "light", "dark"}
        Which colours.
    text_scale : float
        Enlargement of all text, one of `TEXT_SCALES`.
    reduced_motion : bool
        Whether animations show their end at once.
    screen : str
        Where to present; see `dpdesigner.desktop.presenting.presenting`.
    gallery_at_start : bool
        Whether the example gallery opens when no file is given.
    contrast : {"system", "normal", "high"}
        Which contrast.
    exact : bool
        Whether what only experts ask for is shown: the linear program, all digits, how something was checked.
    """

    scheme: Scheme = "system"
    text_scale: float = 1.0
    reduced_motion: bool = False
    screen: str = ""
    gallery_at_start: bool = True
    contrast: Contrast = "system"
    exact: bool = False


def settings() -> QSettings:
    """Return the settings file of the application."""
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "dpdesigner", "dpdesigner")


class Preferences(QObject):
    """The current preferences. Emits `changed` after any of them changes."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choices = _read()
        self._enlargement: float | None = None

    @property
    def choices(self) -> Choices:
        """The current choices."""
        return self._choices

    def choose(self, **changes: Any) -> None:
        """Change some of the choices permanently."""
        before, self._choices = self._choices, replace(self._choices, **changes)
        if self._choices == before:
            return
        store = settings()
        for name, value in changes.items():
            if value != vars(before)[name]:  # unchanged values keep following the system
                store.setValue(f"preferences/{name}", value)
        self.apply()
        self.changed.emit()

    def step_text_scale(self, steps: int) -> None:
        """Switch to the next larger (1) or smaller (-1) text size, or to the normal one (0)."""
        at = TEXT_SCALES.index(self._choices.text_scale) if steps else TEXT_SCALES.index(1.0)
        self.choose(text_scale=TEXT_SCALES[min(max(at + steps, 0), len(TEXT_SCALES) - 1)])

    def set_enlargement(self, factor: float | None) -> None:
        """Temporarily enlarge text and plots by a factor that suits the screen (presenting), or use the chosen size (None)."""
        self._enlargement = factor
        self.apply()

    def apply(self) -> None:
        """Pass colours and text size to the theme."""
        look, chosen = theme(), self._choices
        look.set_scheme(chosen.scheme)
        look.set_contrast(chosen.contrast)
        look.set_scale(chosen.text_scale if self._enlargement is None else self._enlargement / look.system_scale)


def preferences() -> Preferences:
    """Return the application's preferences, read on first use and owned by the application."""
    app = QApplication.instance()
    if app is None:
        raise RuntimeError("preferences() needs a QApplication")
    kept = app.findChild(Preferences)
    return kept if isinstance(kept, Preferences) else Preferences(app)


def _read() -> Choices:
    """Read the choices; use the default for any that is missing or no longer allowed."""
    store, normal = settings(), Choices()
    scheme, contrast = (store.value(f"preferences/{name}") for name in ("scheme", "contrast"))
    scale = _number(store.value("preferences/text_scale"), normal.text_scale)
    return Choices(
        scheme=next((known for known in SCHEMES if known == scheme), normal.scheme),
        text_scale=scale if scale in TEXT_SCALES else normal.text_scale,
        reduced_motion=str(store.value("preferences/reduced_motion", _system_reduces_motion())).lower() == "true",
        screen=str(store.value("preferences/screen", normal.screen)),
        gallery_at_start=str(store.value("preferences/gallery_at_start")).lower() != "false",
        contrast=next((known for known in CONTRASTS if known == contrast), normal.contrast),
        exact=str(store.value("preferences/exact")).lower() == "true",
    )


def _system_reduces_motion() -> bool:
    """Whether the system wants no animations, as far as Qt knows."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0


def _number(value: object, otherwise: float) -> float:
    try:
        return float(str(value))
    except ValueError:
        return otherwise
