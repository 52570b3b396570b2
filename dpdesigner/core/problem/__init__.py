"""What a user of a count believes and what errors cost them: prior and loss; whether Theorem A covers the loss.

May know: errors, arrays, core.numbers.
Begin with: loss.
"""
