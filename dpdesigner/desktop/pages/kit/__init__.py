"""The kit of all pages: the declared page, columns, cards, data sources, comparison data, privacy sentence, tour.

May know: errors, arrays, resources, core, data, studies, desktop.base, desktop.background, desktop.editors, desktop.plots.
Begin with: page.
"""
