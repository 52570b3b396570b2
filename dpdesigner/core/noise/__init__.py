"""Noise and its cost: staircase, discrete, Laplace, in several dimensions, with a delta; exact draws.

May know: errors, arrays, progress, core.numbers, core.privacy.
Begin with: staircase.
"""
