"""One release of a count for several readers, each with a prior, a loss and a reading of their own.

May know: errors, arrays, progress, core.numbers, core.privacy, core.problem, core.mechanism, core.dense, core.structured,
core.program, core.inspection.
Begin with: reader, then served.
"""
