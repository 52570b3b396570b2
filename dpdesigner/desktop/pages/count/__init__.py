"""The count page: a prior and a loss to draw, the optimal mechanism, and its release.

May know: core, studies, desktop.base, desktop.pages.kit, arrays, desktop.editors, desktop.plots, messages.
Begin with: page.
"""
