"""Numbers, privacy levels, priors and losses, exact as users enter them; arithmetic, rounding, and draws from system entropy.

May know: errors, arrays.
Begin with: parsing, then level.
"""
