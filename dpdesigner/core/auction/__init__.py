"""One price for everybody that takes bids: what a price earns, how it is drawn, what lying gains, exact draws.

May know: errors, arrays, progress, core.numbers, core.privacy.
Begin with: demand, then price.
"""
