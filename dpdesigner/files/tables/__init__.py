"""Tables of mechanisms: written with a proof on the very text, in several formats, and read from elsewhere.

May know: errors, core, data, studies.
Begin with: table.
"""
