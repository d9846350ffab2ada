"""The site: every link leads somewhere, nothing comes from elsewhere, titles of one's own are escaped."""

from __future__ import annotations

import contextlib
import io
import os
import re
import time
from pathlib import Path

import pytest
from kernels_for_tests import area

from montecarlo import mean
from paper_checks import Registry, Status, concluded, grid, verify
from paper_checks.catalogue import load
from paper_checks.commands.options import RECORD
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.site.example import code
from paper_checks.report.site.links import page_of
from paper_checks.report.site.writing import write_site
from theory import Formula, Source
from theory.symbols import positive

HERE = Source("test", "")
side = positive("side")
NASTY = '<script>alert(1)</script> | $\\end{x}$ & "quoted" \x1b[31m'


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of our papers with what is recorded of them."""
    folder = tmp_path_factory.mktemp("site")
    registry, record = load(), Record.read(RECORD)
    pictures = {"figure8": Picture("nau", "Figure 8 of the paper"), "extra": Picture("other", "Not drawn yet")}
    (folder / "drawn").mkdir()
    (folder / "drawn" / "figure8.png").write_bytes(b"no picture")
    begun = time.process_time()
    count = write_site(folder / "site", registry, record, pictures, {}, folder / "drawn")
    return folder / "site", count, time.process_time() - begun


def test_there_is_a_page_for_each_claim(site):
    folder, count, _ = site
    claims = list(load())
    assert count > len(claims)
    names = [page_of(claim.id) for claim in claims]
    assert len({name.lower() for name in names}) == len(names), "pages that one file system takes for the same"
    assert all(claim.id in (folder / name).read_text() for claim, name in zip(claims, names, strict=True))


def test_it_is_written_in_seconds(site):
    assert site[2] < 15


def test_every_link_leads_somewhere(site):
    texts = {path.resolve(): path.read_text() for path in site[0].rglob("*.html")}
    anchors = {path: set(re.findall(r' id="([^"]*)"', text)) for path, text in texts.items()}
    known = {path.resolve() for path in site[0].rglob("*") if path.is_file()}
    for path, text in texts.items():
        for link in set(re.findall(r' (?:href|src)="([^"]*)"', text)) - {"data:,"}:
            target, _, anchor = link.partition("#")
            file = Path(os.path.normpath(path.parent / target)) if target else path
            assert file in known, f"{path}: {link}"
            assert not anchor or anchor in anchors[file], f"{path}: {link}"


def test_nothing_comes_from_elsewhere(site):
    for path in site[0].rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            assert not re.search(r"(?:https?:)?//(?!\s)[a-z]", path.read_text().replace("// The", "")), path
            assert "merror" not in path.read_text()


def test_the_difference_between_print_and_correction_is_marked(site):
    text = (site[0] / page_of("nau/alg1.offset")).read_text()
    assert text.count('class="differs"') >= 2
    assert "Symbol, sympify" in text


def test_counterexamples_to_paste_show_the_difference():
    verdicts, shown = {v.id: v for v in Record.read(RECORD).verdicts}, 0
    for claim in load():
        if claim.id in verdicts and (text := code(claim, verdicts[claim.id])):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(text, {})
            numbers = [float(x) for x in printed.getvalue().split()]
            assert len(set(numbers)) == len(numbers), claim.id
            shown += len(numbers) == 2
    assert shown > 20


def test_text_of_ones_own_is_escaped(tmp_path):
    made = Registry()
    made.paper("p", f"A paper {NASTY}", "A. Author")
    form = Formula("area", side**2 / 3, source=HERE)
    right = Formula("area", side**2 / 4, source=HERE)
    made.claim("p/a", at=NASTY, says=NASTY, quote=NASTY, note=f"{NASTY} see p/b", printed=form, corrected=right,
               points=grid(side=1), measured=mean(area))  # fmt: skip
    made.claim("p/b", at="x", says="y", experiment=lambda _: concluded(Status.CONFIRMED, NASTY))
    record = Record("quick", 1, "paper-checks verify", tuple(verify(list(made))))
    write_site(tmp_path / "s", made, record, {}, {"p/b": NASTY}, tmp_path)
    for path in (tmp_path / "s").rglob("*.html"):
        text = path.read_text()
        assert "<script>alert" not in text
        assert "\x1b" not in text
    assert 'href="../../claims/p/b.html"' in (tmp_path / "s" / page_of("p/a")).read_text()


def test_only_a_site_is_overwritten(in_process, tmp_path):
    (tmp_path / "precious.txt").write_text("precious")
    status, _, err = in_process("report", "--site", tmp_path)
    assert status == 2
    assert "must be an empty folder or a site" in err
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]
