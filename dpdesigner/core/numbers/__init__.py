"""Numbers as users enter them, kept exactly; rounding in a stated direction; arithmetic that users type.

May know: errors, arrays.
Begin with: parsing.
"""
