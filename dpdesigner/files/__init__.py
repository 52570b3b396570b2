"""The base of all files: a write that leaves the old contents or the new ones, and nothing between.

May know: errors, messages, resources, dpdesigner, core, data, studies, progress.
Begin with: atomic.
"""
