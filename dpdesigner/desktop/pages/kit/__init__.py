"""The kit of all pages: the declared page, columns, cards, data sources, comparison data, privacy sentence, tour.

May know: errors, arrays, resources, core, data, studies, desktop.theme, desktop.background, desktop.widgets.
Begin with: page.
"""
