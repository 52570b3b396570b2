"""Plots: frame, axes and layers painted in pixels; curves, bars, histograms.

May know: arrays, studies, desktop.theme, desktop.widgets.base, core.basics.
Begin with: plot_style.
"""
