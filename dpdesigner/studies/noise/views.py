"""The views that show something of a noise design, and what their tabs say."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.said import said

#: Key, text and tooltip of a view.
Tab = tuple[str, str, str]

_SINGLE = ("density", "distribution", "epsilon", "gamma", "best")

#: What the tab of each view says, and its tooltip.
TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "density": (said("Density"), said("How likely each amount of noise is, beside Laplace noise")),
        "distribution": (said("Distribution"), said("The distribution function, and within which bounds most errors lie")),
        "epsilon": (said("Cost against ε"), said("Expected cost against epsilon")),
        "gamma": (said("Cost against γ"), said("Expected cost against gamma, the place of the step")),
        "best": (said("γ* against ε"), said("The best gamma against epsilon")),
        "delta": ("(ε, δ)", said("What is gained where probabilities may exceed what ε allows, by δ at most")),
        "budget": (said("Budget"), said("Several answers about the same people: how epsilon is shared among them")),
        "plane": (said("Plane"), said("The density of the noise of two answers, as a picture")),
        "several": (said("Cost against d"), said("Expected cost against the number of answers")),
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
