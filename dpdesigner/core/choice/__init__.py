"""Choosing one of several options, or a price for all bidders: probabilities, attained privacy, exact draws, limits.

May know: errors, arrays, progress, core.basics, core.mechanism.
Begin with: mechanisms, then price.
"""
