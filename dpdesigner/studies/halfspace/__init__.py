"""Answers for halfspaces with a margin, scaled down so that it runs, with what the theorem would need.

May know: errors, messages, arrays, core, studies.
Begin with: design.
"""
