"""An interactive page of designs: one HTML file that needs no program and loads nothing.

May know: resources, dpdesigner, core, studies, files.export, files.project, files.report.
Begin with: page.
"""
