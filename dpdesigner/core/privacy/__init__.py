"""The privacy level, the total privacy loss of several answers, sensitivities, and exact draws from system entropy.

May know: errors, core.numbers.
Begin with: level.
"""
