"""The page on which any table of releases is looked into.

May know: errors, messages, core, files, studies, desktop.
Begin with: page.
"""
