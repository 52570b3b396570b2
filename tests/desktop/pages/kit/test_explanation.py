"""Explanations: templates in the resources, filled in and escaped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jinja2 import UndefinedError

from dpdesigner import resources
from dpdesigner.desktop.pages.kit.summary import explained, read_templates
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.synthetic.net_design import NetDesign


def test_all_of_them_can_be_read() -> None:
    assert {path.name for path in resources.path("why").iterdir()} >= {"noise.html", "histogram.html"}
    read_templates()


def test_what_is_put_in_is_text_and_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = NoiseDesign(gamma="1/3", dimension=3, epsilon=1).run()
    monkeypatch.setattr(NoiseAnswer, "compared", "a < <b>b</b>")
    found = explained(outcome)
    assert "a &lt; &lt;b&gt;b&lt;/b&gt;." in found.plain and "<b>The guarantee.</b>" in found.plain
    assert found.title == "How good is this noise?" and found.help == "noise" and "  " not in found.plain


def test_a_name_that_is_not_known_is_no_silence() -> None:
    outcome = replace(HistogramDesign.starting().run(), cell=None)
    with pytest.raises(UndefinedError):
        explained(outcome)


def test_secret_numbers_are_read_and_not_copied() -> None:
    found = explained(NetDesign([3, 4, 9, 1], 2, epsilon=1, seed=1).run())
    assert found.copied.count("–") > found.plain.count("–") and len(found.copied) < len(found.plain)
    public = explained(NetDesign([3, 4, 9, 1], 2, epsilon=1, seed=1, real_errors="published").run())
    assert public.copied == public.plain
