"""The noise page."""

from dpdesigner.desktop.pages.noise.page import NoisePage

__all__ = ["NoisePage"]
