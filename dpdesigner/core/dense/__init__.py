"""The best mechanism by the closed form with the whole loss matrix, its certificate, and both in fractions.

May know: arrays, core.privacy, core.problem, core.mechanism.
Begin with: remap.
"""
