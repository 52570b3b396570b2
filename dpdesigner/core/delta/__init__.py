"""A count under (epsilon, delta)-differential privacy: one release of cells that is best for every user, and its proof.

May know: errors, arrays, progress, core.numbers, core.privacy, core.mechanism, core.noise.
Begin with: cells, then reading.
"""
