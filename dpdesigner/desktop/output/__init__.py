"""What is taken away with pictures: figures, the export dialog, reports as files and on paper.

May know: errors, studies, files, desktop.theme, desktop.background, desktop.widgets, desktop.pages.kit.
Begin with: pictures.
"""
