"""The start: the gallery of examples and the recovery of unsaved documents, with small pictures of designs.

May know: errors, arrays, studies, files, desktop.theme, desktop.widgets, desktop.pages.kit, desktop.document.
Begin with: gallery.
"""
