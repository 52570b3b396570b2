"""The choice page: options as bars, how often each is announced, what one person can move, and what that does to the chances.

May know: arrays, core, data, studies, desktop.theme, desktop.background, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
