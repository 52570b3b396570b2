"""What explains: the help pages and their window, the tour, and the "Why?" panel.

May know: resources, desktop.look, desktop.widgets.base, desktop.pages.kit, desktop.document, desktop.menus.
Begin with: help_window.
"""
