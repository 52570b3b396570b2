"""The noise page: a query and what errors cost, the best noise, and what others cost.

May know: errors, messages, core, data, studies, files, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
