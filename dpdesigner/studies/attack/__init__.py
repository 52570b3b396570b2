"""An attack on a column of 0 and 1 through answers to subset counts: the design, its problem, its run, and its findings.

May know: errors, messages, arrays, core, data, studies.
Begin with: design.
"""
