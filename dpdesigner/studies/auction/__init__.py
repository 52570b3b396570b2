"""One price for everybody that takes bids: the design, the source of its bids, its run, and its panels.

May know: errors, messages, arrays, core, data, studies.
Begin with: design.
"""
