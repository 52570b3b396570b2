"""Plain words: texts for readers, also those in Python, avoid a list of words and openings and are spelt in British English."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from statistics import mean

import pytest

import dpdesigner
from dpdesigner import resources

ROOT = Path(__file__).parent.parent
#: Words that read like a translation, as regular expressions, with a better choice.
AVOID = {
    r"the other way round": "in reverse, conversely",
    r"in all(?=[.,;:)])|ε in all": "in total, total ε",
    r"goes for": "applies to",
    r"stands? (?:in|under|beside|at)": "is",
    r"(?:comes?|came) to(?! the)": "is, sums to",
    r"as well as can be": "optimally, with the best reading",
    r"beforehand": "in advance",
    r"(?:of|in|by|at) so many|so many (?:queries|rows|people|answers|processes)": "this many",
    r"such (?:as|an?)": "like, this",
    r"beside": "next to",
    r"(?:a|one) \w+ an? (?:line|row|person|bidder|cell|kind|folder|processor)": "one row per person",
    r"(?<!body )(?<!one )(?<!where )(?<!thing )(?<!whatever )else": "otherwise",
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
    r"must hold": "must contain, must have",
    r"(?:not|without) looking at the data at all|not looking at the data": "ignoring the data",
    r"even-handed": "that treats names alike",
    r"just as private": "equally private",
    r"how far off": "error",
    r"knows? nothing of": "a plain statement",
    r"known to us": "we know, we do not know",
    r"(?:clash|clashes)(?! between)": "contradict each other, are inconsistent",
    r"what anyone may": "the noun: questions, neighbours",
    r"\d+ %": "no space before the percent sign",
    r"\d+ \d{3}|(?<![\d.,/^–-])(?!1[5-9]\d\d|20\d\d|4829/3276)\d{4,}(?![\d.])": "a thin space within numbers from 1 000 (U+202F)",
}  # fmt: skip
#: Openings of statements; questions may begin so.
OPENINGS = re.compile(r"(?:What|How|Who|Whoever|Whose|That which|Else|Such|Shown|Beside|Of (?:a|an|any|each|every|the|which)) ")
AMERICAN = re.compile(
    r"\b(?:\w*colors?|neighbor\w*|behaviors?|favor\w*|honor\w*|centers?|gray|analyz\w*|catalogs?|labeled|modeled|"
    r"(?:optim|random|minim|maxim|recogn|organ|normal|summar|general|real|visual|anonym)iz\w*)\b",
    re.IGNORECASE,
)
#: No texts: style sheets, programs, and patterns.
CODE = re.compile(r"(?:color|padding|outline|border|margin|background)[\w-]*:|\bimport |\(\?:|://")
#: Help pages by hand: the page of the Python interface is made of docstrings.
PAGES = sorted(path for path in resources.path("help").glob("*.html") if path.stem != "python")


def without_markup(page: str) -> list[str]:
    """The paragraphs of an HTML page or of a template; labels of paragraphs, code and titles of papers are left out."""
    text = re.sub(r"{#.*?#}|{%.*?%}|<pre>.*?</pre>", " ", page, flags=re.DOTALL)
    text = re.sub(r"{{.*?}}", "0", text, flags=re.DOTALL)
    text = re.sub(r"<code>.*?</code>", "code", text, flags=re.DOTALL)
    text = re.sub(r"(<(?:li|p)>)\s*<b>[^<]*</b>[:.]", r"\1", text)
    text = re.sub(r"<i>[^<]*\w{3,} [^<]* [^<]*</i>", "Title", text)
    parts = re.split(r"<(?:/?(?:p|li|ul|ol|h\d|td|tr|table|html)|br)\b[^>]*>", text)
    return [unescape(re.sub(r"<[^>]*>", "", part)) for part in parts if part.strip()]


def without_code(document: str) -> list[str]:
    """The paragraphs of a Markdown document without its code, pictures and links."""
    text = re.sub(r"^ *```.*?^ *```", "", document, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`", "code", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text))
    return re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) |\n(?=#)|\|", text)


def sentences(paragraph: str) -> list[str]:
    """A paragraph's sentences, each with its end; an initial ends none."""
    return re.split(r"(?<=[.?!])(?<!\b[A-Z]\.) ", paragraph)


@cache
def texts() -> list[tuple[str, str]]:
    """All paragraphs for readers that are not in Python code, by where they are, with single blanks."""
    return [(where, re.sub(r"[ \n]+", " ", text).strip()) for where, text in _texts() if text.strip()]


def _texts() -> Iterator[tuple[str, str]]:
    for path in [*PAGES, *resources.path("why").glob("*.html"), *resources.path("report").glob("*.html")]:
        yield from ((f"{path.parent.name}/{path.name}", part) for part in without_markup(path.read_text("utf-8")))
    for scene in json.loads(resources.path("demo", "story.json").read_text("utf-8")):
        yield "demo/story.json", scene["title"]
        for step in scene["steps"]:
            yield from (("demo/story.json", re.sub("</?[bw]>", "", step[key])) for key in ("caption", "note"))
    for example in json.loads(resources.path("examples", "examples.json").read_text("utf-8")):
        yield from (("examples/examples.json", example[key]) for key in ("question", "answer", "description") if key in example)
    for path in resources.path("examples").glob("*.dpd"):
        for scene in json.loads(path.read_text("utf-8")).get("scenes", ()):
            yield from ((path.name, scene[key]) for key in ("title", "text") if key in scene)
    for name in ("README.md", "CONTRIBUTING.md", "tests/benchmarks/README.md", "CHANGELOG.md", "resources/data/README.md"):
        yield from ((name, part) for part in without_code((ROOT / name).read_text("utf-8")))
    info = (ROOT / "packaging/linux/dpdesigner.metainfo.xml").read_text("utf-8")
    yield from (("dpdesigner.metainfo.xml", part) for part in re.findall(r"<(?:p|li|summary)>(.*?)</", info, re.DOTALL))
    manual = (ROOT / "packaging/linux/dpdesigner.1").read_text("utf-8")
    yield from (("dpdesigner.1", line) for line in manual.splitlines() if line[:1] not in (".", ""))


