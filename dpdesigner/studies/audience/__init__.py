"""One release for everybody who reads it: each reader has their own prior, loss and remap.

May know: arrays, errors, messages, core, data, studies.
Begin with: design, then run.
"""
