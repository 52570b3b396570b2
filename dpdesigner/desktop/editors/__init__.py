"""Editors of a design's inputs: a prior or column to draw, a loss to choose or draw, the privacy level.

May know: errors, arrays, core, studies, desktop.base, desktop.background, desktop.plots.
Begin with: distribution_editor, then privacy_control.
"""
