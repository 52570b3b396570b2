"""The noise page: a query and what errors cost, the best noise, and what others cost.

May know: errors, core, studies, files, desktop.look, desktop.pages.histogram, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
