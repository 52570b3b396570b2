"""The page for inspecting any table of releases.

May know: errors, messages, core, files, studies, desktop.
Begin with: page.
"""
