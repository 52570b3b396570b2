"""Work that does not hold the window up: the background lane and its worker, steps, waiting, running jobs.

May know: errors, studies.
Begin with: worker.
"""
