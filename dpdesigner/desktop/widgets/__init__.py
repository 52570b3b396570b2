"""The building blocks of pages: they show values, emit the user's requests, and depend on no page.

May know: errors, arrays, core, studies, desktop.theme.
Begin with: base/card.
"""
