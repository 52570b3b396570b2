"""Text files as lines of cells, and columns of numbers read from them and from other kinds of files.

May know: errors, resources, core.
Begin with: columns.
"""
