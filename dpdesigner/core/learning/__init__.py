"""Iterative algorithms that see the data through noisy sums only, and a ledger of the privacy budget that they spend.

May know: errors, arrays, progress.
Begin with: noisy_sums, then k_means.
"""