@cache
def python_texts() -> list[tuple[str, str]]:
    """All strings of two words or more in Python code but docstrings, by file and line; expressions in them are left out."""
    found = []
    package = Path(dpdesigner.__file__).parent
    for path in sorted(package.rglob("*.py")):
        where = path.relative_to(package).as_posix()
        tree = ast.parse(path.read_text("utf-8"))
        alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        inner = {
            part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node) if part is not node
        }
        for node in ast.walk(tree):
            text = ""
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in alone | inner:
                text = node.value
            if len(re.findall(r"[^\W\d_]{2,}", text)) > 1 and " " in text.strip() and not CODE.search(text):
                found.append((f"{where}:{node.lineno}", re.sub(r"[ \n]+", " ", text).strip()))
    return found


def test_the_texts_are_read() -> None:
    assert len(python_texts()) > 2500 and any("How private" in text for _, text in python_texts())
    places = {where for where, _ in texts()}
    assert len(texts()) > 500 and {"help/attack.html", "why/count.html", "who-voted-scenes.dpd", "README.md"} <= places


def avoided(words: str, text: str) -> list[str]:
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
    return [text[max(0, at.start() - 60) : at.end() + 20] for at in pattern.finditer(text)]


def badly_opened(text: str) -> list[str]:
    return [each for each in sentences(text) if OPENINGS.match(each) and not each.rstrip("”)").endswith("?")]


@pytest.mark.parametrize(("words", "instead"), AVOID.items())
def test_words_that_are_avoided(words: str, instead: str) -> None:
    found = [(where, words, each) for where, text in texts() + python_texts() for each in avoided(words, text)]
    assert not found, f"better: {instead}"


def test_statements_open_with_their_subject() -> None:
    assert not [(where, each) for where, text in texts() for each in badly_opened(text)]
    # A label may open as it likes; a sentence ends with a full stop.
    assert not [(where, each) for where, text in python_texts() for each in badly_opened(text) if each.endswith(".")]


def public_docstrings() -> Iterator[tuple[str, str]]:
    """The docstrings of all public names, and of the public members of classes."""
    for name in dpdesigner.__all__:
        found = getattr(dpdesigner, name)
        members = inspect.getmembers(found) if inspect.isclass(found) else []
        for where, each in [(name, found), *((f"{name}.{key}", value) for key, value in members if not key.startswith("_"))]:
            yield where, inspect.getdoc(each) or ""


def test_public_docstrings_open_with_a_noun_or_a_verb() -> None:
    documents = list(public_docstrings())
    opening = re.compile(r"(?:What|How|Whoever|Who|Where|That|Those|Such|Of) ")
    assert len(documents) > 500 and not [(where, text[:60]) for where, text in documents if opening.match(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Two releases cost ε in all.",
        "The price comes to 3.",
        "Else nothing is written.",
        "One row a person is counted.",
        "The answer is off by 2 on average.",
        "It costs 14 % more.",
        "There are 20 190 rows.",
        "It is released with a chance of 1/3.",
    ],
)
def test_a_bad_sentence_is_found(text: str) -> None:
    assert badly_opened(text) or any(avoided(words, text) for words in AVOID)


def test_questions_and_controls_may_open_as_they_like() -> None:
    assert not badly_opened("How many are ill? Nobody else knows.") and not avoided(
        next(words for words in AVOID if words.endswith("else")), "Nobody else knows."
    )
    assert badly_opened("It is so. What it costs is shown.") == ["What it costs is shown."]


def test_spelling_is_british() -> None:
    assert not [(where, at.group()) for where, text in texts() for at in AMERICAN.finditer(text)]
    titles = re.compile("“[^”]*”")
    assert not [(where, at.group()) for where, text in python_texts() for at in AMERICAN.finditer(titles.sub("", text))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sentences_in_help_are_short(page: Path) -> None:
    parts = [text for where, text in texts() if where == f"help/{page.name}"]
    lengths = {each: len(re.findall(r"\S*\w\S*", each)) for part in parts for each in sentences(part)}
    assert not [each for each, length in lengths.items() if length > 40]
    assert mean(length for length in lengths.values() if length > 3) <= 18


def test_captions_and_descriptions_have_the_length_of_their_place() -> None:
    for where, text in texts():
        most = {"demo/story.json": 260, "examples/examples.json": 360}.get(where, 240 if where.endswith(".dpd") else None)
        assert most is None or len(text) <= most, (where, len(text), text)


def test_the_gallery_shows_the_opening_of_a_description() -> None:
    openings = [text.partition(". ")[0] for where, text in texts() if where == "examples/examples.json"]
    assert len(openings) > 30 and not [each for each in openings if len(each) > 160]
