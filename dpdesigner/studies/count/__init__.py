"""A count: the design, its run, and an outcome that carries its design; the witness, and what others would cost.

May know: errors, messages, arrays, core, studies.
Begin with: design.
"""
