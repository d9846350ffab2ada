"""The pages of claims: one for each, links that lead somewhere, nothing from elsewhere.

Pages are Markdown, of which Sphinx makes a site: here of one paper, and of claims of one's own. The site is looked at
in Chromium without a window, by Selenium, where both are installed.
"""

import contextlib
import html
import io
import os
import re
import shutil
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest
from kernels_for_tests import area
from PIL import Image

from montecarlo import mean
from montecarlo.engine.models import load_module
from paper_checks import Kind, Registry, Status, concluded, grid, verify
from paper_checks.claims.catalogue import load
from paper_checks.commands.options import RECORD
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.site.building import build, write_pages, write_site
from paper_checks.report.site.content import link_to, page_of
from paper_checks.report.site.evidence import code
from paper_checks.report.site.extension import split
from theory import Formula
from theory.symbols import positive

pytestmark = pytest.mark.slow

side = positive("side")
NASTY = '<script>alert(1)</script> | $\\end{x}$ & "quoted" \x1b[31m'

PAGES = (
    "index.html", "papers/galu.html", "papers/galu_statements.html", "errata.html", "formulas.html", "gallery.html",
    "pictures/galu_rank.html", "claims/galu/thm1.html", "claims/galu/thm1.bar.html", "search.html",
)  # fmt: skip


PICTURES = {"galu_rank": Picture("galu", "Figure 8 of the paper", source="draw()")}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A folder with a picture."""
    folder = tmp_path_factory.mktemp("drawn")
    Image.new("RGB", (900, 600), "white").save(folder / "galu_rank.png")
    return folder


@pytest.fixture(scope="module")
def pages(tmp_path_factory, drawn):
    """The Markdown of all pages of ours, the number of pages, and the seconds that they took."""
    folder, pictures = tmp_path_factory.mktemp("pages"), PICTURES | {"extra": Picture("nau", "None")}
    begun = time.process_time()
    count = write_pages(folder, load(), Record.read(RECORD), pictures, drawn)
    return folder, count, time.process_time() - begun


@pytest.fixture(scope="module")
def site(tmp_path_factory, drawn):
    """The site of one paper with what is saved of it."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, load(["galu"]), Record.read(RECORD), PICTURES, drawn, workers=2)
    return folder


def test_there_is_a_page_for_each_claim_and_all_are_written_in_seconds(pages):
    folder, count, seconds = pages
    assert seconds < 40
    claims = list(load())
    assert count > len(claims)
    names = [f"{page_of(claim.id)}.md" for claim in claims]
    assert len({name.lower() for name in names}) == len(names), "pages that one file system takes for the same"
    for claim, name in zip(claims, names, strict=True):
        text = (folder / name).read_text()
        assert all(part in text for part in (claim.id, "## Reproduce", "## Cite", "@misc{"))


def test_a_page_has_the_declaration_of_its_check(pages):
    text = (pages[0] / f"{page_of('nau/eq59')}.md").read_text()
    assert re.search(r"module `paper_checks\.papers\.neural_arithmetic_units[.\w]+`, line \d+", text)
    assert '"nau/eq59"' in text
    assert f"← {link_to('nau/eq28.backward-mean', '../../')}" in text


def test_the_difference_between_published_and_correct_is_marked(pages):
    text = (pages[0] / f"{page_of('nau/alg1.offset')}.md").read_text()
    assert text.count('class="differs"') >= 2
    assert "Symbol, sympify" in text


def test_every_error_is_in_the_errata_with_its_place(pages):
    text = (pages[0] / "errata.md").read_text()
    wrong = [v.id for v in Record.read(RECORD).verdicts if v.status is Status.REFUTED]
    kinds = {c.id: c.kind for c in load()}
    ours = (Kind.ALTERNATIVE, Kind.ADDITIONAL)
    assert len(wrong) > 50
    linked = set(re.findall(r"\]\(<(claims/[^>]+)\.md>\)", "".join(row.split(" | ")[0] for row in text.splitlines())))
    assert all((page_of(i) in linked) == (kinds[i] not in ours) for i in wrong if i in kinds)


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


