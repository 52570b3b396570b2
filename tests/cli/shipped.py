"""Designs that ship with the program, to try the commands on."""

from __future__ import annotations

from dpdesigner.files.project import examples


def shipped(stem: str) -> str:
    """Return the path of an example."""
    return str(next(example.path for example in examples() if example.path.stem == stem))


PAPER, BEDS, HOURS = shipped("paper-user"), shipped("hospital-beds"), shipped("hours-of-sport")
