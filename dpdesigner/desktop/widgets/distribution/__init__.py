"""The editor in which people draw what they believe: bars, brush, handles, table, named priors.

May know: errors, core, desktop.look, desktop.widgets.base, desktop.widgets.gesture, desktop.widgets.plot.
Begin with: editor.
"""
