"""The views of the middle of the noise page: which there are for each kind of query, and what their tabs say."""

from __future__ import annotations

from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.said import said

_SINGLE = ("density", "distribution", "epsilon", "gamma", "best")


def views_of(study: NoiseStudy) -> tuple[str, ...]:
    """Return the keys of the views that show something of a study, in order."""
    if study.query == "histogram":
        return ("histogram", "density", "distribution", "epsilon")
    if study.query == "table":
        return ("table", "costs")
    if study.query == "integer":
        return (*_SINGLE, "budget")
    if study.dimension == 1:
        return (*_SINGLE, "delta", "budget")
    return ("plane" if study.dimension == 2 else "density", "epsilon", "gamma", "best", "several")


def tabs_of(study: NoiseStudy) -> list[tuple[str, str, str]]:
    """Return key, text and tooltip of each view."""
    texts = {
        "density": (said("Density"), said("How likely each amount of noise is, beside Laplace noise")),
        "distribution": (said("Distribution"), said("The distribution function, and within which bounds most errors lie")),
        "epsilon": (said("Cost against ε"), said("Expected cost against epsilon")),
        "gamma": (said("Cost against γ"), said("Expected cost against gamma, the place of the step")),
        "best": (said("γ* against ε"), said("The best gamma against epsilon")),
        "delta": ("(ε, δ)", said("What is gained where probabilities may exceed what ε allows, by δ at most")),
        "budget": (said("Budget"), said("Several answers about the same people: how epsilon is shared among them")),
        "plane": (said("Plane"), said("The density of the noise of two answers, as a picture")),
        "several": (said("Cost against d"), said("Expected cost against the number of answers")),
        "histogram": (said("Histogram"), said("A column of your data, released with exact noise beside the truth")),
        "table": (said("Probabilities"), said("How likely each output is for each state of the data")),
        "costs": (said("Costs"), said("What each output costs for each state of the data; click a cell to change it")),
    }
    if study.query == "histogram":
        texts["density"] = (said("Noise of a cell"), said("How likely each amount of noise is in one cell"))
    return [(key, *texts[key]) for key in views_of(study)]
