"""The report: kinds of red apart, scales and assumptions shown, nothing that is no number."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from kernels_for_tests import area, triple

from montecarlo import covariance, mean, moment
from paper_checks import OPEN, AtPoints, Form, Kind, Price, Reproduces, concluded, grid, unchecked, verify, wrong
from paper_checks.claims.catalogue import load
from paper_checks.claims.registry import Registry
from paper_checks.record import Record
from paper_checks.report.blocks import details
from paper_checks.report.describe import describe
from paper_checks.report.markdown import report
from paper_checks.report.sections import section
from paper_checks.report.text import anchor, escape, percent
from paper_checks.rules.means import Status
from theory import Formula
from theory.symbols import positive, real

side, t = positive("side"), real("t")
RIGHT = Formula("mean area", side**2 / 4)
WRONG = Formula("mean area, misprinted", side**2 / 3)
SAMPLED = {"measured": mean(area), "points": grid(side=[1, 2])}
NO = {"experiment": lambda _: concluded(Status.REFUTED, "48 of 48 say no"), "expects": wrong()}
ROOT = Path(__file__).resolve().parents[3]
OURS = load()


def a_paper(**fields):
    made = Registry()
    made.paper("p", "A paper", "A. Author", **fields)
    return made


def recorded(made):
    return Record("quick", 20190, "paper-checks verify", tuple(verify(list(made))))


def reported(claims, file="paper_checks.md"):
    """A file of the report on claims, by their ids."""
    made = a_paper()
    for id, fields in claims.items():
        made.claim(id, **{"at": "text", "says": "it is so", **fields})
    return report(made, recorded(made))[file]


def registry():
    made = a_paper()
    made.claim("p/misprint", at="(1)", says="a formula", printed=WRONG, corrected=RIGHT, **SAMPLED)
    made.claim(
        "p/copy", at="(2)", says="a formula", printed=WRONG, corrected=RIGHT, expects=wrong(copy=True), **SAMPLED
    )
    made.claim("p/runs", at="fig. 1", says="runs", relation=Reproduces(), quote="it always learns", **NO)
    made.claim("p/reading", at="text", says="a reading", kind=Kind.ALTERNATIVE, **NO)
    made.claim("p/beyond", at="beyond", says="a thought of ours", kind=Kind.ADDITIONAL, **NO)
    made.claim("p/proved", at="(3)", says="proved", proof=lambda: True)
    made.claim("p/tried", at="(4)", says="tried", evidence=[AtPoints("81 points", lambda: True)])
    made.claim("p/computed", at="(5)", says="an integral", printed=RIGHT, points=grid(side=[1, 2]),
               integral=lambda side: side**2 / 4)  # fmt: skip
    made.claim("p/scaled", at="(6)", says="nearly zero", printed=RIGHT, scale=(lambda: 3, "three"),
               assumptions="sides are independent", **SAMPLED)  # fmt: skip
    made.claim("p/open", at="fig. 2", says="who knows", expects=unchecked("the settings are lost"))
    made.claim("p/broken", at="fig. 3", says="an error", experiment=lambda _: 1 / 0)
    made.claim("p/price", at="(7)", says="with a price", printed=RIGHT, **SAMPLED,
               price=Price("squares", moment(triple, 2), grid(side=1, slope=1, shift=0)))  # fmt: skip
    zero = Formula("nothing", t * 0, (t,))
    made.claim("p/zero", at="(8)", says="no covariance", printed=zero, points=grid(slope=0, shift=0, t=0),
               measured=covariance(triple, 0, 1), scale=lambda: 1, scale_says="one",
               price=Price("dependent", covariance(triple, 0, 1), grid(slope=1, shift=0, t=0)))  # fmt: skip
    return made


@pytest.fixture(scope="module")
def judged():
    made = registry()
    return made, recorded(made)


def whole(*arguments, **options):
    """All files of a report, one after the other."""
    return "\n".join(report(*arguments, **options).values())


def test_the_three_kinds_of_red_are_kept_apart(judged):
    made, record = judged
    found = {c.id: section(c, v) for c, v in zip(made, record.verdicts, strict=True)}
    assert found == {
        "p/misprint": "print", "p/copy": "print", "p/runs": "runs", "p/reading": "reading", "p/beyond": "reading",
        "p/proved": "proved", "p/tried": "at points", "p/computed": "computed", "p/scaled": "measured",
        "p/open": "unchecked", "p/broken": "undecided", "p/price": "measured", "p/zero": "measured",
    }  # fmt: skip
    text = whole(made, record)
    assert "| 6 | 2 | 1 | 0 | 2 | 1 | 1 | " in text
    for line in ("**Wrong as published** (1)", "**Misprint, perhaps of our copy** (1)", "**Not reproduced** (1)"):
        assert line in text
    assert "Published, as our copy has it:" in text
    assert "“it always learns”" in text


def test_scales_assumptions_errors_and_prices_are_shown(judged):
    text = whole(*judged)
    assert "of three; up to" in text
    assert "Assumes: Sides are independent." in text
    assert "ZeroDivisionError" in text
    assert re.search(r"\+3[2-4]\.", text)
    assert "nan" not in text
    assert "inf" not in text.replace("inside", "")


def test_the_short_report_says_what_is_needed_and_leaves_readings_to_the_long_one():
    few = {"relation": Reproduces(), "expects": OPEN,
           "experiment": lambda _: concluded(Status.INCONCLUSIVE, "1 of 2")}  # fmt: skip
    text = reported({
        "p/reading": {"says": "a reading", "kind": Kind.ALTERNATIVE, **NO},
        "p/alone": {"says": "units die", "note": "the step size, which is lost, would decide", **few},
        **{f"p/table.{row}": {"says": f"row {row}", "assumptions": "ten runs tell nothing", **few} for row in "abcd"},
    })  # fmt: skip
    assert "- `p/alone`: Units die. The step size, which is lost, would decide." in text
    assert "- `p/table.a` to `p/table.d`, 4 claims: Ten runs tell nothing." in text
    assert "**False alternative interpretations**: 1, not in the paper's own words or settings" in text
    assert "A reading" not in text


def test_the_short_report_begins_with_results_and_what_to_know(judged, monkeypatch):
    made, record = judged
    known = replace(made.papers["p"], finding="sides are not independent", headlines=("p/misprint",))
    monkeypatch.setitem(made.papers, "p", known)
    made.check()
    text = whole(made, record)
    parts = ["| paper | correct |", "## Findings to know", "- A paper: Sides are not independent.",
             "| `p` | [(1)](reports/p.md#misprint) |", "## Verdicts", "## A paper"]  # fmt: skip
    places = [text.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    assert places[-1] < (text + "![").find("![")


def test_a_headline_that_is_no_claim_is_refused():
    made = a_paper(headlines=("p/eq1",))
    with pytest.raises(ValueError, match="paper p: headlines= must be ids of claims, got 'p/eq1'"):
        made.check()


def test_a_note_of_several_claims_stands_once():
    twice = {"quote": "2 is 3", "proof": lambda: False, "note": "arithmetic", "expects": wrong(unknown="there is none")}
    text = reported({"p/first": twice, "p/second": twice}, "reports/p.md")
    assert text.count("Arithmetic.") == 1
    assert "See `p/first`." in text


def test_the_short_report_says_how_far_off_what_is_approximate_is():
    text = (ROOT / "paper_checks.md").read_text()
    assert re.search(r"`nau/eq41`: .*At the listed points the relative error is 0\.1% to 9\.7%, largest at r", text)


def test_an_approximation_of_ours_is_not_called_published():
    parts = (ROOT / "reports/relu.md").read_text().split("\n### ")
    (ours,) = [part for part in parts if part.splitlines()[0].endswith("`relu/beyond.overshoot-estimate`")]
    assert "| at | approximation | exact | error |" in ours


def test_every_claim_can_be_described_with_whose_samples_judge_it_and_what_is_measured(judged):
    made, record = judged
    for claim, verdict in zip(made, record.verdicts, strict=True):
        assert str(verdict.status) in describe(claim, verdict)
        assert "not verified yet" in describe(claim, None)
        assert "samples:" not in describe(claim, None)
    first = next(iter(made))
    assert "samples:   those of p/other" in describe(replace(first, same_samples_as="p/other"), None)
    text = describe(first, record.verdicts[0])
    assert all(w in text for w in ("published 0.333", "correct 0.25", "measured 0.2", "altered formulas"))


@pytest.mark.parametrize(("part", "whole", "text"), [
    (math.nan, 1.0, "–"), (1.0, 0.0, "–"), (math.inf, 2.0, "–"), (1.0, math.nan, "–"),
    (3e-17, 1.0, "< 1e-12"), (-5e-16, 2.0, "< 1e-12"),
])  # fmt: skip
def test_a_share_of_nothing_is_no_percentage_and_rounding_a_bound_that_every_processor_meets(part, whole, text):
    assert percent(part, whole) == text


def test_what_is_published_as_words_is_quoted_and_not_shown_by_a_formula_of_ours():
    words = "the mean area of such a square, which $\\pi$ and its powers have no part in, is always a third of $s^2$"
    fields = {"quote": words, "printed": WRONG, "corrected": RIGHT, "expects": wrong("general"), **SAMPLED}
    forms = {"p/words": Form.OURS, "p/formula": Form.PUBLISHED}
    text = reported({id: {"at": id, "form": form, **fields} for id, form in forms.items()})
    rows = [line.split(" | ") for line in text.splitlines()]
    cells = [row[1] for row in rows if row[0].startswith("| [p/")]
    assert cells[0] == f"“{words}”"
    assert r"\frac{\mathrm{side}^{2}}{3}$" in cells[1]


def test_claims_without_verdict_are_named(judged):
    made, record = judged
    text = whole(made, replace(record, verdicts=record.verdicts[1:]))
    assert "Not run: `p/misprint`." in text


def test_every_red_sentence_of_a_paper_is_quoted_or_is_a_formula_and_says_how_severe_it_is():
    red = [c for c in OURS if c.expected_status is Status.REFUTED and (c.of_print or c.of_runs)]
    assert len(red) > 20
    drawn = ["nau/figures.nmu.rates"]  # What pictures show has no words.
    assert [c.id for c in red if not c.quote and (c.printed is None or c.of_runs)] == drawn
    undeclared = [c.id for c in red if c.of_print and not (c.expects.fault or c.copy)]
    assert not undeclared, "declare expects=wrong(...), see paper_checks.expectation"


def test_every_sentence_stands_alone():
    assert not [c.id for c in OURS if c.says.startswith(("the same", "it ", "they ", "this ", "these "))]


def test_symbols_and_code_at_the_start_of_a_text_keep_their_case():
    symbol = re.compile(r"[a-z](?=[ ,;:])(?<!a)|[a-z]\w*[_^.(=][^ ]|\w*\d|(mu|gamma|stddev)\b")
    notes = [(c, c.note) for c in OURS if symbol.match(c.note)]
    assert len(notes) > 20
    for claim, note in notes:
        assert any(line.startswith(escape(note)[:9]) for line in details(claim, {})), claim.id


DISPLAYED = re.compile(r"^\$\$\n(.+?)\n\$\$$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<![\\$])\$([^$\n]+)\$(?!\$)")


def refused(text, most_bytes=100_000, most_formulas=40):
    """What a code host would refuse, in words."""
    size, formulas = len(text.encode()), [*DISPLAYED.findall(text), *INLINE.findall(text)]
    found = {
        f"{size} bytes": size > most_bytes, f"{len(formulas)} formulas": len(formulas) > most_formulas,
        "a formula of more than 900 characters": any(len(formula) > 900 for formula in formulas),
        "a formula with \\operatorname": any("\\operatorname" in formula for formula in formulas),
    }  # fmt: skip
    return [what for what, beyond in found.items() if beyond]


def test_code_hosts_show_every_file_of_our_report():
    assert refused((ROOT / "paper_checks.md").read_text()) == []
    for path in (ROOT / "reports").glob("*.md"):
        assert refused(path.read_text(), 400_000, 60) == [], path.name


def test_rows_of_all_tables_have_as_many_cells_as_their_heads():
    for path in [ROOT / "paper_checks.md", *(ROOT / "reports").glob("*.md")]:
        lines = path.read_text().splitlines()
        cells = [len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0 for line in lines]
        assert [i for i in range(1, len(cells)) if cells[i] and cells[i - 1] not in (0, cells[i])] == [], path.name


def test_links_of_our_report_lead_somewhere():
    text = (ROOT / "paper_checks.md").read_text()
    links = re.findall(r"\]\((?!#)([^)#]+)(?:#([^)]+))?\)", text)
    assert len(links) > 50
    for path, target in links:
        if path.endswith(".png"):  # The last that is made after a change.
            continue
        assert (ROOT / path).is_file(), path
        if target:
            found = (ROOT / path).read_text()
            assert f'id="{target}"' in found or target in headings(found), target
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= headings(text)


def headings(text):
    return {anchor(title) for title in re.findall(r"^## (.*)", text, re.MULTILINE)}


@pytest.mark.parametrize(("text", "words"), [
    ("x" * 100_001, "bytes"), ("$a$ " * 41, "41 formulas"), (f"$$\n{'a+' * 500}\n$$", "900 characters"),
    (r"so $\operatorname{Var}[z]$ is", r"\operatorname"),
])  # fmt: skip
def test_what_a_code_host_would_refuse_is_named(text, words):
    assert words in " ".join(refused(text))


def test_a_text_that_is_too_long_is_left_out_whole_whatever_other_claims_there_are():
    made = a_paper()
    for i in range(90):
        long = 60 + 30 * (i % 3)
        made.claim(f"p/x{i}", at="text", says="so " * long, expects=wrong(), note=f"Right is {i}, " + "no " * long,
                   experiment=lambda _: concluded(Status.REFUTED, "never"))  # fmt: skip
    whole = recorded(made)

    def lines(number):
        text = report(made, replace(whole, verdicts=whole.verdicts[:number]))["paper_checks.md"]
        assert refused(text) == []
        assert "…" not in text
        return [line for line in text.splitlines() if "reports/p.md#x" in line]

    few, many = lines(3), lines(90)
    assert (len(few), len(many)) == (3, 90)
    assert set(few) <= set(many)
    assert sum("so so." in line for line in many) == 60, "up to 300 characters of a statement"
    assert sum("no no" in line for line in many) == 30, "up to 200 of a note"


def test_what_is_open_for_the_same_reason_shares_a_line():
    perhaps = {"expects": OPEN, "experiment": lambda _: concluded(Status.INCONCLUSIVE, "perhaps")}
    text = reported({f"p/y{i}": {"note": f"Open by {i // 2:02}, as it is.", **perhaps} for i in range(90)})
    shared = [f"- `p/y{i}`, `p/y{i + 1}`: It is so. Open by {i // 2:02}, as it is." for i in range(0, 90, 2)]
    assert all(line in text for line in shared)


def test_misprints_with_one_cause_are_one_error_in_several_places():
    fields = {"printed": WRONG, "corrected": RIGHT, "expects": wrong("misprint"), **SAMPLED}
    notes = {"a": "swapped", "b": "swapped", "c": "a sign is missing"}
    text = reported({f"p/{x}": {"at": f"({x})", "note": note, **fields} for x, note in notes.items()})
    assert "(2 in 3 places), each with its correction: [(a)](reports/p.md#a) and 1 more; " in text
