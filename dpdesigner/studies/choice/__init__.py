"""Choosing one of several options by their utilities: the design, its run, and what is told of the rules that choose.

May know: errors, arrays, core, data, studies.findings, studies.inputs.checks, studies.options, studies.panels, studies.private_design, messages, studies.study, studies.answer.
Begin with: design.
"""  # noqa: E501
