"""The choice page: options as bars, the probability of each, and how much one person can change these probabilities.

May know: arrays, core, data, studies, desktop.base, desktop.background, desktop.pages.kit, desktop.plots.
Begin with: page.
"""
