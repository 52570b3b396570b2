"""Explanations: the help pages and their window, the tour, and the "Why?" panel.

May know: resources, studies, desktop.theme, desktop.widgets, desktop.pages.kit, desktop.document, desktop.menus.
Begin with: help_window.
"""
