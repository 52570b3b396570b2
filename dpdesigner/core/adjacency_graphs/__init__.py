"""Mechanisms on databases that are joined by neighbours, of which a count query sees only the path: programs and vertices.

May know: errors, arrays, progress.
Begin with: best_mechanism.
"""
