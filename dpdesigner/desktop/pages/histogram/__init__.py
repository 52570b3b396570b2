"""What the noise page has for a histogram only: its cells, where its data are, and what was released beside the truth.

May know: errors, core, data, studies, desktop.look, desktop.pages.kit, desktop.widgets, desktop.work.
Begin with: panel.
"""
