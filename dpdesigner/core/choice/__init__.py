"""Choosing one of several options: log probabilities, attained privacy, exact draws, and limits for any rule.

May know: errors, arrays, progress, core.numbers, core.privacy, core.program.
Begin with: mechanisms.
"""
