"""One study per page: its inputs, frozen and checked when made, and what running them gives."""
