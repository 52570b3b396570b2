"""A count: the design, its run, and an outcome that carries its design; the witness, and what others would cost.

May know: errors, core, studies.inputs, studies.panels, studies.registry, studies.said, studies.study.
Begin with: design.
"""
