"""What pages share: what a page is and tells the window, its three columns, portrait, promise and tour stops.

May know: errors, core, studies, desktop.look, desktop.widgets.
Begin with: page.
"""
