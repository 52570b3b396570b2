"""A report of one or more designs, as values and as one HTML page that needs nothing else.

May know: errors, resources, dpdesigner, core, studies, files.export, files.project.
Begin with: report.
"""
