"""Exhibits of [BLR]: learning theory and data that are made up privately.

May know: errors, core, studies.
Begin with: paper.
"""
