"""The demonstration: a story in nine scenes over the user's work, which is dimmed and left unchanged.

May know: resources, messages, errors, arrays, core.basics, studies, desktop.
Begin with: demonstration.
"""
