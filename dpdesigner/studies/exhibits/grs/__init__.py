"""Exhibits of [GRS]: count queries, for which one mechanism serves every user.

May know: errors, messages, arrays, core, studies.
Begin with: paper.
"""
