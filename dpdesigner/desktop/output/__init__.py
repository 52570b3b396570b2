"""Exports with pictures: figures, the export dialog, reports as files and on paper.

May know: errors, studies, files, desktop, core.inspection, core.basics.
Begin with: pictures.
"""
