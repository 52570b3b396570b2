"""A count: the design, its run, and an outcome with its design; the linear program check, and the costs of alternatives.

May know: errors, messages, arrays, resources, core, studies.
Begin with: design.
"""
