"""Synthetic data to publish in place of real data: a column, two, a small database, halfspaces; and how many rows that needs.

May know: errors, messages, arrays, core, studies, data.columns, data.grid, data.halfspaces.
Begin with: design.
"""
