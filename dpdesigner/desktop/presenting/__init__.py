"""The scenes of a document and their presentation: full screen, enlarged, with captions.

May know: files, desktop.theme, desktop.widgets.base, desktop.document.
Begin with: presenting.
"""
