"""Two columns made up at once, so that every rectangle of cells has about as many rows: the extension of intervals to the plane.

May know: errors, messages, data.columns, arrays, core, studies.
Begin with: design.
"""
