"""The page on which any table of releases is looked into.

May know: arrays, messages, core, files, studies, desktop.background, desktop.pages.kit, desktop.theme, desktop.widgets, errors.
Begin with: page.
"""
