"""Work that does not hold the window up: the background lane and its worker, steps, waiting, running jobs, reading tables.

May know: errors, data, studies.
Begin with: queue.
"""
