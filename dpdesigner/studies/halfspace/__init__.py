"""Answers for halfspaces with a margin, scaled down so that it runs, with what the theorem would need.

May know: errors, arrays, core, data.columns, data.grid, studies.
Begin with: design.
"""
