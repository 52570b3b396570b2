"""Synthetic databases: columns and small databases that answer every query of a class, and their error bounds.

May know: errors, arrays, progress, core.basics.
Begin with: cells, then bisection.
"""
