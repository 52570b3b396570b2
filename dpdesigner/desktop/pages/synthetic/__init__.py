"""The page of synthetic data: a synthetic column, or small databases and halfspaces, each with its inputs at the left.

May know: errors, messages, core, studies, desktop.base, desktop.pages.kit.
Begin with: page.
"""
