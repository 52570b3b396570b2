"""How everything looks, and what the user has chosen of it: theme, colours, style sheet, icons, preferences.

May know: resources.
Begin with: theme.
"""
