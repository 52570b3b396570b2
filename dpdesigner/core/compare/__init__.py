"""What other ways of releasing a count cost the same user, and the expected loss at other privacy levels.

May know: errors, arrays, core.numbers, core.privacy, core.problem, core.mechanism, core.dense, core.structured.
Begin with: alternatives.
"""
