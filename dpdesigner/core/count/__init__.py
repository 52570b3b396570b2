"""One user of a count: the closed form, the losses of alternatives, and the same under (epsilon, delta).

May know: errors, arrays, progress, core.
Begin with: closed_form.
"""
