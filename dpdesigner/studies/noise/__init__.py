"""Noise for a number or a vector, and a histogram whose cells are all released with exact noise: designs, runs, answers.

May know: errors, arrays, core, studies, messages, data.columns, data.data_files, data.options.
Begin with: design, then histogram_design.
"""
