"""The project file: designs and scenes as JSON, numbers as they were given; the examples that ship.

May know: errors, resources, core, data, studies, files.tables, files.atomic.
Begin with: project.
"""
