"""The site: every link leads somewhere, nothing comes from elsewhere, titles of one's own are escaped.

The same site is looked at in Chromium without a window, by Selenium, where both are installed.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import time
from pathlib import Path

import pytest
from kernels_for_tests import area

from montecarlo import mean
from paper_checks import Kind, Registry, Status, concluded, grid, verify
from paper_checks.claims.catalogue import load
from paper_checks.commands.options import RECORD
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.site.example import code
from paper_checks.report.site.links import page_of
from paper_checks.report.site.writing import write_site
from theory import Formula, Source
from theory.symbols import positive

pytestmark = pytest.mark.slow

HERE = Source("test", "")
side = positive("side")
NASTY = '<script>alert(1)</script> | $\\end{x}$ & "quoted" \x1b[31m'

WIDTHS = (1280, 390)
PAGES = (
    "index.html", "papers/nau.html", "gallery.html", "errata.html", "formulas.html", "guide.html", "method.html",
    "errors.html", "claims/nau/eq59.html", "claims/nau/eq51.layer.html", "claims/nerva/eq16.sums.html",
    "claims/galu/thm1.bar.html",
)  # fmt: skip
OUTSIDE = """
  const right = document.documentElement.clientWidth;
  return [...document.querySelectorAll("math *")].filter((e) => e.getBoundingClientRect().right > right).length;
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of our papers with what is recorded of them."""
    folder = tmp_path_factory.mktemp("site")
    registry, record = load(), Record.read(RECORD)
    pictures = {"figure8": Picture("nau", "Figure 8 of the paper"), "extra": Picture("other", "Not drawn yet")}
    (folder / "drawn").mkdir()
    (folder / "drawn" / "figure8.png").write_bytes(b"no picture")
    begun = time.process_time()
    count = write_site(folder / "site", registry, record, pictures, folder / "drawn")
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


def test_every_error_is_in_the_errata_with_its_place(site):
    text = (site[0] / "errata.html").read_text()
    wrong = [v.id for v in Record.read(RECORD).verdicts if v.status is Status.REFUTED]
    kinds = {c.id: c.kind for c in load()}
    ours = (Kind.ALTERNATIVE, Kind.ADDITIONAL)
    assert len(wrong) > 50
    assert all((f'href="{page_of(i)}"' in text) == (kinds[i] not in ours) for i in wrong if i in kinds)


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
    write_site(tmp_path / "s", made, record, {}, tmp_path)
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


@pytest.fixture(scope="module")
def seen(site):
    """The folder of the site, with a page besides that has every formula."""
    folder = site[0]
    formulas = dict.fromkeys(
        found for path in folder.rglob("*.html") for found in re.findall("<math.*?</math>", path.read_text(), re.DOTALL)
    )
    assert len(formulas) > 300
    body = "\n".join(f'<div class="formula">{formula}</div>' for formula in formulas)
    head = '<!DOCTYPE html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = '<link rel="icon" href="data:,"><link rel="stylesheet" href="assets/style.css">'
    (folder / "formulas_all.html").write_text(f"{head}{style}<main>{body}</main>")
    return folder


def visit(browser, address):
    """Go there, and wait until the page is parsed: on a busy machine ``get`` may be back before."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(address)
    WebDriverWait(browser, 60).until(lambda b: b.execute_script("return document.readyState") == "complete")


def wide(browser, width):
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    WebDriverWait(browser, 60, 0.02).until(lambda b: b.execute_script("return window.innerWidth") == width)


def colours(browser, scheme):
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


@pytest.mark.parametrize("page", [*PAGES, "formulas_all.html"])
def test_pages_fit_without_errors_or_requests(browser, seen, page):
    browser.get_log("performance")
    visit(browser, (seen / page).as_uri())
    for width in WIDTHS:
        wide(browser, width)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, width
        assert browser.execute_script(OUTSIDE) == 0, width
    assert browser.execute_script("return document.querySelectorAll('merror').length") == 0
    assert browser.get_log("browser") == []
    requested = re.findall(r'"Network.requestWillBeSent".*?"url":"([^"]+)"', str(browser.get_log("performance")))
    assert all(url.startswith(("file:", "data:")) for url in requested)


def test_the_font_is_the_one_that_comes_along(browser, seen):
    visit(browser, (seen / "formulas.html").as_uri())
    loaded = browser.execute_async_script(
        "document.fonts.ready.then(() => arguments[0]([...document.fonts].map((f) => `${f.family} ${f.status}`)))"
    )
    assert [text.replace('"', "") for text in loaded] == ["Paper Checks Math loaded"]


def test_it_has_a_dark_side(browser, seen):
    shades = []
    visit(browser, (seen / "index.html").as_uri())
    for scheme in ("light", "dark"):
        colours(browser, scheme)
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        shades.append(sum(map(int, re.findall(r"\d+", colour)[:3])))
    assert shades[0] > 3 * 200
    assert shades[1] < 3 * 60


def shown(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('#claims > li')].filter((e) => e.offsetParent).map((e) => e.dataset)"
    )


def test_the_filter_keeps_its_state_in_the_address(browser, seen):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select

    wide(browser, 1280)
    visit(browser, (seen / "index.html").as_uri())
    everything = len(shown(browser))
    assert everything == len(load())
    Select(browser.find_element(By.NAME, "paper")).select_by_visible_text("nau")
    Select(browser.find_element(By.NAME, "verdict")).select_by_visible_text("REFUTED")
    found = shown(browser)
    assert {(d["paper"], d["verdict"]) for d in found} == {("nau", "REFUTED")}
    browser.find_element(By.NAME, "text").send_keys("taylor")
    fewer = shown(browser)
    assert 0 < len(fewer) < len(found) < everything
    address = browser.current_url
    assert address.endswith("#paper=nau&verdict=REFUTED&text=taylor")
    visit(browser, "about:blank")
    visit(browser, address)
    assert shown(browser) == fewer
    assert browser.find_element(By.ID, "count").text.startswith(f"{len(fewer)} of ")


def test_without_scripts_every_claim_is_there(browser, seen):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        visit(browser, (seen / "index.html").as_uri())
        assert "hidden" in browser.page_source.split('<form id="filter"')[1][:20]
        assert browser.page_source.count("<li data-paper") == len(load())
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
