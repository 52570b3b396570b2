"""Exhibits of [CACM]: the foundations, counts, histograms, choices and composition.

May know: core, studies.
Begin with: paper.
"""
