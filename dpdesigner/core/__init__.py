"""The mathematics: numbers and arrays in, frozen results out. No files, no Qt, no global state.

May know: errors, arrays, progress.
Begin with: mechanism/remap.
"""
