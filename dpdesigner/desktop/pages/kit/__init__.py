"""What pages share: what a page is and tells, columns, cards, where data come from, portrait, promise, tour; the declared page.

May know: errors, arrays, resources, core, data, studies, desktop.theme, desktop.background, desktop.widgets.
Begin with: page.
"""
