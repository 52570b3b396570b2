"""A count's user in numbers: the closed form, the linear program beside it, and what others would cost.

May know: errors, arrays, progress, core.numbers, core.privacy, core.problem, core.mechanism, core.dense, core.structured, core.compare, core.noise, core.program.
Begin with: problem.
"""  # noqa: E501
