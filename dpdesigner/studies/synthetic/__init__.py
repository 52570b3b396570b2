"""A synthetic column to publish in place of the real one: its inputs, its answer, its plots, and its side jobs.

May know: errors, messages, arrays, core, studies.
Begin with: design.
"""
