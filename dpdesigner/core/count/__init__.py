"""One user of a count: the closed form, the linear program check, and the losses of alternatives.

May know: errors, arrays, progress, core.
Begin with: closed_form.
"""
