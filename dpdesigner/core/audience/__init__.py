"""One release of a count for several readers, each with a prior, a loss and a reading of their own.

May know: errors, arrays, progress, core.
Begin with: reader, then served.
"""
