"""Mechanisms for a count: geometric noise, the Bayes remap with its certificate, linear programs, repair, verification.

May know: errors, arrays, progress, core.basics.
Begin with: mechanism, then remap.
"""
