"""The parts that pages are made of: they show values, emit what the user asks for, and know no page.

May know: errors, core, desktop.look.
Begin with: base/card.
"""
