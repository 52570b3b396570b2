"""What each kind of design writes and reads; a new kind gets an entry here, and `test_every_kind` says what else it needs.

A reason that is empty has a design instead, which tests try: where its line below says.
"""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """What one kind does not do, and why."""

    no_table: str = ""
    """Why no mechanism's probabilities are exported; else it is in `TABLES` of files/test_exported_epsilon.py."""
    no_data: str = ""
    """Why it has no private data; else a design is in a list of files/test_outputs_do_not_depend_on_data.py."""
    no_cost: str = ""
    """Why a release costs nobody's privacy; else `spent` of its design says what it costs, and for which adjacency."""
    no_file: str = ""
    """Why it reads no numbers from files; else it is in `READING` of files/test_european_decimals.py."""


SAID = {
    "count": Said(
        no_data="a prior and a loss are beliefs; the true count is told to `sample` only: tests/test_secrets.py",
        no_file="its inputs are typed",
    ),
    "noise": Said(
        "curves of a noise in doubles, cut off where it is rare: no rows of a mechanism",
        "a query, no data",
        no_file="its inputs are typed",
    ),
    "histogram": Said("curves of one cell's noise in doubles; its releases are drawn exactly"),
    "choice": Said(no_file="a column of texts, in which 1,5 is an option like any other"),
    "auction": Said("densities of the price and sums over bids: a price is a real number, no table has its mechanism"),
    "attack": Said("numbers of people and answers; errors within a bound have no epsilon", no_cost="it judges other releases"),
    "synthetic": Said("a made-up column, drawn; no probabilities"),
    "rectangle": Said("noisy counts, drawn; no probabilities"),
    "net": Said("the probabilities of small databases for one column only: its neighbours' are not written"),
    "halfspace": Said("noisy counts, drawn; no probabilities"),
    "sizes": Said("numbers of rows", "no data", "nothing is released", "its inputs are typed"),
    "audience": Said(no_data="priors and losses are beliefs, and the table of a mechanism is public"),
    "inspect": Said(
        no_data="the table of a mechanism is public: whoever judges a release may know how it was made",
        no_cost="it judges other releases",
    ),
    "exhibit": Said("numbers of the papers", "no data", "nothing is released", "its inputs are typed"),
}
