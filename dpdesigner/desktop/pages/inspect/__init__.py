"""The page on which any table of releases is looked into.

May know: arrays, core, data, files, studies, desktop.background, desktop.pages.kit, desktop.theme, desktop.widgets.
Begin with: page.
"""
