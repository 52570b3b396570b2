"""Choosing one of several options: chances in logarithms, the privacy that they have, exact draws, and what limits any rule.

May know: errors, arrays, progress, core.numbers, core.privacy, core.program.
Begin with: mechanisms.
"""
