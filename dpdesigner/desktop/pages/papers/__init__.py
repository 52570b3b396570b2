"""The Papers page: a gallery of claims by paper, and each claim as a page of its declared panels.

May know: errors, arrays, studies, desktop.theme, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
