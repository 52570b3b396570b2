"""What pages share: what a page is and tells the window, columns, cards, portrait, promise, tour; the declared page.

May know: errors, core, studies, desktop.look, desktop.work, desktop.widgets.
Begin with: page.
"""
