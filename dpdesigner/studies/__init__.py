"""All kinds of studies: what their designs, inputs, answers and panels are made of, and the one list of them.

May know: errors, messages, arrays, progress, resources, core, data.
Begin with: registry, then base.
"""
