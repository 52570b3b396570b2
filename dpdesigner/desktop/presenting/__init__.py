"""Scenes of a document, and presenting them: full screen, enlarged, with their words.

May know: files, desktop.look, desktop.widgets.base, desktop.document.
Begin with: presenting.
"""
