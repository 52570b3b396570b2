"""Tables as pictures: the matrix of a mechanism with its key, pattern, selection and words; a plane; a crowd of people.

May know: errors, arrays, studies, desktop.theme, desktop.widgets.base, desktop.widgets.plot, core.basics.
Begin with: view.
"""
