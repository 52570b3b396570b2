"""The page for one release and everybody who reads it.

May know: errors, core, files, studies, desktop.
Begin with: page.
"""
