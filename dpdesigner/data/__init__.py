"""Text files as lines of cells, and columns of numbers from text and other files.

May know: errors, arrays, messages, resources, core.
Begin with: columns.
"""
