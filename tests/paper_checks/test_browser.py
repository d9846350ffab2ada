"""The site in a browser: Chromium without a window, by Selenium; skipped where one of them is missing."""

from __future__ import annotations

import re
import shutil

import pytest

from paper_checks.catalogue import load
from paper_checks.commands.options import RECORD
from paper_checks.record import Record
from paper_checks.report.overview import Picture
from paper_checks.report.site.writing import write_site

WIDTHS = (1280, 390)
PAGES = (
    "index.html", "papers/nau.html", "gallery.html", "formulas.html", "guide.html", "method.html", "errors.html",
    "claims/nau/eq59.html", "claims/nau/eq51.layer.html", "claims/nerva/eq16.sums.html", "claims/galu/thm1.bar.html",
)  # fmt: skip
OUTSIDE = """
  const right = document.documentElement.clientWidth;
  return [...document.querySelectorAll("math *")].filter((e) => e.getBoundingClientRect().right > right).length;
"""


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
def site(tmp_path_factory):
    """The site of our papers, and a page with every formula that occurs in it."""
    folder = tmp_path_factory.mktemp("site")
    pictures = {"figure8": Picture("nau", "Figure 8 of the paper")}
    write_site(folder, load(), Record.read(RECORD), pictures, {}, folder)
    formulas = dict.fromkeys(
        found for path in folder.rglob("*.html") for found in re.findall("<math.*?</math>", path.read_text(), re.DOTALL)
    )
    assert len(formulas) > 300
    body = "\n".join(f'<div class="formula">{formula}</div>' for formula in formulas)
    head = '<!DOCTYPE html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    style = '<link rel="icon" href="data:,"><link rel="stylesheet" href="assets/style.css">'
    (folder / "formulas_all.html").write_text(f"{head}{style}<main>{body}</main>")
    return folder


def wide(browser, width):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )


def colours(browser, scheme):
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("page", [*PAGES, "formulas_all.html"])
def test_pages_fit_without_errors_or_requests(browser, site, page, width):
    wide(browser, width)
    browser.get_log("performance")
    browser.get((site / page).as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.execute_script(OUTSIDE) == 0
    assert browser.execute_script("return document.querySelectorAll('merror').length") == 0
    assert browser.get_log("browser") == []
    requested = re.findall(r'"Network.requestWillBeSent".*?"url":"([^"]+)"', str(browser.get_log("performance")))
    assert all(url.startswith(("file:", "data:")) for url in requested)


def test_the_font_is_the_one_that_comes_along(browser, site):
    browser.get((site / "formulas.html").as_uri())
    loaded = browser.execute_async_script(
        "document.fonts.ready.then(() => arguments[0]([...document.fonts].map((f) => `${f.family} ${f.status}`)))"
    )
    assert [text.replace('"', "") for text in loaded] == ["Paper Checks Math loaded"]


def test_it_has_a_dark_side(browser, site):
    shades = []
    for scheme in ("light", "dark"):
        colours(browser, scheme)
        browser.get((site / "index.html").as_uri())
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        shades.append(sum(map(int, re.findall(r"\d+", colour)[:3])))
    assert shades[0] > 3 * 200
    assert shades[1] < 3 * 60


def shown(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('#claims > li')].filter((e) => e.offsetParent).map((e) => e.dataset)"
    )


def test_the_filter_keeps_its_state_in_the_address(browser, site):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select

    wide(browser, 1280)
    browser.get((site / "index.html").as_uri())
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
    browser.get("about:blank")
    browser.get(address)
    assert shown(browser) == fewer
    assert browser.find_element(By.ID, "count").text.startswith(f"{len(fewer)} of ")


def test_without_scripts_every_claim_is_there(browser, site):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get((site / "index.html").as_uri())
        assert "hidden" in browser.page_source.split('<form id="filter"')[1][:20]
        assert browser.page_source.count("<li data-paper") == len(load())
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
