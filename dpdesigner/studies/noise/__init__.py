"""Noise for a number, a vector, a histogram or a choice: the design, its runs, and their outcomes.

May know: errors, core, data, studies.inputs, studies.registry, studies.study.
Begin with: design.
"""
