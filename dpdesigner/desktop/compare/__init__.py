"""Two designs side by side, and all designs against a pinned one.

May know: arrays, core, studies, desktop.look, desktop.work, desktop.pages.kit, desktop.document, desktop.widgets.
Begin with: stage.
"""
