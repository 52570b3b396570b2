"""Options with utilities, as they are given: read, checked, counted from a column; and the rules that choose among them, by name.

May know: errors, arrays, core, data, studies.inputs, studies.said.
Begin with: utilities.
"""
