"""The user of a count: prior and loss, and whether Theorem A covers the loss.

May know: errors, arrays, core.numbers.
Begin with: loss.
"""
