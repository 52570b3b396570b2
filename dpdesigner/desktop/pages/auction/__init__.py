"""The auction page: one price for everybody, computed from bids, with its revenue and the gain from misreporting.

May know: errors, core, data, studies, desktop.base, desktop.background, desktop.pages.kit, desktop.plots.
Begin with: page.
"""
