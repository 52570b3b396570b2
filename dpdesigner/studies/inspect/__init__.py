"""Any table of releases looked into: what a reader can find out about one person, and how useful the number is.

May know: errors, messages, core, data, studies.
Begin with: design, then answer.
"""
