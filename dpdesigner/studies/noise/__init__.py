"""Noise for a number or a vector: the design, its run, and its outcome.

May know: errors, arrays, core, studies.cells, studies.findings, studies.inputs, studies.panels, studies.private_design, studies.said, studies.study, studies.answer.
Begin with: design.
"""  # noqa: E501
