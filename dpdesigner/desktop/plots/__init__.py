"""Plots and matrices, painted in pixels: axes, curves, bars, ranked costs; a mechanism's matrix, a plane, a crowd of people.

May know: arrays, errors, studies, core.basics, desktop.base.
Begin with: curve_plot, then matrix_view.
"""
