"""An attack on a column of 0 and 1 by way of answers to subset counts: the design, what it poses, its run, and what is told.

May know: errors, messages, arrays, core, data, studies.
Begin with: design.
"""
