"""One price for everybody that takes bids: the design, where its bids come from, its run, and the panels of its outcome.

May know: errors, messages, arrays, core, data, studies.
Begin with: design.
"""
