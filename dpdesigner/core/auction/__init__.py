"""A single price for all bidders: the revenue of each price, the random price, gains from misreporting, exact draws.

May know: errors, arrays, progress, core.numbers, core.privacy.
Begin with: demand, then price.
"""
