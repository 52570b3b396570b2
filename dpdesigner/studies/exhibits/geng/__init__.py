"""Exhibits of [Geng]: the staircase, the noise of least cost.

May know: core, studies.
Begin with: paper.
"""
