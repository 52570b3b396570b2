"""The noise page: a query and the cost of errors, the optimal noise, and the costs of alternatives.

May know: errors, core, data, studies, files, desktop.
Begin with: page.
"""
