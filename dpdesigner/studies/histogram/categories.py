"""What is said of a list of categories: who may know it, and what becomes of rows that hold none of them."""

from __future__ import annotations

from dpdesigner.core.noise.histogram import MOST_CELLS
from dpdesigner.data.category_counts import count_categories
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.histogram.design import HistogramDesign

#: Why a list that is taken from the data is no secret kept, before it is taken.
NOT_PRIVATE = message(
    "The list itself reveals who is in the data: a category that only one person has appears only because of that "
    "person. Noise cannot hide this, and ε does not cover it. Use this list only if it is public anyway. A list fixed "
    "before the data, typed or from a file, keeps the guarantee. From now on the design, its report and its files state "
    "that the list is not private."
)


def categories_in(path: str, column: str) -> tuple[str, ...]:
    """Return all that a column holds, in the order of the alphabet; to publish it is not private: see `NOT_PRIVATE`.

    Raises
    ------
    InputError
        If the file cannot be read, or holds more than may be listed.
    """
    categories = count_categories(path, column, None).categories
    if len(categories) >= MOST_CELLS:
        raise InputError(f"there must be at most {MOST_CELLS - 1} categories, got {len(categories)} in the data.", "categories")
    return categories


def listing(design: HistogramDesign) -> Message:
    """Return where categories or cells are from, and what becomes of other rows; empty for cells that anybody may know."""
    if design.categories is None:
        if design.listed == "public":
            return message("")
        return message(
            "The range of the cells was taken from the data: it reveals the least and the largest value. ε covers the counts, "
            "not the range."
        )
    if design.listed == "data":
        return message(
            "The list was taken from the data. It reveals which values occur, and a category that only one person has "
            "reveals that this person is in the data. ε covers the counts, not the list."
        )
    if not design.categories:
        return message("List the categories that may occur, using public knowledge only. Until then every row is in “any other”.")
    if design.outside == "refuse":
        return message(
            "If any row has a value outside this list, nothing is counted. The privacy guarantee assumes that this "
            "cannot happen, because a refusal would itself reveal something about the data."
        )
    return message("The list must not come from the data. All other rows, including empty ones, are counted in “any other”.")
