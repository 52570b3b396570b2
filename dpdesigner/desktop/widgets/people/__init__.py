"""A crowd of people as a grid: what is known of each, and a column of 0 and 1 that can be painted.

May know: arrays, core, desktop.theme, desktop.widgets.base, desktop.widgets.gesture, desktop.widgets.plot.
Begin with: grid.
"""
