"""Synthetic databases: made-up columns and small databases that answer every query of a class, and what can be promised of them.

May know: errors, arrays, progress, core.numbers, core.privacy.
Begin with: cells, then bisection.
"""
