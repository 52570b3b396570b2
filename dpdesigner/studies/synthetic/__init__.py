"""A made-up column to give away in place of the real one: its inputs, its answer, pictures, and what is computed beside it.

May know: errors, messages, arrays, core, studies.
Begin with: design.
"""