def test_every_link_leads_somewhere(site):
    links = load_module(Path(__file__).parents[3] / "docs" / "links.py", "docs_links")
    assert len(list(site.rglob("*.html"))) > 100
    assert list(links.broken(site)) == []


def test_nothing_comes_from_elsewhere(site):
    for path in site.rglob("*.html"):
        text = path.read_text()
        assert not re.search(r'<(?:script|link|img)[^>]* (?:src|href)="(?:https?:)?//', text), path
        assert "merror" not in text


def test_text_of_ones_own_is_text(tmp_path):
    made = Registry()
    made.paper("p", f"A paper {NASTY}", "A. Author")
    form = Formula("area", side**2 / 3)
    right = Formula("area", side**2 / 4)
    made.claim("p/a", at=NASTY, says=NASTY, quote=NASTY, note=f"{NASTY} see p/b", printed=form, corrected=right,
               points=grid(side=1), measured=mean(area))  # fmt: skip
    made.claim("p/b", at="x", says="y", experiment=lambda _: concluded(Status.CONFIRMED, NASTY))
    made.claim("p/c", at="x", says="z", printed=form, corrected=Formula("area", side**2 / 5),
               points=grid(side=1), measured=mean(area))  # fmt: skip
    record = Record("quick", 1, "paper-checks verify", tuple(verify(list(made))))
    write_site(tmp_path / "s", made, record, {}, tmp_path)
    texts = [path.read_text() for path in (tmp_path / "s").rglob("*.html")]
    assert not [text for text in texts if "<script>alert" in text or "\x1b" in text]
    assert 'href="b.html"' in (tmp_path / "s" / f"{page_of('p/a')}.html").read_text()
    assert "<h2>Corrected (refuted)" in (tmp_path / "s" / f"{page_of('p/c')}.html").read_text()
    # Nothing of ours is in it.
    assert "nau" not in " ".join(path.name for path in (tmp_path / "s").rglob("*.html"))


MARKUP = (
    "see {name}`x' and `y'", "a``` {name}`x`", "``x'' {name}`y' `z'", "{download}`x`", "{math}`x`", "[a]{name}`x`",
    "```{include} /etc/x", "```{raw} html", "~~~{raw}", ":::{warning}", "1. item", "% comment", "+++ b", "(anchor)=",
    "[a]{.b #c} and `d`{.e}", "&copy; &lt; &", "[^1] and [^1]: c", "[a]: b", "# head", "> b", "$a$ {name}`x`",
)  # fmt: skip


def test_no_text_of_ones_own_is_markup(tmp_path):
    made = Registry()
    for i, text in enumerate(MARKUP):
        made.paper(f"p{i}", text, text, venue=text, lost=text)
        made.claim(f"p{i}/a", at=text, says=text, quote=text, note=text, assumptions=text,
                   experiment=lambda _, says=text: concluded(True, says))  # fmt: skip
    record = Record("quick", 1, "paper-checks verify", tuple(verify(list(made))))
    write_site(tmp_path / "s", made, record, {}, tmp_path)
    for i, text in enumerate(MARKUP):
        page = html.unescape(re.sub("<[^>]*>", "", (tmp_path / "s" / f"{page_of(f'p{i}/a')}.html").read_text()))
        words = re.sub(r"\W+", "", text)
        assert re.sub(r"\W+", "", page).casefold().count(words.casefold()) >= 6, text


def test_what_sphinx_says_has_no_colours(tmp_path):
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "index.md").write_text("# A page\n\n```{nothing}\n```\n")
    with pytest.raises(ValueError, match=r"could not be built: .*nothing") as found:
        build(tmp_path / "sources", tmp_path / "site", tmp_path / "doctrees", 1)
    assert "\x1b" not in str(found.value)


def test_a_process_with_jax_forks_for_no_site(tmp_path, monkeypatch):
    def forked():
        pytest.fail("Sphinx forks in a process with JAX")

    (tmp_path / "sources").mkdir()
    for name in ("index", *"abcdefgh"):
        (tmp_path / "sources" / f"{name}.md").write_text("---\norphan: true\n---\n\n# A page\n")
    monkeypatch.setitem(sys.modules, "jax", ModuleType("jax"))
    monkeypatch.setattr(os, "fork", forked)
    build(tmp_path / "sources", tmp_path / "site", tmp_path / "doctrees", 2)
    assert (tmp_path / "site" / "h.html").is_file()


