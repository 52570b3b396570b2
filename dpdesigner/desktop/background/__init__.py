"""Background work that keeps the window responsive: the queue and its worker, steps, waiting, running jobs, reading tables.

May know: errors, data, studies, desktop.base.
Begin with: queue.
"""
