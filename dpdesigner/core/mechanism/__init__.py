"""Mechanisms as matrices or made row by row; what it takes to make one private, and to verify that it is.

May know: errors, arrays, core.numbers, core.privacy, core.problem.
Begin with: mechanism.
"""
