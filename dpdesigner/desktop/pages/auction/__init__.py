"""The auction page: one price for everybody, computed from bids, with its revenue and the gain from misreporting.

May know: errors, core, data, studies, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
