"""Exhibits of [Geng]: the staircase, the noise of least cost.

May know: messages, arrays, core, studies.
Begin with: paper.
"""
