"""Two designs side by side, and all designs against a pinned one.

May know: arrays, core, studies, desktop.theme, desktop.background, desktop.pages.kit, desktop.document, desktop.widgets.
Begin with: compare_view.
"""
