"""Scenes of a document, and presenting them: full screen, enlarged, with their words.

May know: files, desktop.theme, desktop.widgets.base, desktop.document.
Begin with: presenting.
"""
