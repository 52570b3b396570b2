"""The choice page: what each of a few outputs costs, how likely each is, and how private that really is.

May know: errors, core, studies, files, desktop.look, desktop.work, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
