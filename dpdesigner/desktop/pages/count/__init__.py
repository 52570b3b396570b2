"""The count page."""

from dpdesigner.desktop.pages.count.page import CountPage

__all__ = ["CountPage"]
