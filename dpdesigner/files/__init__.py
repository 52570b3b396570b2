"""Files: projects, tables with their proof, and for each kind its export; reports and pages. A write is complete or nothing.

May know: errors, messages, resources, dpdesigner, core, data, studies, progress.
Begin with: export, then atomic.
"""
