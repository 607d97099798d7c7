"""The pages in a real browser: each answer from the click to the boundary that refuses a write."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from functools import partial

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from passdown.web import opening
from support.process import TIMEOUT, until

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

AT_MOST = TIMEOUT * 1000

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")


LOADED = """[...document.querySelectorAll("details[open] > .load-into")].every((summary) => {
  const text = summary.parentElement.querySelector(".fill").textContent;
  return text && text !== "...";
})"""


def opened(browser: Browser, **how: object) -> Page:
    """A page of its own, with all the time that a busy machine may take."""
    page = browser.new_page(**how)
    page.set_default_timeout(AT_MOST)
    return page


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser with a home of its own; what a test opens in it shares nothing with another's."""
    home = str(tmp_path_factory.mktemp("chromium"))
    env = {"PATH": os.environ["PATH"], "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, env=env, timeout=AT_MOST)
        yield browser
        browser.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    yield chromium
    for context in chromium.contexts:
        context.close()


@pytest.fixture
def page(browser: Browser, served, digest) -> Page:
    """The packet's page, entered with the token; whatever the browser complains of fails the test, and so does
    a request to anywhere else."""
    page = opened(browser, viewport={"width": 1440, "height": 900})
    page.complaints = []
    page.on("console", lambda told: page.complaints.append(told.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith(served.origin) or page.complaints.append(asked.url))
    page.goto(f"{served.origin}/packet/{digest}?token={served.token}")
    yield page
    assert page.complaints == []


def test_a_browser_that_is_sent_there_by_a_file_comes_in(browser, served, digest, tmp_path):
    page = opened(browser)
    file = opening.write(tmp_path, f"{served.origin}/packet/{digest}?token={served.token}")
    page.goto(file.as_uri())
    page.get_by_role("heading", name="Your answer").wait_for()
    assert served.token not in page.url


def verdict(served):
    return served.repo.passdown("show", "--json").check().json()["verdict"]


def test_narrowing_on_the_page_refuses_the_write(page, served):
    page.get_by_role("checkbox", name="README.md").uncheck()
    page.locator("#effect .dropped").wait_for()
    page.locator("#effect", has_text="May write 3 of today's files").wait_for()
    page.get_by_label("A note to the next run").fill("F1 first")
    page.get_by_role("button", name="Narrow").click()
    page.get_by_role("heading", name="Narrow").wait_for()
    assert verdict(served) is None
    page.get_by_role("button", name="Narrow").click()
    page.get_by_role("heading", name="Answered").wait_for()
    assert (verdict(served)["answer"], verdict(served)["note"]) == ("narrow", "F1 first")
    served.repo.passdown("resume", "--json").check()
    served.repo.write("README.md", "again\n")
    result = served.repo.passdown("verify")
    assert result.code == 1
    assert "README.md" in result.out


@pytest.mark.parametrize(
    ("button", "answer"), [("Approve", "approve"), ("Roll back", "rollback"), ("Hand over", "reassign")]
)
def test_each_button_shows_what_it_does_and_does_it(page, served, button, answer):
    page.get_by_label("Hand over to").fill("@maintainer")
    page.get_by_role("button", name=button).click()
    page.get_by_role("heading", name=button).wait_for()
    assert verdict(served) is None
    page.get_by_role("button", name=button).click()
    page.get_by_role("heading", name="Answered").wait_for()
    assert verdict(served)["answer"] == answer


def test_a_diff_and_the_place_in_the_transcript_open(page):
    page.locator(".file summary", has_text="README.md").click()
    page.get_by_text("<script>alert(1)</script>").wait_for()
    page.locator(".fact.bad summary").first.click()
    page.get_by_text("Where it was said").first.click()
    page.locator(".record").wait_for()
    page.locator(".record", has_text="All 212 tests pass").wait_for()


def test_the_rest_of_a_long_list_comes_when_it_is_asked_for(page, served):
    for number in range(260):
        served.repo.write(f"made/{number}.txt", f"{number}\n")
    served.repo.passdown("pack", "--no-check", "--note", "many").check()
    page.goto(f"{served.origin}/packet/{served.repo.passdown('show', '--json').json()['packet']}")
    group = page.locator("details.group", has=page.locator("a.load-rest"))
    group.evaluate("details => { details.open = true; }")
    group.locator("a.load-rest").click()
    row = page.locator("details.file", has_text="made/99.txt")
    row.locator("summary").click()
    row.locator("tr.add", has_text="99").wait_for()
    assert page.locator("details.file").count() >= 260


def test_the_keyboard_alone_reaches_an_answer(page, served):
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "approve":
            break
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Approve").wait_for()
    page.locator("form button:focus").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Answered").wait_for()
    assert verdict(served)["answer"] == "approve"


def test_nothing_is_in_the_way_of_a_screen_reader_or_a_phone(browser, served, digest):
    others = ("/", "/packet/ffffffff", "/metrics", f"/packet/{digest}/story")
    for width, scheme, paths in (
        (1440, "light", others),
        (390, "dark", others),
        (1440, "dark", ()),
        (390, "light", ()),
    ):
        page = opened(browser, viewport={"width": width, "height": 844}, color_scheme=scheme)
        for path in (f"/packet/{digest}", *paths):
            page.goto(f"{served.origin}{path}?token={served.token}")
            for details in page.query_selector_all("details"):
                details.evaluate("details => { details.open = true; }")
            until(partial(page.evaluate, LOADED))
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.close()


@pytest.mark.parametrize(("verb", "says"), [("show", "All 212 tests pass"), ("log", "packed")])
def test_a_file_for_others_loads_and_runs_nothing(browser, packed, tmp_path, verb, says):
    file = tmp_path / f"{verb}.html"
    file.write_text(packed.passdown(verb, "--html").check().out)
    page = opened(browser)
    complaints = []
    page.on("console", lambda told: complaints.append(told.text))
    page.on("request", lambda asked: asked.url.startswith("file:") or complaints.append(asked.url))
    page.goto(file.as_uri())
    assert says in page.inner_text("body")
    assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "1040px"
    assert page.locator("form, script, a").count() == 0
    assert Axe().run(page).violations_count == 0
    assert complaints == []
