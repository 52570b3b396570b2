"""Text files as lines of cells, and columns of numbers read from them.

May know: errors, resources, core.
Begin with: columns.
"""
