"""The loss: a gallery of losses, their parameter, and the drawn curve.

May know: errors, core, studies, desktop.theme, desktop.widgets.base, desktop.widgets.plot.
Begin with: picker.
"""
