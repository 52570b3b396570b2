"""The interactive page in a real browser: its numbers against Python's, what it shows, and how it is used."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.count.costs import costs_of_others
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Scene
from dpdesigner.files.share import page

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
SCENES = [
    Scene(0, {"row": 6, "view": "geometric"}, "The door", "Six pupils are ill."),
    Scene(1, {"row": 6, "view": "optimal"}, "The nurse", "She reads 9 as 8."),
]
FIVE = ["1%", "3%", "6%", "11%", "16%", "18%", "16%", "12%", "8%", "5%", "3%", "1%", *["0%"] * 9]
DESIGNS = [
    dp.CountDesign(20, alpha="1/2", name="Flu </script><b>"),
    dp.CountDesign(20, alpha="1/2", prior=FIVE, name="The nurse"),
    dp.NoiseDesign("real", epsilon=1, sensitivity=1, name="Noise"),
    dp.AttackDesign(n=32, name="Attack"),
    dp.InspectDesign("geometric:5,ln 2", name="A table"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if BROWSER is None:
        if os.environ.get("DPDESIGNER_BROWSER") == "required":
            pytest.fail("no Chromium is installed, but it is required here")
        pytest.skip("no Chromium is installed: the page is not tried in a browser")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("share") / "page.html"
    target.write_text(page([export_of(design, exact=None) for design in DESIGNS], SCENES).html, "utf-8")
    return target


@pytest.fixture
def opened(browser: Any, file: Path) -> Iterator[Callable[..., Any]]:
    """Open the page; whatever it says on the console, and every request but its own, is a failure."""
    wrong: list[str] = []
    contexts: list[Any] = []

    def show(fragment: str = "", path: Path = file, **options: Any) -> Any:
        contexts.append(
            browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options})
        )
        shown = contexts[-1].new_page()
        shown.on("pageerror", lambda error: wrong.append(str(error)))
        shown.on("console", lambda said: wrong.append(said.text))
        shown.on("request", lambda asked: asked.url.startswith(("file:", "data:")) or wrong.append(asked.url))
        shown.goto(f"file://{path}{fragment}")
        return shown

    yield show
    for context in contexts:
        context.close()
    assert wrong == []


def sentence(shown: Any) -> str:
    return shown.locator("section.design:not([hidden]) .sentence").inner_text()


def badge(shown: Any) -> str:
    return shown.locator("section.design:not([hidden]) .badge").inner_text()


def cases() -> list[tuple[dict[str, Any], dp.CountDesign]]:
    """Random designs, with priors far from the release, where doubles underflow."""
    dice, found = np.random.default_rng(7), list[tuple[dict[str, Any], dp.CountDesign]]()
    for k in range(200):
        n = int(dice.choice([1, 2, 5, 20, 60])) if k % 20 else 200
        epsilon = float(np.exp(dice.uniform(np.log(0.01), np.log(10)))) if k % 20 else 8.0
        weights = dice.exponential(size=n + 1) * (dice.random(n + 1) < dice.choice([0.2, 1.0]))
        if k % 20 == 0:
            weights[1:-1] = 0
        weights[int(dice.integers(0, n + 1))] += 1
        loss, tau = str(dice.choice(["absolute", "squared", "zero-one", "pinball"])), round(float(dice.uniform(0.05, 0.95)), 2)
        asked = {"prior": weights.tolist(), "epsilon": epsilon, "loss": loss, "tau": tau}
        found.append(
            (
                asked,
                dp.CountDesign(n, epsilon=epsilon, prior=weights.tolist(), loss=f"pinball:{tau}" if loss == "pinball" else loss),
            )
        )
    return found


def test_two_hundred_designs_have_the_same_numbers_and_readings(opened: Callable[..., Any]) -> None:
    every = cases()
    answers = opened().evaluate("asked => asked.map((each) => dpdesigner.solve(each))", [asked for asked, _ in every])
    for (_, design), answer in zip(every, answers, strict=True):
        solved, costs = dp.solve(design), dict(costs_of_others(design))
        for mine, other in (
            (answer["value"], solved.value),
            (answer["laplace"], costs["laplace"]),
            (answer["constant"], costs["ignore"]),
        ):
            assert mine == pytest.approx(float(other), rel=1e-9, abs=1e-12)
        assert answer["remap"] == solved.remap.tolist()


@pytest.mark.parametrize("cost", ["absolute", "squared"])
def test_noise_costs_the_same_as_in_python(opened: Callable[..., Any], cost: str) -> None:
    epsilons = [0.01, 0.3, 1.0, 4.0, 9.5]
    answers = opened().evaluate(
        "([epsilons, power]) => epsilons.map((epsilon) => dpdesigner.noise({ epsilon, sensitivity: 3, gamma: null, power }))",
        [epsilons, 1 if cost == "absolute" else 2],
    )
    for epsilon, answer in zip(epsilons, answers, strict=True):
        solved = dp.solve(dp.NoiseDesign("real", epsilon=epsilon, sensitivity=3, cost=cost))
        assert answer["staircase"] == pytest.approx(solved.cost, rel=1e-9)
        assert answer["laplace"] == pytest.approx(solved.findings["laplace"].value, rel=1e-9)


def test_proved_numbers_are_marked_until_something_is_changed(opened: Callable[..., Any]) -> None:
    shown = opened()
    assert badge(shown) == "✓ proved by dpdesigner" and sentence(shown).startswith(
        "Expected error 1.2064. Rounded Laplace noise: 6% more."
    )
    bars = shown.locator("section.design:not([hidden]) svg.bars.live").first
    box = bars.bounding_box()
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.mouse.down()
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20, steps=5)
    shown.mouse.up()
    assert badge(shown) == "for illustration" and not sentence(shown).startswith("Expected error 1.2064")
    assert "you changed the design" in shown.locator("footer").inner_text()
    shown.get_by_role("button", name="Back to the proved design").click()
    assert badge(shown) == "✓ proved by dpdesigner"


def test_bars_move_with_the_keys_alone(opened: Callable[..., Any]) -> None:
    shown = opened()
    shown.locator('section.design:not([hidden]) [role="slider"][tabindex="0"]').first.focus()
    shown.keyboard.press("ArrowRight")
    shown.keyboard.press("End")
    focused = shown.evaluate(
        "[document.activeElement.getAttribute('aria-label'), document.activeElement.getAttribute('aria-valuetext')]"
    )
    assert focused == ["count 1", "100%"] and badge(shown) == "for illustration"
    assert sentence(shown).startswith("Expected error 0.")
    assert "Scene 1 of 2" in shown.locator("footer").inner_text(), "the keys of a bar are not those of the scenes"


def test_scenes_step_with_the_keys_and_the_last_one_is_the_readers(opened: Callable[..., Any]) -> None:
    shown = opened()
    footer = shown.locator("footer")
    assert "Scene 1 of 2" in footer.inner_text() and "Six pupils are ill." in footer.inner_text()
    shown.keyboard.press("ArrowRight")
    assert "The nurse" in footer.inner_text() and sentence(shown).startswith("Expected error 1.0727")
    assert "True count 6: read as" in shown.locator("section.design:not([hidden]) .pointed").inner_text()
    shown.keyboard.press("ArrowRight")
    assert "Now yours" in footer.inner_text() and shown.get_by_role("button", name="Next").is_disabled()
    shown.keyboard.press("ArrowLeft")
    assert "Scene 2 of 2" in footer.inner_text()


def test_a_link_opens_the_state_it_was_made_of_and_a_wrong_one_the_proved_design(opened: Callable[..., Any]) -> None:
    shown = opened()
    shown.get_by_role("button", name="0.1", exact=True).first.click()
    changed = sentence(shown)
    shown.get_by_role("button", name="Copy link to this state").click()
    fragment = shown.evaluate("location.hash")
    assert sentence(opened(fragment)) == changed
    for wrong in (
        "#p=1,2&e=1&l=absolute&i=0&k=nothing",
        "#nonsense",
        fragment.replace("e=0.1", "e=99"),
        fragment.replace("l=absolute", "l=__proto__"),
    ):
        other = opened(wrong)
        assert (
            "The link does not fit this page." in other.locator("#said").inner_text() and badge(other) == "✓ proved by dpdesigner"
        )


def test_a_release_lands_on_the_picture(opened: Callable[..., Any]) -> None:
    shown = opened()
    card = shown.locator('section.design:not([hidden]) [data-card="release"]')
    card.get_by_role("button", name="Simulate once").click()
    assert "This reader reads it as" in card.inner_text() and card.locator("circle.flag").count() == 1
    card.get_by_role("button", name="100 times").click()
    assert card.locator("circle.dot").count() == 21


def test_every_kind_can_be_opened_and_hostile_names_stay_text(opened: Callable[..., Any]) -> None:
    shown = opened()
    assert shown.locator("header b").count() == 0 and "Flu </script><b>" in shown.locator("header").inner_text()
    for name, words in (("Noise", "Laplace noise: 4% more."), ("Attack", "of 32"), ("A table", "66.7 times in")):
        shown.get_by_role("button", name=name, exact=True).click()
        assert words in sentence(shown)


def test_epsilon_is_refused_in_one_sentence_beside_its_field(opened: Callable[..., Any]) -> None:
    shown = opened()
    field = shown.get_by_label("Epsilon", exact=True).first
    field.fill("1e9")
    field.press("Enter")
    assert (
        shown.locator('section.design:not([hidden]) [role="alert"]').first.inner_text()
        == "Epsilon must be from 0.01 to 10 here, got 1e9."
    )
    assert badge(shown) == "✓ proved by dpdesigner"


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1920])
def test_nothing_scrolls_sideways(opened: Callable[..., Any], width: int) -> None:
    shown = opened(viewport={"width": width, "height": 800})
    for name in [design.name for design in DESIGNS]:
        shown.get_by_role("button", name=name, exact=True).click()
        assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_it_is_a_page_with_pictures_and_captions(opened: Callable[..., Any]) -> None:
    shown = opened(java_script_enabled=False)
    assert shown.locator("section.design").count() == len(DESIGNS) and shown.locator("figure img").count() >= 5
    assert "Six pupils are ill." in shown.locator(".captions").inner_text()
    assert (
        "The published count is wrong by about 1.2 on average if all counts from 0 to 20 are equally likely."
        in shown.locator("section.design").first.inner_text()
    )


def test_dark_and_print_have_their_own_colours(opened: Callable[..., Any]) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    assert opened().evaluate(back) == "rgb(242, 243, 245)"
    dark = opened(color_scheme="dark")
    assert dark.evaluate(back) == "rgb(20, 23, 27)"
    dark.emulate_media(media="print")
    assert dark.evaluate(back) == "rgb(255, 255, 255)" and dark.locator("footer").is_hidden()
    assert dark.locator(".captions").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_the_contrast_of_aa(opened: Callable[..., Any], scheme: str) -> None:
    worst = opened(color_scheme=scheme).evaluate(
        """() => {
          const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
          const light = (colour) => parts(colour).slice(0, 3).map((c) => c / 255)
            .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((t, c, k) => t + c * [0.2126, 0.7152, 0.0722][k], 0);
          const behind = (element) => {
            for (let at = element; at; at = at.parentElement) {
              const [r, g, b, a = 1] = parts(getComputedStyle(at).backgroundColor);
              if (a > 0) return `rgb(${r}, ${g}, ${b})`;
            }
            return "rgb(255, 255, 255)";
          };
          const found = [];
          for (const element of document.querySelectorAll("section.design:not([hidden]) *, header *, footer *")) {
            const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!own || !element.getClientRects().length || element.disabled) continue;
            if (element.closest("svg, canvas, option, title")) continue;
            const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
            found.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.textContent.slice(0, 40)]);
          }
          return found.sort((x, y) => x[0] - y[0])[0];
        }"""
    )
    assert worst[0] >= 4.5, worst
