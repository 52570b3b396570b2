"""The noise page: a query and what errors cost, the best noise, and what others cost.

May know: errors, core, data, studies, files, desktop.look, desktop.work, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
