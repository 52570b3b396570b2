"""Mechanisms as matrices or generated row by row; repair and verification of privacy.

May know: errors, arrays, core.numbers, core.privacy, core.problem.
Begin with: mechanism.
"""
