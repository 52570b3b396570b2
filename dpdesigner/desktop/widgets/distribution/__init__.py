"""The editor in which people draw a prior, or a column: bars, brush, handles, table, named priors.

May know: errors, arrays, core, studies, desktop.theme, desktop.widgets.base, desktop.widgets.plot.
Begin with: editor.
"""
