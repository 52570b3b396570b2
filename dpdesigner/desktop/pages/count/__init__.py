"""The count page: a prior and a loss to draw, the optimal mechanism, and its release.

May know: errors, core, studies, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets, arrays.
Begin with: page.
"""
