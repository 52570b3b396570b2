"""Inspection of any table of releases: what it reveals of one person, its use; and an audience, with a remap for each reader.

May know: errors, messages, core, data, studies, arrays.
Begin with: design, then audience_design.
"""
