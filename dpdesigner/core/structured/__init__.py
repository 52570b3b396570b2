"""Closed-form solver for structured losses, in linear time and without a matrix: n may be a million.

May know: arrays, core.numbers, core.privacy, core.problem, core.mechanism.
Begin with: remap.
"""
