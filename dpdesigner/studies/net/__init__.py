"""Small databases that answer a class of queries: the net mechanism in full on a small domain, and the sizes of its theorems.

May know: errors, messages, arrays, core, studies.
Begin with: design.
"""
