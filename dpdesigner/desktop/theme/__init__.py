"""How everything looks, and what the user has chosen of it: theme, colours, style sheet, icons, words, preferences.

May know: resources, messages.
Begin with: theme.
"""
