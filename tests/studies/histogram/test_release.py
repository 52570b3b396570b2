"""Releasing a histogram of real values."""

import random

import numpy as np
import pytest

from dpdesigner.core.noise.histogram import tally
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies.histogram.release import release_counts

VALUES = np.repeat(np.arange(40.0), 25)
EDGES = np.arange(0.0, 40.0)


@pytest.mark.parametrize(("neighbours", "sensitivity"), [("add-remove", 1), ("replace", 2)])
def test_release(neighbours: str, sensitivity: int) -> None:
    below = random.Random(9).randrange
    level = PrivacyLevel.from_epsilon("1/2")
    release = release_counts(tally(VALUES, EDGES), EDGES, level, neighbours, below)  # type: ignore[arg-type]
    assert release.truth.tolist() == [25] * 40
    assert release.sensitivity.value == sensitivity
    assert release.cell_privacy.epsilon == pytest.approx(0.5 / sensitivity)
    assert release.expected_error == pytest.approx(1 / np.sinh(0.5 / sensitivity))
    assert np.abs(release.released - release.truth).mean() == pytest.approx(release.expected_error, rel=0.6)
    assert set(release.columns()) == {"from", "released"}
    for column in release.columns().values():
        assert not column.flags.writeable


def test_without_privacy_it_is_the_truth() -> None:
    release = release_counts(tally(VALUES, [0, 10, 30]), [0, 10, 30], PrivacyLevel.from_epsilon("inf"), "replace")
    assert release.released.tolist() == release.truth.tolist() == [250, 500, 250]
    assert np.abs(release.released - release.truth).mean() == release.expected_error == 0


def test_bad_input() -> None:
    with pytest.raises(InputError):
        release_counts([1], [0], PrivacyLevel.from_epsilon(0), "replace")
    with pytest.raises(InputError):
        release_counts([1], [0], PrivacyLevel.from_epsilon(1), "both")  # type: ignore[arg-type]
