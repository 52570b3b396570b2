"""The small parts of every page: cards, columns, labels, boxes, tabs, layouts, and short texts for numbers.

May know: errors, core, desktop.theme, studies.
Begin with: card.
"""
