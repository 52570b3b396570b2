"""The privacy level as slider, boxes and bets, an expected loss to aim for, and a sensitivity.

May know: errors, core, desktop.theme, desktop.widgets.base.
Begin with: control.
"""
