"""Noise and its cost: staircase, discrete, Laplace, in several dimensions, with a delta; exact draws; learning with it.

May know: errors, arrays, progress, core.basics.
Begin with: staircase.
"""
