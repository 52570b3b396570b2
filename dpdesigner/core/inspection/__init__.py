"""Privacy and usefulness of any table of releases: trade-off curves, leakage, the best rival, and its value to readers.

May know: errors, arrays, progress, core.basics, core.mechanism, core.count.
Begin with: table, then curves.
"""
