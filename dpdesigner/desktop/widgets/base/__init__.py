"""The small parts of every page: cards, columns, labels, boxes, tabs, layouts, and short texts for numbers.

May know: errors, core, desktop.theme, studies.plain_language.
Begin with: card.
"""
