"""Exhibits of [Notes]: lecture notes on reconstruction, the exponential mechanism and auctions.

May know: messages, core, studies.
Begin with: paper.
"""
