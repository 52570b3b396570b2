"""The choice page: options as bars, how often each is announced, what one person can move, and what that does to the chances.

May know: arrays, core, studies, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets, data.grid.
Begin with: page.
"""
