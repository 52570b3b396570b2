"""The privacy level, what several answers spend together, sensitivities, and exact draws from the system's entropy.

May know: errors, core.numbers.
Begin with: level.
"""
