"""Options with utilities, as they are given: read, checked, counted from a column; the rules that choose among them; strips.

May know: errors, arrays, core, data, studies.inputs.checks, studies.panels, messages.
Begin with: utilities.
"""
