"""Reconstruction of a column of 0 and 1 from answers to subset counts: questions, errors, attackers, and counting proofs.

May know: errors, arrays, progress, core.basics, core.noise, core.mechanism.
Begin with: attack, then interior_point.
"""
