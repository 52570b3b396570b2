"""The demonstration: a story in nine scenes over the user's work, which it dims and gives back untouched.

May know: resources, messages, errors, arrays, core.numbers, studies, desktop.
Begin with: demonstration.
"""
