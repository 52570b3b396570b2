"""The parts that pages are made of: they show values, emit what the user asks for, and know no page.

May know: errors, arrays, core, studies, desktop.theme.
Begin with: base/card.
"""
