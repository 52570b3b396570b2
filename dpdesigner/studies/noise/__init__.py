"""Noise for a number, a vector, a histogram or a choice: the design, its runs, and their outcomes.

May know: errors, core, data, studies.cells, studies.inputs, studies.panels, studies.registry, studies.said, studies.study.
Begin with: design.
"""
