"""Text files as lines of cells, columns of numbers read from them, and demand curves as text.

May know: errors, resources, core.
Begin with: columns.
"""
