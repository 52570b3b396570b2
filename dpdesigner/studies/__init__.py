"""All kinds of studies, and the one list of them.

May know: errors, messages, arrays, progress, resources, core, data.
Begin with: registry, then base.
"""
