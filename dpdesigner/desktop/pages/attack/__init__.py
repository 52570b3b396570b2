"""The attack page: a secret, what is asked about it, and the same people seen through answers that are close and private ones.

May know: errors, core, studies, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
