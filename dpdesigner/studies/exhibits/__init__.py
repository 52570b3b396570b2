"""Exhibits: each is one claim of a paper, with parameters to change, a picture, and the paper's numbers beside ours.

May know: errors, messages, arrays, resources, core, studies.
Begin with: exhibit, then notes_noise.
"""
