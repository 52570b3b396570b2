"""The look of the program and the user's choices for it: theme, colours, style sheet, icons, words, preferences.

May know: resources, messages.
Begin with: theme.
"""
