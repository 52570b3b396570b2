"""Exhibits: each is one claim of a paper, with adjustable parameters, a picture, and the paper's numbers next to ours.

May know: errors, messages, arrays, resources, core, studies.
Begin with: exhibit, then notes_noise.
"""
