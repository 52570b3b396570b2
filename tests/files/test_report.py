"""The report: it holds everything, loads nothing, and says only what was verified."""

from __future__ import annotations

import base64
import dataclasses
import importlib.metadata
import json
import re
from collections import defaultdict
from datetime import datetime, timezone
from decimal import Decimal
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpdesigner
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import parse_table
from dpdesigner.errors import InputError
from dpdesigner.files.export import Attachment, Export, Listing, cut, export_of
from dpdesigner.files.report import Chapter, Picture, chapter, html, report, targets
from dpdesigner.files.versions import versions
from dpdesigner.studies.answer import Outcome as Answer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.plain_language import in_so_many


def test_versions_of_the_program_and_of_what_it_computes_with() -> None:
    found = versions()
    assert found[0] == ("dpdesigner", dpdesigner.__version__)
    assert dict(found)["numpy"] == importlib.metadata.version("numpy")
    assert dict(found)["HiGHS (highspy)"] == importlib.metadata.version("highspy")


def test_a_package_that_is_not_there_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        if package == "PySide6-Essentials":
            raise importlib.metadata.PackageNotFoundError
        return "1"

    monkeypatch.setattr(importlib.metadata, "version", version)
    assert dict(versions())["numpy"] == "1" and "Qt (PySide6)" not in dict(versions())


