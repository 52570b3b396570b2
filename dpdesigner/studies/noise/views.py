"""The views that show something of a noise design, and what their tabs say."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpdesigner.messages import message
from dpdesigner.studies.noise.design import NoiseDesign

#: Key, text and tooltip of a view.
Tab = tuple[str, str, str]

_SINGLE = ("density", "distribution", "epsilon", "gamma", "best")

#: What the tab of each view says, and its tooltip.
TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "density": (message("Density"), message("How likely each amount of noise is, beside Laplace noise")),
        "distribution": (message("Distribution"), message("The distribution function, and within which bounds most errors lie")),
        "epsilon": (message("Cost against ε"), message("Expected cost against epsilon")),
        "gamma": (message("Cost against γ"), message("Expected cost against gamma, the place of the step")),
        "best": (message("γ* against ε"), message("The best gamma against epsilon")),
        "delta": ("(ε, δ)", message("What is gained where probabilities may exceed what ε allows, by δ at most")),
        "budget": (message("Budget"), message("Several answers about the same people: how epsilon is shared among them")),
        "plane": (message("Plane"), message("The density of the noise of two answers, as a picture")),
        "several": (message("Cost against d"), message("Expected cost against the number of answers")),
    }
)


def views_of(design: NoiseDesign) -> tuple[str, ...]:
    """Return the keys of the views that show something of a design, in order: several answers have no distribution function."""
    if design.query == "integer":
        return (*_SINGLE, "budget")
    if design.dimension == 1:
        return (*_SINGLE, "delta", "budget")
    return ("plane" if design.dimension == 2 else "density", "epsilon", "gamma", "best", "several")


def tabs_of(design: NoiseDesign) -> list[Tab]:
    """Return key, text and tooltip of each view."""
    return [(key, *TEXTS[key]) for key in views_of(design)]
