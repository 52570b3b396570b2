"""The mathematics: numbers and arrays in, frozen results out. No files, no Qt, no global state.

May know: errors, arrays, progress.
Begin with: problem, then dense/remap.
"""
