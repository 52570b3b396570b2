"""The Papers page: a gallery of claims by paper, with a page of declared panels for each claim.

May know: errors, studies, desktop.base, desktop.pages.kit.
Begin with: page.
"""
