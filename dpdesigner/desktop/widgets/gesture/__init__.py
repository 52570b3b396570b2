"""Gestures that are one change each: a drag, a held key, a turn of the wheel.

May know: desktop.theme, desktop.widgets.base.
Begin with: gesture.
"""
