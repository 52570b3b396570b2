"""A count's user in numbers: the closed form, the linear program beside it, and what others would cost.

May know: errors, arrays, progress, core.
Begin with: closed_form.
"""
