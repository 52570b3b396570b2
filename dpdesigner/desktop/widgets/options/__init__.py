"""Options side by side: strips of bars over the same columns, rules as bars, and what a constant says and has.

May know: arrays, core.numbers, desktop.theme, desktop.widgets.base, desktop.widgets.gesture, desktop.widgets.plot.
Begin with: strips.
"""
