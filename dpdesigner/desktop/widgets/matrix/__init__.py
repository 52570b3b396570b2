"""The matrix of a mechanism: its picture, key, pattern, selection and words; and a function on the plane.

May know: errors, arrays, studies, desktop.theme, desktop.widgets.base, desktop.widgets.plot.
Begin with: view.
"""
