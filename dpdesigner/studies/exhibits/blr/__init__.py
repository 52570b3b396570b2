"""Exhibits of [BLR]: learning theory and data that are made up privately.

May know: errors, messages, arrays, core, studies.
Begin with: paper.
"""
