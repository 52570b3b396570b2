"""One release for several readers, by number: losses, readings, shares of epsilon, targets; and against other private tables."""

from __future__ import annotations

import math
import random
from fractions import Fraction as F

import numpy as np
import pytest

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.readers import AudienceReader
from dpdesigner.core.inspection.release_value import least_epsilon, loss_at, posterior, read_table, serve, shared_level
from dpdesigner.core.inspection.table import exact_table
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import repair
from dpdesigner.errors import InputError

HALF = PrivacyLevel("alpha", "1/2")
PLANNER = AudienceReader("Planner", (Prior([int(digit) for digit in "000112345678887654321"], 20),), Loss("pinball:3/4"))
WEIGHTS = [1, 3, 6, 10, 14, 17, 18, 17, 14, 11, 8, 6, 4, 3, 2, 2, 1, 1, 1, 1, 1]
NEWSPAPER = AudienceReader("Newspaper", (Prior(WEIGHTS, 20),), Loss("zero-one"))
EPIDEMIOLOGIST = AudienceReader("Epidemiologist", (Prior("binomial:1/4", 20),), Loss("squared"))


def reader(prior: object, loss: str, n: int) -> AudienceReader:
    return AudienceReader("x", (Prior(prior, n),), Loss(loss))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("who", "loss", "separate", "target", "epsilon"),
    [
        (PLANNER, 0.5171, 0.9711, F(1, 2), 0.720866427058),
        (NEWSPAPER, 0.6596, 0.8463, F(3, 5), 0.833533018141),
        (EPIDEMIOLOGIST, 1.8957, 3.3436, F(2), 0.655104721917),
    ],
)
def test_flu_in_a_ward(who: AudienceReader, loss: float, separate: float, target: F, epsilon: float) -> None:
    one = serve(who, HALF)
    assert isinstance(one.loss, F) and one.gap == 0 and round(float(one.loss), 4) == loss and one.uses_the_data
    own = serve(who, shared_level(HALF, 3))
    assert math.floor(float(own.loss) * 1e4) == round(separate * 1e4) and float(own.gap or 0) < 1e-10
    found = least_epsilon(who, target)
    assert found == pytest.approx(epsilon, rel=1e-11) and found is not None
    assert loss_at(who, found) <= float(target) < loss_at(who, found * (1 - 1e-9))
    rough = serve(who, HALF, roughly=True)
    assert float(one.loss) <= rough.loss <= float(one.loss) * (1 + 1e-11) and rough.remap == one.remap


def test_readings_and_beliefs_of_the_flu_example() -> None:
    assert [serve(who, HALF).remap[12] for who in (PLANNER, NEWSPAPER, EPIDEMIOLOGIST)] == [13, 12, 8]
    belief = posterior(PLANNER, geometric.matrix(HALF, 20), 12)
    assert belief is not None and belief.sum() == pytest.approx(1) and belief[:3].max() == 0


@pytest.mark.parametrize(
    ("prior", "loss", "at_eighth", "at_half"),
    [
        ("uniform", "absolute", F(1512003793, 6643777536), F(9217, 8448)),
        ("binomial:1/2", "squared", F(21414387961, 68719476736), F(202199, 131072)),
        ([1, *[0] * 9, 1], "zero-one", F(1, 65536), F(1, 64)),
    ],
)
def test_one_release_and_shares_of_it(prior: object, loss: str, at_eighth: F, at_half: F) -> None:
    who, level = reader(prior, loss, 10), PrivacyLevel("alpha", "1/8")
    assert serve(who, level).loss == at_eighth
    share = shared_level(level, 3)
    assert share.exact_alpha == F(1, 2) and serve(who, share).loss == at_half


def test_shares_of_epsilon() -> None:
    assert shared_level(PrivacyLevel("epsilon", "1/2"), 4).exact_epsilon == F(1, 8)
    share = shared_level(HALF, 3)
    assert share.exact_alpha is not None and 0 < F(1, 2) - share.exact_alpha**3 < F(1, 10**45)
    assert shared_level(HALF, 1) is HALF


