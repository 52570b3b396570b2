"""The page of one release for everybody who reads it.

May know: arrays, errors, core, data, studies, desktop.
Begin with: page.
"""
