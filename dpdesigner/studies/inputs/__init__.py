"""The kinds of input that a design declares: how each is checked, described, and written to files.

May know: errors, messages, core, data, arrays.
Begin with: kinds, then numbers.
"""
