"""Noise for a number or a vector: the design, its run, and its outcome.

May know: errors, arrays, core, studies.matrices, studies.findings, studies.inputs.checks, studies.panels, studies.private_design, messages, studies.study, studies.answer.
Begin with: design.
"""  # noqa: E501
