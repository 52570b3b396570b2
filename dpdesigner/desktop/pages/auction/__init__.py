"""The auction page: one price for everybody that takes bids, what it earns, and what lying gains.

May know: errors, core, data, studies, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
