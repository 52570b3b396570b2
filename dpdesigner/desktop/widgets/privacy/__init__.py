"""How private: one level as slider, boxes and bets, and an expected loss to aim for; a sensitivity.

May know: errors, core, desktop.theme, desktop.widgets.base.
Begin with: control.
"""
