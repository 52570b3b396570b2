"""Export of a study: facts, proof, tables and releases, in one form for every kind.

May know: errors, messages, resources, dpdesigner, core, data, studies, files.tables, files.atomic.
Begin with: export.
"""
