"""What readers see of a claim is plain English, and each formula is an equation of symbols that have a meaning."""

import argparse
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from paper_checks.claims import catalogue
from paper_checks.claims.catalogue import load
from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Registry
from paper_checks.claims.statements import statements
from paper_checks.commands.main import _parser
from tests.english import MEAN, faults, mean_length, paragraphs, sentences, texts
from theory import Formula

HERE = Path(__file__).resolve().parents[3]
PAPERS = ("constants", "galu", "nau", "nerva", "relu", "smooth")


@cache
def registry(paper: str) -> Registry:
    return load([paper])


def claims(paper: str) -> list[Claim]:
    return [claim for claim in registry(paper) if claim.paper == paper]


def formulas(paper: str) -> Iterator[tuple[str, Formula]]:
    """The formulas that the pages of claims show."""
    for claim in claims(paper):
        for form in (claim.printed, claim.corrected, claim.exact):
            if form is not None:
                yield claim.id, form


@pytest.mark.parametrize("paper", PAPERS)
def test_no_claim_has_a_word_or_a_sentence_that_is_hard_to_read(paper):
    assert [f"{c.id}: {fault}" for c in claims(paper) for text in texts(c) for fault in faults(text)] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_sentences_of_claims_are_short_on_average(paper):
    assert mean_length(text for claim in claims(paper) for text in texts(claim)) <= MEAN


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_said_of_a_paper_and_of_statements_without_a_claim_is_plain(paper):
    about = registry(paper).papers[paper]
    said = [about.finding, about.lost, *(s.why for s in statements(about.statements))]
    assert [fault for text in said for fault in faults(text)] == []


OF_ALL = [HERE / f"{name}.md" for name in ("README", "CONTRIBUTING", "CODE_OF_CONDUCT")]
PAGES = [*OF_ALL, *sorted((HERE / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", [p for p in PAGES if not {"_build", "results"} & set(p.parts)], ids=lambda p: p.stem)
def test_pages_are_plain(page):
    assert [fault for text in paragraphs(page) for fault in faults(text)] == []


def test_captions_and_alternative_texts_are_plain():
    said = [
        (n, text(n))
        for n, gallery in catalogue.figures().items()
        for text in (gallery.caption, gallery.details, gallery.alt)
    ]
    assert [f"{name}: {fault}" for name, text in said for fault in faults(" ".join(text.split()))] == []


def test_the_help_of_commands_is_plain():
    (commands,) = (a for a in _parser()._actions if a.dest == argparse.SUPPRESS and a.choices)
    helps = {
        f"{name} {action.dest}": str(action.help or "")
        for name, parser in commands.choices.items()
        for action in parser._actions
    } | {name: parser.description for name, parser in commands.choices.items()}
    assert [f"{name}: {fault}" for name, text in helps.items() for fault in faults(text)] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_formula_has_a_left_hand_side(paper):
    assert sorted({f"{id}: {form.says}" for id, form in formulas(paper) if not form.lhs}) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_symbol_has_a_meaning(paper):
    known = registry(paper).papers[paper].symbols
    lacking = {name: id for id, form in formulas(paper) for name in form.names if name not in {**known, **form.symbols}}
    assert lacking == {}


@pytest.mark.parametrize("paper", PAPERS)
def test_no_meaning_is_of_a_symbol_that_no_formula_has(paper):
    used = {name for _, form in formulas(paper) for name in form.names}
    assert set(registry(paper).papers[paper].symbols) - used == set()


def test_the_words_and_the_lengths_are_found():
    hard = "Of NALU it is told by runs. " + "A " + "word " * 40 + "end. The mutants play apart."
    found = " ".join(faults(hard))
    for word in ("'told'", "'mutants'", "'play'", "'apart'", "42 words"):
        assert word in found
    assert list(faults("`told` of “a mutant” by nau/beyond.rung and --tier.")) == []
    assert sentences("One. Two eq. (3) of it. `x` is three.") == ["One.", "Two eq. (3) of it.", "# is three."]
