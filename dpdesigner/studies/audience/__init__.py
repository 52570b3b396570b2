"""One release for everybody who reads it: each reader has a prior, a loss and a remap of their own.

May know: arrays, errors, messages, core, data, studies.
Begin with: design, then run.
"""
