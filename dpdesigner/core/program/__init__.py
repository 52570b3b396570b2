"""The best private mechanism by linear programming, the independent witness: in full, or by extreme rays.

May know: errors, arrays, core.mechanism, core.dense.
Begin with: linear_program.
"""
