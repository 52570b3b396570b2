"""A choice among a few outputs by weights that follow a staircase: the design, its run, and its outcome.

May know: errors, core, studies.findings, studies.inputs, studies.registry, studies.said, studies.study, studies.told.
Begin with: design.
"""
