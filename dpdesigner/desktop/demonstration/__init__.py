"""The demonstration: a story in nine scenes over the user's work, which it dims and gives back untouched.

May know: resources, errors, arrays, core.numbers, studies, desktop.theme, desktop.background, desktop.presenting,
desktop.widgets.base. Begin with: demonstration.
"""