@pytest.mark.parametrize(("text", "words"), [
    ("Initialisation", ["initialization"]), ("initialization", ["initialization"]), ("eq. (59)", ["eq", "59", "n59"]),
    ("Table 3", ["table", "3", "n3"]), ("behaviour of σ", ["behavior", "of", "sigma"]), ("the ς", ["the", "sigma"]),
])  # fmt: skip
def test_a_search_knows_spellings_letters_and_numbers(text, words):
    assert split(text) == words


def test_only_a_site_is_overwritten(said, tmp_path):
    (tmp_path / "precious.txt").write_text("precious")
    assert "must be an empty folder or a site" in said(2, "report", "--site", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


# In a browser.


@pytest.fixture(scope="module")
def browser():
    """Chromium; it shares no profile with anybody."""
    pytest.importorskip("selenium", reason="selenium is not installed: pip install 'paper-checks[browser]'")
    from selenium import webdriver

    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (program and driver):
        pytest.skip("no chromium or no chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield started
    started.quit()


def waited(browser, script, holds=bool):
    """What a script returns as soon as it is as it should be."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 60, 0.02).until(lambda b: holds(b.execute_script(script)))
    return browser.execute_script(script)


def visit(browser, address):
    """Go there, and wait until the page is parsed: on a busy machine ``get`` may be back before."""
    browser.get(address)
    waited(browser, "return document.readyState", "complete".__eq__)


def wide(browser, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    waited(browser, "return window.innerWidth", width.__eq__)


def colours(browser, scheme):
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_without_errors_or_requests(browser, site, page):
    browser.get_log("performance")
    visit(browser, (site / page).as_uri())
    for width in (1280, 390):
        wide(browser, width)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, width
    assert browser.execute_script("return document.querySelectorAll('merror').length") == 0
    assert browser.get_log("browser") == []
    requested = re.findall(r'"Network.requestWillBeSent".*?"url":"([^"]+)"', str(browser.get_log("performance")))
    assert all(url.startswith(("file:", "data:")) for url in requested)


def test_it_has_a_dark_side(browser, site):
    shades = []
    for scheme in ("light", "dark"):
        colours(browser, scheme)
        visit(browser, (site / "index.html").as_uri())
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        shades.append(sum(map(int, re.findall(r"\d+", colour)[:3])))
    assert shades[0] > 3 * 200
    assert shades[1] < 3 * 60


def shown(browser):
    return browser.execute_script(
        "return [...document.querySelector('table.claims').tBodies[0].rows].filter((e) => e.offsetParent)"
        ".map((e) => e.cells[3].textContent.trim())"
    )


def test_the_filter_keeps_its_state_in_the_address(browser, site):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select

    wide(browser, 1280)
    visit(browser, (site / "papers/galu.html").as_uri())
    everything = len(shown(browser))
    assert everything == len(load(["galu"]).select(["galu"]))
    Select(browser.find_element(By.NAME, "verdict")).select_by_visible_text("REFUTED")
    found = shown(browser)
    assert set(found) == {"REFUTED"}
    browser.find_element(By.NAME, "text").send_keys("rank")
    fewer = shown(browser)
    assert 0 < len(fewer) < len(found) < everything
    address = browser.current_url
    assert address.endswith("#?verdict=REFUTED&text=rank")
    visit(browser, "about:blank")
    visit(browser, address)
    assert shown(browser) == fewer


def results_of(browser, site, query):
    visit(browser, (site / "search.html").as_uri() + f"?q={query}")
    waited(browser, "return document.querySelector('.search-summary')?.textContent.trim()")
    return browser.execute_script("return [...document.querySelectorAll('ul.search li a')].map((e) => e.textContent)")


@pytest.mark.parametrize("query", ["decoupling gating", "initialisation", "initialization", "eq. (1)", "galu/thm1"])
def test_the_search_finds(browser, site, query):
    assert results_of(browser, site, query)


def test_an_empty_search_suggests(browser, site):
    assert results_of(browser, site, "theorrem") == []
    assert waited(browser, "return document.querySelector('.suggestion a')?.textContent").startswith("theor")
