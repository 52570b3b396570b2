"""Exhibits of [CACM]: the foundations, counts, histograms, choices and composition.

May know: messages, arrays, resources, core, studies.
Begin with: paper.
"""
