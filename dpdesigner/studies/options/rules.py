"""The rules that choose, by name: those that compete have the epsilon asked, three are as their papers print them."""

from __future__ import annotations

from dpdesigner.core.choice.neighbours import Noise
from dpdesigner.messages import message

#: The rules: what each is called, the noise of which it is the largest, and whether its utilities are rounded to steps.
TITLES: dict[str, tuple[str, Noise, bool]] = {
    "permute-and-flip": (message("Permute-and-flip"), "exponential", False),
    "exponential": (message("Exponential mechanism"), "gumbel", False),
    "noisy-max-laplace": (message("Noisy max, Laplace"), "laplace", False),
    "noisy-max-gumbel": (message("Noisy max, Gumbel"), "gumbel", False),
    "noisy-max-exponential": (message("Noisy max, exponential"), "exponential", False),
    "staircase": (message("Staircase weights"), "gumbel", True),
    "exponential-cacm": (message("exp(ε u/Δ), as [CACM] prints it"), "gumbel", False),
    "exponential-notes": (message("exp(ε u), as [Notes] prints it"), "gumbel", False),
    "exponential-blr": (message("exp(ε u/2Δ), as [BLR] prints it"), "gumbel", False),
}
COMPETING = ("permute-and-flip", "exponential", "noisy-max-laplace", "noisy-max-gumbel", "noisy-max-exponential", "staircase")
PRINTED = ("exponential-cacm", "exponential-notes", "exponential-blr")
