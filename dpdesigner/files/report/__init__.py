"""A report of one or more designs, as values and as one HTML page that needs nothing else.

May know: errors, resources, dpdesigner, core, files.export.
Begin with: report.
"""
