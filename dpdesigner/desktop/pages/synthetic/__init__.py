"""The page of synthetic data: a made-up column, and small databases and halfspaces, each asked for at the left.

May know: errors, messages, core, data, studies, desktop.theme, desktop.pages.kit, desktop.widgets.
Begin with: page.
"""
