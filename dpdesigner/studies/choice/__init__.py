"""Choosing one of several options by their utilities: the design, its run, and the findings about the selection rules.

May know: errors, arrays, core, data, studies, messages.
Begin with: design.
"""
