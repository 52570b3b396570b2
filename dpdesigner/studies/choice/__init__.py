"""Choosing one of several options by their utilities: the design, its run, and what is told of the rules that choose.

May know: errors, arrays, core, data, studies, messages.
Begin with: design.
"""
