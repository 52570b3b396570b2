"""One release of a count for several readers, each with their own prior, loss and reading.

May know: errors, arrays, progress, core.
Begin with: reader, then release_value.
"""
