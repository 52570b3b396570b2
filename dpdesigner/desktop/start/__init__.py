"""Where one starts: the gallery of examples and what an unclean exit left, with small pictures of designs.

May know: errors, arrays, studies, files, desktop.theme, desktop.widgets, desktop.pages.kit, desktop.document.
Begin with: gallery.
"""
