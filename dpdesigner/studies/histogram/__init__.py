"""A histogram whose cells are all released with exact noise: the design, its run, its data, and a release.

May know: errors, core, data, studies.findings, studies.inputs, studies.registry, studies.said, studies.study, studies.noise.
Begin with: design.
"""
