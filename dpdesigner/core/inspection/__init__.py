"""Privacy and usefulness of any table of releases: trade-off curves, readings, leakage, and the best private rival.

May know: errors, arrays, progress, core.numbers, core.problem, core.privacy, core.dense, core.count.alternatives.
Begin with: table, then curves.
"""
