"""Noise for a number or a vector: the design, its run, and its outcome.

May know: errors, arrays, core, studies, messages.
Begin with: design.
"""
