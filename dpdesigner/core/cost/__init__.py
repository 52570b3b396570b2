"""What noise costs: powers, drawn curves and expressions, and their sums and integrals against a density.

May know: errors, arrays, core.numbers.
Begin with: noise_cost.
"""
