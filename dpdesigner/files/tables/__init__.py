"""Tables of mechanisms: written with a proof on the very text, in several formats, and read from elsewhere.

May know: errors, core, data, studies.
Begin with: table.
"""

#: Endings of files that may hold a table.
ENDINGS = (".csv", ".tsv", ".txt")
