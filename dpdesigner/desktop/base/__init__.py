"""The ground of every page: the theme and the user's preferences; cards, labels, boxes, layouts, tabs, and gestures.

May know: resources, messages, errors, studies.plain_language.
Begin with: theme, then card.
"""
