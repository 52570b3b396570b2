"""The page for one release and everybody who reads it.

May know: arrays, errors, core, studies, desktop.
Begin with: page.
"""
