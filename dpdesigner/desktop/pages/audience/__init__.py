"""The page for one release and everybody who reads it.

May know: errors, core, studies, desktop.
Begin with: page.
"""
