"""Two designs side by side, and all designs against a pinned one.

May know: arrays, core, studies, desktop.base, desktop.background, desktop.pages.kit, desktop.document, desktop.plots.
Begin with: compare_view.
"""