PAPER = CountDesign(5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5", name="<Paper> & user")
NOON = datetime(2026, 1, 2, 12, 0, tzinfo=timezone.utc)


def page_of(study, exact=None, **options):
    return html(report("A title", [chapter(export_of(study, exact=exact))], NOON), **options)


class Outside(HTMLParser):
    """Collects every address that a page names."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attrs):
        self.addresses += [value for name, value in attrs if name in ("href", "src", "srcset", "action", "data")]
        assert tag not in ("script", "link", "iframe", "object", "embed")


class Said(HTMLParser):
    """Collects the texts of a page by the innermost element that is closed around them, and the texts for pictures."""

    def __init__(self, page):
        super().__init__()
        self.under, self.alternatives, self._open = defaultdict(list), [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.alternatives += [value for name, value in attrs if name == "alt"]
        if tag not in ("img", "meta"):
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.under[self._open[-1]].append(data)


STUDIES = [
    PAPER,
    CountDesign(20, alpha="1/2"),
    NoiseDesign("integer", sensitivity=5, epsilon=2),
    NoiseDesign(dimension=2, epsilon=1),
    NoiseDesign(delta="1e-6", epsilon=1),
    ChoiceDesign.starting(),
]


@pytest.mark.parametrize("study", STUDIES)
def test_the_page_needs_nothing_from_outside(study):
    made = report("Both", [chapter(export_of(study, exact=None)).illustrated([Picture("P", "<svg/>", 4, 3)])] * 2, NOON)
    page = html(made)
    found = Outside()
    found.feed(page)
    assert found.addresses and all(address.startswith(("data:", "#")) for address in found.addresses)
    assert "url(" not in page and "@import" not in page and "http://" not in page and "https://" not in page
    assert "default-src 'none'" in page
    inputs = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    assert [json.loads(unescape(text)) for text in inputs] == [study.to_json()] * 2


def test_a_table_inside_the_page_verifies_and_has_the_checksum_named():
    page = page_of(PAPER)
    data = re.search(r'href="data:text/csv;base64,([^"]+)"', page)
    text = base64.b64decode(data[1])
    assert verify_table(parse_table(text.decode("utf-8"))).satisfies(PAPER.privacy)
    listing = next(listing for listing in export_of(PAPER).listings() if listing.full)
    assert listing.full.text.encode() == text and listing.full.sha256 in page
    assert "&lt;Paper&gt; &amp; user" in page and "<Paper>" not in page


HOSTILE = "<script>alert('1')</script> & \"two\" <b>"


@pytest.mark.parametrize("for_print", [False, True])
@pytest.mark.parametrize("many", [1, 2, 12])
def test_titles_names_and_notes_are_text_in_a_page_of_one_or_many_designs(many, for_print):
    solved = chapter(export_of(CountDesign(2, alpha="1/2", name=HOSTILE)), f"remark {HOSTILE}")
    listing = Listing(f"listing {HOSTILE}", ("a", HOSTILE), (("1", HOSTILE),), f"note {HOSTILE}")
    plain = dataclasses.replace(solved, listings=(listing, *solved.listings), facts=((HOSTILE, HOSTILE), *solved.facts))
    drawn = plain.illustrated([Picture(f"picture {HOSTILE}", "<svg/>", 4, 3)] * 2)
    page = html(report(f"title {HOSTILE}", [plain, *[drawn] * (many - 1)], NOON), for_print=for_print)
    assert "<script" not in page.lower() and page.count("<b>") == 3 * many and HOSTILE not in page
    found = Said(page)
    assert found.under["title"] == found.under["h1"] == [f"title {HOSTILE}"]
    assert f"remark {HOSTILE}" in found.under["p"] and f"note {HOSTILE}" in found.under["p"]
    assert f"listing {HOSTILE}" in found.under["h4"] and {HOSTILE} <= {*found.under["th"]} & {*found.under["td"]}
    contents, headings = [], []
    if many > 1:
        contents, headings = [HOSTILE] * many, [f"{c}. {HOSTILE}" for c in range(1, many + 1)]
    assert found.under["h2"] == headings and [text for text in found.under["a"] if not text.endswith(".csv")] == contents
    drawings = [] if for_print else [f"picture {HOSTILE}"] * 2 * (many - 1)
    assert found.under["figcaption"] == found.alternatives == drawings


def test_a_long_table_shows_what_is_released_and_says_what_it_leaves_out():
    wide = CountDesign(60, epsilon="0.3", prior="binomial:1/3", loss="squared")
    small = CountDesign(5, alpha="1/2", prior="spike:2")
    remap = export_of(wide).outcome.solved.remap
    mechanism = export_of(wide).listings()[0]
    assert mechanism.header[1:] == tuple(str(r) for r in sorted(set(remap.tolist()))) and len(mechanism.header) < 13
    assert "Results that are never released are omitted." in mechanism.note
    assert export_of(small).listings()[0].header[1:] == tuple("012345")
    assert "never released" not in export_of(small).listings()[0].note


def test_an_export_is_promised_only_where_there_is_one():
    for n, promised in ((500, True), (3000, False)):
        page = page_of(CountDesign(n, epsilon=1))
        assert "so no text was checked" in page and ("an export contains its own proof" in page) is promised


def test_rounding_is_said_where_it_is_done():
    rounded = "Fractions of more than 24 characters are rounded to 12 digits."
    assert rounded in page_of(CountDesign(40, alpha="1/3"), exact=True)
    assert rounded not in page_of(CountDesign(2, alpha="1/2"), exact=True)
    assert "up to a rounding error that the gap includes" in page_of(CountDesign(2, alpha="1/2"), exact=False)
    assert "both to ten digits" in page_of(NoiseDesign(epsilon="1/3"))
    assert "Epsilon, gaps, risks and the losses in figures are rounded up, alpha and probabilities of success down" in page_of(
        NoiseDesign(epsilon=1)
    )


def test_an_exact_design_says_gap_0_and_the_fractions_of_its_prices():
    page = page_of(CountDesign(2, alpha="1/2"))
    assert "0 (no private release of a whole number 0 to n from the count alone is better)" in page
    assert "the gap is 0" in page and "all 3 rows sum to exactly 1" in page
    assert "all columns checked, with every rounding error counted against them" in page_of(
        CountDesign(2, alpha="1/2"), exact=False
    )


def test_outside_the_theorem_no_theorem_is_claimed_and_the_lp_check_is_named():
    page = page_of(CountDesign(4, alpha="1/2", loss="expression:(i-r)%3"))
    assert "No theorem is used" in page and "For comparison" in page and "Theorem used" not in page


def test_the_ends_of_the_scale_are_told_in_words():
    open_ = page_of(CountDesign(3, alpha=0))
    assert "gives no privacy: epsilon is infinite" in open_ and "faces a zero in" in open_ and "inf-" not in open_
    assert "wins at most 100 of 100 bets" in open_ and "adds ε" not in open_
    assert "its one row sums to exactly 1, no entry is negative, and there are no neighbouring rows" in page_of(
        CountDesign(0, alpha="1/2")
    )
    assert "largest ratio of two neighbouring entries is 1 (" in page_of(CountDesign(3, alpha=1))


def test_a_ratio_is_said_with_digits_that_agree_with_its_epsilon():
    """The whole table is written at a slightly more private level: its ratio is below 2, and 2 would give another epsilon."""
    said = re.findall(r"neighbouring entries is (at most )?([\d.]+) .*?so epsilon is ([\d.]+)", page_of(PAPER))
    assert [(bool(bound), ratio == "2") for bound, ratio, _ in said] == [(False, True), (True, False)]
    assert all(abs(Decimal(epsilon) - Decimal(ratio).ln()) < Decimal("3e-16") for _, ratio, epsilon in said)


def test_the_rounding_of_a_table_for_print_is_said_and_is_true():
    design = CountDesign(60, epsilon="1.5")
    mechanism = export_of(design).listings()[0]
    assert "Written with 7 digits and at a slightly more private level" in mechanism.note
    assert "the first 12 of 61" in mechanism.note
    assert mechanism.rows[0][1].endswith("…") and max(len(cell) for row in mechanism.rows for cell in row) <= 13
    whole = parse_table(mechanism.full.text)
    for i, row in enumerate(mechanism.rows[:12]):
        assert [float(cell.rstrip("…")) for cell in row[1:13]] == pytest.approx(list(map(float, whole[i][:12])), rel=1e-3)
    assert not any("Written with" in listing.note for listing in export_of(CountDesign(5, alpha="1/2"), exact=True).listings())
    small = export_of(CountDesign(200, epsilon=5)).listings()[0]
    assert all(float(cell) < 1e-6 for row in small.rows[:12] for cell in row[1:13] if "e" in cell)  # exponents are never cut


@pytest.mark.parametrize("design", [CountDesign(6, epsilon="1.5"), CountDesign(30, alpha="2/3"), CountDesign(60, epsilon="0.7")])
def test_the_page_says_that_a_table_is_at_a_more_private_level_and_it_is(design: CountDesign) -> None:
    listing = export_of(design).listings()[0]
    rows = [[Fraction(entry) for entry in row] for row in parse_table(listing.full.text)]
    pairs = [pair for above, below in pairwise(rows) for pair in zip(above, below, strict=True)]
    least = min(min(pair) / max(pair) for pair in pairs if max(pair))
    assert least > design.privacy.alpha_above, "no two neighbouring entries are further apart than the level asked allows"
    page = page_of(design)
    assert "and at a slightly more private level" in page and "and at a slightly more private level" in listing.note
    assert "more private level" not in page_of(CountDesign(6, alpha=1)), "where it is the level asked nothing is said"


def test_several_answers_say_what_each_has_of_the_budget():
    facts = dict(export_of(NoiseDesign(epsilon=1, weights=(1, 2, "1/3"))).facts())
    assert facts["answer 2 alone"].startswith("epsilon 3/5, expected cost 1.641926")
    facts = dict(export_of(NoiseDesign(epsilon="1e-6", weights=(1, 1))).facts())
    assert facts["several answers"].startswith("every answer needs an epsilon")


def test_costs_are_written_with_the_digits_that_are_right():
    facts = dict(export_of(NoiseDesign(epsilon=2, dimension=2)).facts())
    assert facts["Laplace"] == "1" and facts["expected cost"] == "0.954558170089"


def test_noise_is_proved_where_it_is_and_says_so_where_it_is_not():
    assert "Theorem used: Geng" in page_of(NoiseDesign(epsilon=2))
    chosen = page_of(NoiseDesign(epsilon=2, gamma="0.9"))
    assert "Theorem used" not in chosen and "not proved to be optimal" in chosen
    assert "within epsilon = 700" in page_of(NoiseDesign("integer", epsilon=700, sensitivity=3))
    assert "ABOVE" not in chosen


def test_true_counts_and_the_place_of_the_data_are_never_in_a_report():
    secret = HistogramDesign(
        "0..3", path="/home/someone/secret.csv", column="age", counts=(97531, 86420, 13579, 24680), epsilon=1
    )
    solved = export_of(secret.replace(epsilon=1))
    told = page_of(solved.study) + json.dumps(solved.data()) + html(report("T", [chapter(solved)], NOON), for_print=True)
    assert not any(word in told for word in ("97531", "86420", "13579", "24680", "secret.csv"))
    assert "Omitted: the true counts and the path of the data." in told
    assert "95% error bound, each" in told and "For one cell: Privacy was checked numerically" in told
    first, second = solved.release(2).values
    assert len(first) == 4 and abs(first[0] - 97531) < 200 and abs(second[3] - 24680) < 200


def test_long_inputs_are_on_one_line_and_cut():
    page = page_of(CountDesign(3, alpha="1/2", prior=["1/4", "1/4", "1/2", 0], name="a [ b"))
    assert unescape(page).count('"prior": ["1/4", "1/4", "1/2", 0]') == 1
    long = page_of(CountDesign(3000, alpha="1/2", prior=["1/3001"] * 3001))
    assert "Shown: the first 20000 of" in long and "the project file has all of them" in long


def test_a_choice_says_the_privacy_that_its_probabilities_have():
    page = page_of(ChoiceDesign.starting(epsilon=1))
    assert "over all utilities and neighbours, epsilon is at most 1.0" in page and "every probability is exact" in page


def test_a_large_design_has_no_table_and_says_that_none_was_checked():
    page = page_of(CountDesign(300, alpha="1/2"))
    assert "This report contains no table of the mechanism, so no text was checked" in page
    assert "true \\ released" not in page


def test_a_cut_table_says_where_it_is_cut_and_where_the_whole_is():
    whole = Listing("T", ("a", *map(str, range(30))), tuple((str(i), *"x" * 30) for i in range(20)))
    found = cut(whole, 12, "The rest is elsewhere.")
    assert len(found.header) == 14 and len(found.rows) == 13 and {len(row) for row in found.rows} == {14}
    assert found.note == "Shown: the first 12 of 20 rows and the first 12 of 30 columns. The rest is elsewhere."
    assert cut(whole, 30, "") is whole


@pytest.mark.parametrize(("rows", "shown"), [(12, 12), (13, 13), (15, 15), (16, 13)])
def test_a_table_is_not_cut_by_a_few_rows(rows: int, shown: int) -> None:
    table = Listing("T", ("a", "b"), tuple((str(i), "x") for i in range(rows)))
    assert len(cut(table, 12, "").rows) == shown, "the last of a cut table is …"


def test_for_print_pictures_are_names_and_tables_are_checksums():
    made = report("T", [chapter(export_of(PAPER)).illustrated([Picture("P", "<svg/>", 4, 3)] * 4)], NOON)
    page = html(made, for_print=True)
    assert re.findall(r'<img src="([^"]+)"', page) == ["1-1", "1-2", "1-3", "1-4"]
    assert "base64" not in page and "SHA-256" in page


def test_a_table_shown_as_a_figure_is_a_file_on_the_screen_and_left_out_on_paper():
    drawn = Listing("A curve", ("x", "y"), (), "", Attachment("curve.csv", "x,y\n1,2\n"))
    made = dataclasses.replace(chapter(export_of(PAPER)), listings=(drawn,))
    screen, paper = (html(report("T", [made], NOON), for_print=for_print) for for_print in (False, True))
    assert "<h4>A curve</h4>" in screen and 'download="curve.csv"' in screen and 'class="numbers"' not in screen
    assert "A curve" not in paper and "<h3>Tables</h3>" not in paper


def test_a_fraction_that_nobody_reads_is_left_to_the_export():
    solved = export_of(dpdesigner.InspectDesign("example:gaussian_sigma_2.csv", epsilon=1))
    assert re.search(r"\d{24}/\d{24}", str(solved.facts())), "longer than a line"
    told = dict(chapter(solved).facts).values()
    assert not re.search(r"\d{24}/\d{24}", str(told)) and any(text.startswith("about 0.") for text in told)


def test_a_kind_with_findings_only_gets_a_report_too():
    class Outcome(Answer):
        design, line = NoiseDesign(name="Plain", epsilon=1), "one line"

        def __init__(self):
            self.findings = {
                "number": Finding("a number", 3),
                "missing": Finding("missing", None, note="not computed"),
                "truth": Finding("true count", 7, secret=True),
            }

    solved = Export(Outcome())
    page = html(report("T", [chapter(solved, "Figures are left out.")], NOON))
    assert "a number" in page and "<td>not computed</td>" in page and "Figures are left out." in page and "Proof" not in page
    assert "true count" not in page and solved.data()["findings"] == {"number": 3, "missing": None}


def test_where_reports_go(tmp_path):
    assert [path.name for path in targets(["a.html", "b.PDF", "a.html"], "s")] == ["a.html", "b.PDF"]
    assert [path.name for path in targets([str(tmp_path)], "s")] == ["s.html", "s.pdf"]
    for wrong in (["a.doc"], []):
        with pytest.raises(InputError, match=r"a \.html or \.pdf"):
            targets(wrong, "s")


@pytest.mark.parametrize("for_print", [False, True])
@pytest.mark.parametrize(
    ("design", "sentence", "headline", "checks"),
    [
        (
            NoiseDesign("real", epsilon=2, sensitivity=3, cost="squared", unit="hours"),
            "half of the published answers are within 0.738 hours of the truth",
            "<strong>1.951 hours</strong> root mean square error",
            ("✓ private: ε = 2, in exact real numbers", "✓ optimal for squared error: proved by Geng and Viswanath"),
        ),
        (
            HistogramDesign("0..5", epsilon="1/2"),
            "wrong by about 1.9 rows on average",
            "<strong>1.92 rows</strong> expected error of each cell",
            ("✓ private: ε = 0.5 for one row; 2.5 for a person with 5 rows", "✓ whole-number noise, drawn exactly"),
        ),
    ],
)
def test_the_first_page_of_noise_can_be_read_by_anybody(design, sentence, headline, checks, for_print):
    first, _, appendix = page_of(design, for_print=for_print).partition("Appendix: exact numbers")
    first = first.replace("\u00a0", " ").replace("\u202f", " ")
    assert sentence in first and headline in first
    assert "<h4>Checked</h4>\n" + "".join(f"<p>{check}</p>" for check in checks) in first
    assert "γ" not in first and "• ✓" not in first and "<li>✓" not in first
    assert "<h3>Tables</h3>" in appendix


@pytest.mark.parametrize("for_print", [False, True])
def test_the_first_page_says_the_result_in_plain_words_and_exact_numbers_follow_in_an_appendix(for_print):
    page = page_of(CountDesign(20, alpha="1/2", name="Flu"), for_print=for_print)
    first, _, appendix = page.partition("Appendix: exact numbers")
    assert "With rounded Laplace noise the error is 6% larger; ignoring the data, 4.3 times as large." in first
    assert "<strong>1.2064</strong> expected error" in first and "✓ proved optimal" in first
    assert first.index(
        "The published count is wrong by about 1.2 on average if all counts from 0 to 20 are equally likely."
    ) < first.index("<h4>Checked</h4>")
    assert "2846135/2359296" not in first and "2846135/2359296" in appendix and "<h3>Tables</h3>" in appendix
    assert "Versions: dpdesigner" in appendix and "<h2>Versions" not in page, "no heading alone at the foot of a page"


def test_without_a_picture_the_appendix_follows_on_the_same_page():
    page = page_of(dpdesigner.AuctionDesign(bids=[1, 2], cap=3, epsilon=1), for_print=True)
    assert "page-break" not in page and "[Notes]" not in page and "2 (taken as public)" in page


def test_the_first_page_of_a_count_says_what_to_publish_and_which_counts_are_never_published():
    believed = CountDesign(20, alpha="1/2", prior=("0", "1", "3", "5", "3", "1", *("0",) * 15))
    solved = export_of(believed, exact=True)
    first, _, appendix = page_of(believed).partition("<body>")[2].partition("Appendix: exact numbers")
    released = np.flatnonzero(np.asarray(solved.outcome.mechanism.matrix).sum(axis=0)).tolist()
    low, high = released[0], released[-1]
    assert (low, high) == (2, 4)
    assert (
        "<b>What to publish.</b> Output of the geometric mechanism (noise kept within 0 to 20), read as follows: 0 to 2 as 2;"
        in first
    )
    assert "Draw it once, with the Python program that the export writes." in first
    assert "exported program" not in page_of(believed.replace(alpha=1)).partition("Appendix")[0]
    assert "Nothing below 2 or above 4 is ever published." in first and "<b>Belief.</b> About 3 are expected (as drawn)." in first
    assert "About 8 are expected (Poisson)." in page_of(CountDesign(40, epsilon=1, prior="poisson:8"))
    close = sum(
        float(p) * sum(float(x) for r, x in enumerate(solved.outcome.mechanism.matrix[i]) if abs(r - i) <= 1)
        for i, p in enumerate(believed.prior.probabilities)
    )
    assert f"Within ±1 of the true count with probability about {in_so_many(close)} if about 3 are expected (as drawn)." in first
    assert "ε protects each person who has one row." in first
    assert "gap" not in first and "columns checked" not in first and "all columns checked" in appendix
    flat = page_of(CountDesign(20, alpha="1/2"))
    assert "All counts from 0 to 20 are taken to be equally likely." in flat
    assert "read as follows: 0 to 20 as they are." in flat and "is ever published" not in flat


def sizes(design: CountDesign, for_print: bool) -> set[float]:
    page = html(report("T", [chapter(export_of(design))], NOON), for_print=for_print)
    return {float(size) for size in re.findall(r'<td style="font-size: ([0-9.]+)pt"', page)}


def table(columns: int, letters: int) -> Listing:
    header = ("true", *map(str, range(columns)))
    return Listing("A table", header, tuple((str(i), *("x" * letters,) * columns) for i in range(3)), "")


def test_only_wide_tables_have_smaller_letters_and_only_on_paper() -> None:
    assert sizes(CountDesign(2, epsilon=1), True) == sizes(CountDesign(11, epsilon=4), False) == set()
    page = printed(table(10, 10))
    assert page.count("<table") == 1 and "font-size: 5.7pt" in page and "columns" not in page
    assert "font-size" not in printed(table(8, 10)) + printed(table(20, 10))


def printed(listing: Listing) -> str:
    """What stands on paper below the heading of the tables."""
    page = html(report("T", [Chapter("T", "", "", ("", ""), "", (), (), (listing,), (), "")], NOON), for_print=True)
    return page.partition("<h3>Tables</h3>")[2].partition("<h3")[0]


@given(st.integers(1, 40), st.integers(1, 200))
def test_tables_wider_than_the_page_are_put_in_blocks_of_columns(columns: int, letters: int) -> None:
    page = printed(table(columns, letters))
    heads = [re.findall("<th[^>]*>([^<]*)</th>", block.partition("</tr>")[0]) for block in page.split("<table")[1:]]
    assert all(head[0] == "true" for head in heads)
    assert [name for head in heads for name in head[1:]] == list(map(str, range(columns)))
    if len(heads) > 1:
        said = [(low, high or low) for low, high in re.findall("<h5>columns? ([0-9]+)(?: to ([0-9]+))?</h5>", page)]
        assert said == [(head[1], head[-1]) for head in heads]
        assert all(len(head) == 2 or 5.5 + (len(head) - 1) * (letters + 1.5) <= 106 for head in heads)
    assert page.count("<tr>") == 4 * len(heads)
