"""The mathematics: numbers and arrays in, frozen results out. No files, no Qt, no global state.

What is proved stands in THEORY.md beside this file, and so does what the short names of papers mean: [GRS], [CACM], [Geng],
[Notes] and [BLR].
"""
