"""Inspection of any table of releases: what a reader can learn about one person, and how useful the number is.

May know: errors, messages, core, data, studies.
Begin with: design, then answer.
"""
