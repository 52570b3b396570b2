"""The optimal private mechanism by linear programming, the independent check: in full, or by extreme rays.

May know: errors, arrays, progress, core.numbers, core.mechanism, core.dense.
Begin with: linear_program.
"""
