"""Plain words: texts for readers avoid a list of words and openings, are spelt in British English, and have short sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from statistics import mean

import pytest

from dpdesigner import resources

ROOT = Path(__file__).parent.parent
#: Words that read like a translation, as regular expressions, with a better choice.
AVOID = {
    r"the other way round": "in reverse, conversely",
    r"in all(?=[.,;:)])|ε in all": "in total, total ε",
    r"goes for": "applies to",
    r"stands? (?:in|under|beside|at)": "is",
    r"(?:comes?|came) to (?!the)": "is, sums to",
    r"as well as can be": "optimally, with the best reading",
    r"beforehand": "in advance",
    r"(?:of|in|by|at) so many|so many (?:queries|rows|people|answers|processes)": "this many",
    r"such (?:as|an?)": "like, this",
    r"beside": "next to",
    r"(?:a|one) \w+ an? (?:line|row|person|bidder|cell|kind|folder|processor)": "one row per person",
    r"(?<!body )(?<!one )(?<!where )(?<!thing )(?<!is )else": "otherwise",
    r"(?:is|are|was|be) told|tells? (?:nothing|of|more|next)": "shows, reveals",
    r"whoever": "anyone who",
    r"(?:a|the|what) chance of|with a chance": "with probability",
    r"(?:is|are|be) off by": "error",
    r"what is said": "the release, the bid",
    r"really (?:is|are|has|have)|what it really": "measured, attained",
    r"the likelier the": "values that … are more likely",
    r"as (?:near|close) to \S+ as one likes": "arbitrarily close to",
    r", so that": "so",
    r"the very|somebody’s very": "leave it out",
    r"dearer": "more expensive",
    r"taken away": "removed, exported",
    r"read off": "read from",
    r"what (?:makes|costs|takes|cannot|is shown|comes out)": "name the thing",
    r"” must be": "should be, should read",
    r"nobody (?:had|has|knows?|can) .{0,30} than": "a plain statement",
    r"\d %": "no space before the percent sign",
    r"\d \d{3}": "a thin space within numbers (U+202F)",
}  # fmt: skip
#: Openings of statements; questions may begin so.
OPENINGS = re.compile(r"(?:What|How|Who|Whoever|Whose|That which|Else|Such|Shown|Beside|Of (?:a|an|any|each|every|the|which)) ")
AMERICAN = re.compile(
    r"\b(?:\w*colors?|neighbor\w*|behaviors?|favor\w*|honor\w*|centers?|gray|analyz\w*|catalogs?|labeled|modeled|"
    r"(?:optim|random|minim|maxim|recogn|organ|normal|summar|general|real|visual|anonym)iz\w*)\b",
    re.IGNORECASE,
)
#: Help pages by hand: the page of the Python interface is made of docstrings.
PAGES = sorted(path for path in resources.path("help").glob("*.html") if path.stem != "python")


def without_markup(text: str) -> list[str]:
    """The paragraphs of an HTML page or of a template, as text; labels of list items, code and titles of papers are left out."""
    text = re.sub(r"{#.*?#}|{%.*?%}", " ", text, flags=re.DOTALL)
    text = re.sub(r"{{.*?}}", "0", text, flags=re.DOTALL)
    text = re.sub(r"<pre>.*?</pre>", " ", text, flags=re.DOTALL)
    text = re.sub(r"<code>.*?</code>", "code", text, flags=re.DOTALL)
    text = re.sub(r"(<(?:li|p)>)\s*<b>[^<]*</b>[:.]", r"\1", text)
    text = re.sub(r"<i>[^<]*\w{3,} [^<]* [^<]*</i>", "Title", text)
    text = re.sub(r"<(?:/?(?:p|li|ul|ol|h\d|td|tr|table|html)|br)\b[^>]*>", "\n\n", text)
    text = unescape(re.sub(r"<[^>]*>", "", text))
    return [
        " ".join(part.split(" ")).strip() for part in re.split(r"\n\s*\n", re.sub(r"(?<!\n)\n(?!\n)", " ", text)) if part.strip()
    ]


def without_code(text: str) -> list[str]:
    """The paragraphs of a Markdown text without its code, pictures and links."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`", "code", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text))
    return [" ".join(part.split(" ")) for part in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) |\n(?=#)|\|", text) if part.strip()]


def sentences(paragraph: str) -> list[str]:
    """A paragraph's sentences; an initial or an abbreviation ends none."""
    words = re.sub(r"[ \n]+", " ", paragraph).strip()
    return [
        part for part in re.split(r"(?<!\b[A-Z])(?<!\bi\.e)(?<!\be\.g)[.?!](?<=([.?!]))\s+", words) if part and part not in ".?!"
    ]


@cache
def texts() -> list[tuple[str, str]]:
    """All paragraphs for readers that are not in Python code, by where they are."""
    return list(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    for path in [*PAGES, *resources.path("why").glob("*.html"), *resources.path("report").glob("*.html")]:
        yield from ((f"{path.parent.name}/{path.name}", part) for part in without_markup(path.read_text("utf-8")))
    for scene in json.loads(resources.path("demo", "story.json").read_text("utf-8")):
        for step in scene["steps"]:
            yield from (("demo/story.json", re.sub("</?[bw]>", "", step[key])) for key in ("caption", "note"))
    for example in json.loads(resources.path("examples", "examples.json").read_text("utf-8")):
        yield "examples/examples.json", example["description"]
    for path in resources.path("examples").glob("*.dpd"):
        for scene in json.loads(path.read_text("utf-8")).get("scenes", ()):
            yield from ((path.name, scene[key]) for key in ("title", "text") if key in scene)
    for name in ("README.md", "CONTRIBUTING.md", "tests/benchmarks/README.md", "CHANGELOG.md", "resources/data/README.md"):
        yield from ((name, part) for part in without_code((ROOT / name).read_text("utf-8")))
    info = (ROOT / "packaging/linux/dpdesigner.metainfo.xml").read_text("utf-8")
    yield from (
        ("dpdesigner.metainfo.xml", " ".join(part.split())) for part in re.findall(r"<(?:p|li|summary)>(.*?)</", info, re.DOTALL)
    )
    manual = (ROOT / "packaging/linux/dpdesigner.1").read_text("utf-8")
    yield from (("dpdesigner.1", line) for line in manual.splitlines() if line[:1] not in (".", ""))


def test_the_texts_are_read() -> None:
    assert len(texts()) > 500 and {"help/attack.html", "why/count.html", "who-voted-scenes.dpd"} <= {
        where for where, _ in texts()
    }


@pytest.mark.parametrize(("words", "instead"), AVOID.items())
def test_words_that_are_avoided(words: str, instead: str) -> None:
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
    found = [(where, text[max(0, at.start() - 60) : at.end() + 20]) for where, text in texts() for at in pattern.finditer(text)]
    assert not found, f"better: {instead}"


def test_statements_open_with_their_subject() -> None:
    found = [(where, each) for where, text in texts() for each in statements(text) if OPENINGS.match(each)]
    assert not found


def statements(paragraph: str) -> list[str]:
    """A paragraph's sentences that are no questions."""
    words = re.sub(r"[ \n]+", " ", paragraph).strip()
    return [
        each for each in re.findall(r"\S[^.?!]*(?:[.?!](?!\s|$)[^.?!]*)*[.?!]?", words) if not each.rstrip("”)").endswith("?")
    ]


def test_spelling_is_british() -> None:
    assert not [(where, at.group()) for where, text in texts() for at in AMERICAN.finditer(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sentences_in_help_are_short(page: Path) -> None:
    lengths = {
        each: len(re.findall(r"\S*\w\S*", each)) for part in without_markup(page.read_text("utf-8")) for each in sentences(part)
    }
    assert not [each for each, length in lengths.items() if length > 40]
    assert mean(length for length in lengths.values() if length > 3) <= 18


def test_captions_and_descriptions_have_the_length_of_their_place() -> None:
    for where, text in texts():
        most = {"demo/story.json": 260, "examples/examples.json": 360}.get(where, 240 if where.endswith(".dpd") else None)
        assert most is None or len(text) <= most, (where, len(text), text)
