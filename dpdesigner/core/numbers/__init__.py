"""Numbers as users give them, kept exactly; rounding that says which way; arithmetic that users type.

May know: errors, arrays.
Begin with: parsing.
"""
