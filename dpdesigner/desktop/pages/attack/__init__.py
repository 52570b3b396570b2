"""The attack page: a secret, questions about it, and the same people seen through accurate answers and private ones.

May know: errors, core, studies, desktop.base, desktop.background, desktop.pages.kit, desktop.plots.
Begin with: page.
"""
