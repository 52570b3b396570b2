"""After the five papers: what follows from them for one release with many readers, with proofs of our own.

May know: messages, core, studies.
Begin with: paper.
"""
