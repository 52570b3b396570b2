"""The views of the middle of the noise page: which there are for each kind of query, and what their tabs say."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.studies.noise.design import NoiseStudy

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
        "density": (_tr("Density"), _tr("How likely each amount of noise is, beside Laplace noise")),
        "distribution": (_tr("Distribution"), _tr("The distribution function, and within which bounds most errors lie")),
        "epsilon": (_tr("Cost against ε"), _tr("Expected cost against epsilon")),
        "gamma": (_tr("Cost against γ"), _tr("Expected cost against gamma, the place of the step")),
        "best": (_tr("γ* against ε"), _tr("The best gamma against epsilon")),
        "delta": ("(ε, δ)", _tr("What is gained where probabilities may exceed what ε allows, by δ at most")),
        "budget": (_tr("Budget"), _tr("Several answers about the same people: how epsilon is shared among them")),
        "plane": (_tr("Plane"), _tr("The density of the noise of two answers, as a picture")),
        "several": (_tr("Cost against d"), _tr("Expected cost against the number of answers")),
        "histogram": (_tr("Histogram"), _tr("A column of your data, released with exact noise beside the truth")),
        "table": (_tr("Probabilities"), _tr("How likely each output is for each state of the data")),
        "costs": (_tr("Costs"), _tr("What each output costs for each state of the data; click a cell to change it")),
    }
    if study.query == "histogram":
        texts["density"] = (_tr("Noise of a cell"), _tr("How likely each amount of noise is in one cell"))
    return [(key, *texts[key]) for key in views_of(study)]


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)
