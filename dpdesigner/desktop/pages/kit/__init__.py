"""What pages share: what a page is and tells the window, its columns and cards, portrait, promise and tour.

May know: errors, core, studies, desktop.look, desktop.work, desktop.widgets.
Begin with: page.
"""
