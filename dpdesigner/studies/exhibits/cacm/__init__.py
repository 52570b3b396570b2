"""Exhibits of [CACM]: the foundations, counts, histograms, choices and composition.

May know: arrays, core, studies.
Begin with: paper.
"""
