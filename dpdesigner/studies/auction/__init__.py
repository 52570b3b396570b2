"""One price for everybody that takes bids: the design, where its bids come from, its run, and the panels of its outcome.

May know: errors, core, data, studies.asked, studies.declared, studies.findings, studies.input_kinds, studies.panels, studies.registry,
studies.said, studies.study, studies.tables,
studies.told.
Begin with: design.
"""
