"""How many rows the theorems on synthetic databases ask for: calculators with the domain, the class and its dimension as inputs.

May know: messages, arrays, core, studies.
Begin with: design.
"""
