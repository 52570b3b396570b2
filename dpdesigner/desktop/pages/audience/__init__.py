"""The page for one release and everybody who reads it.

May know: arrays, errors, core, data, studies, desktop.
Begin with: page.
"""
