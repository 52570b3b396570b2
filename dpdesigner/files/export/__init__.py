"""Export of a study: facts, proof, tables and releases, in one form for every kind.

May know: errors, messages, resources, core, data, studies, files.tables, files.atomic, dpdesigner, files.project, files.versions.
Begin with: export.
"""
