"""The noise page: a query and the cost of errors, the optimal noise, and the costs of alternatives.

May know: errors, messages, core, data, studies, files, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