def test_laplace_noise_that_is_out_already() -> None:
    """Rounded and clamped at alpha = 1/4: as private as geometric noise, and worse for everybody (n = 5)."""
    inner = {0: F(1, 2)} | {k: F(3, 4) * F(1, 4) ** abs(k) for k in range(-5, 6) if k}
    tail = {k: F(1, 4) ** k if k else F(3, 4) for k in range(6)}
    rows = [[tail[i], *(inner[j - i] for j in range(1, 5)), tail[5 - i]] for i in range(6)]
    assert all(sum(row) == 1 for row in rows)
    table = exact_table(rows)
    for prior, loss, best, least in (
        ("uniform", "absolute", F(531, 1024), F(531, 1280)),
        ("binomial:1/2", "squared", F(10459, 16384), F(563, 1024)),
        ([1, 0, 0, 0, 0, 1], "zero-one", F(1, 64), F(1, 80)),
        ("uniform", "pinball:3/4", F(1513, 6144), F(531, 2560)),
    ):
        who = reader(prior, loss, 5)
        assert read_table(who, table).loss == best and serve(who, PrivacyLevel("alpha", "1/4")).loss == least
        in_doubles = read_table(who, table.in_doubles())
        assert float(best) <= in_doubles.loss <= float(best) * (1 + 1e-13)
    assert read_table(reader("uniform", "pinball:3/4", 5), table).remap == (1, 2, 3, 3, 4, 5)
    face = read_table(reader("binomial:1/2", "squared", 5), table).face
    assert face is not None and float(face) == pytest.approx(0.877990722656, abs=1e-12)


def test_no_private_table_serves_a_reader_better() -> None:
    rng, dice = np.random.default_rng(4), random.Random(4)
    for _ in range(40):
        n, alpha = dice.randint(1, 6), F(dice.randint(1, 9), 10)
        who = reader([dice.randint(0, 4) for _ in range(n)] + [1], dice.choice(["absolute", "squared", "pinball:1/3"]), n)
        raw = [[F(int(entry)) for entry in row] for row in rng.integers(1, 30, (n + 1, n + 2))]
        private = repair(np.array([[entry / sum(row) for entry in row] for row in raw], dtype=object), alpha)
        table = exact_table([[F(entry) / sum(row) for entry in row] for row in private.tolist()])
        read = read_table(who, table)
        assert read.loss >= serve(who, PrivacyLevel("alpha", alpha)).loss


def test_a_loss_outside_the_theorem_has_the_optimum_of_the_linear_program() -> None:
    who = reader("uniform", "expression:(i-r)%2", 3)
    one = serve(who, HALF)
    assert not who.covered and one.loss == F(3, 8) and float(one.optimum or 0) == pytest.approx(1 / 3, abs=1e-9)
    assert float(one.optimum or 1) <= 1 / 3 + 1e-15
    assert serve(who, HALF, roughly=True).optimum is None


def test_readings_that_are_no_counts() -> None:
    table = ((F(0), F(3)), (F(1), F(1)), (F(4), F(0)))
    who = AudienceReader("Manager", (Prior("uniform", 2),), table, ("wait", "act"))
    one = serve(who, HALF)
    assert who.covered and one.gap == 0 and one.face is None
    assert [who.reading_name(r or 0) for r in one.remap] == ["wait", "act", "act"]


def test_without_privacy_and_without_data() -> None:
    who = reader([1, 0, 2, 1], "absolute", 3)
    told = serve(who, PrivacyLevel("alpha", 0))
    assert told.loss == 0 and told.remap == (0, None, 2, 3)
    blind = serve(who, PrivacyLevel("alpha", 1))
    assert blind.loss == blind.ignore and not blind.uses_the_data
    assert least_epsilon(who, F(10)) == 0 and least_epsilon(who, F(0)) == math.inf
    with_a_price = reader("uniform", "expression:abs(i-r)+1", 3)
    assert least_epsilon(with_a_price, F(1, 2)) is None


def test_a_table_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="the table has 2 rows, but reader x needs 4"):
        read_table(reader("uniform", "absolute", 3), exact_table([[F(1), F(0)], [F(0), F(1)]]))


def test_at_alpha_1_outputs_between_the_ends_never_come() -> None:
    assert serve(reader("uniform", "absolute", 3), PrivacyLevel("alpha", 1)).remap == (1, None, None, 1)


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "pinball:3/4", "power:1.5"])
@pytest.mark.parametrize("epsilon", ["0.002", "0.7"])
def test_without_a_certificate_the_optimum_is_the_same_and_no_higher_than_the_loss(loss: str, epsilon: str) -> None:
    who, level = reader("binomial:1/3", loss, 80), PrivacyLevel.from_epsilon(epsilon)
    certified, quick = serve(who, level), serve(who, level, certified=False)
    assert quick.optimum is not None and certified.optimum is not None
    assert quick.loss >= quick.optimum and quick.remap == certified.remap
    assert float(quick.optimum) == pytest.approx(float(certified.optimum), rel=1e-9)
