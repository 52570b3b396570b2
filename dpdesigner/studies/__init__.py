"""What every kind of study is, and the one list of kinds.

May know: errors, messages, arrays, progress, resources, core, data.
Begin with: registry.
"""
