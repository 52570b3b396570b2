"""The small parts of every page: cards, columns, labels, boxes, tabs, layouts, and gestures that are one change each.

May know: errors, desktop.theme, studies.plain_language.
Begin with: card.
"""
