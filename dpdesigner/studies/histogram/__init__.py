"""A histogram whose cells are all released with exact noise: the design, its run, its data, and a release.

May know: errors, messages, arrays, core, data, studies.
Begin with: design.
"""
