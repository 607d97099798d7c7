"""Who may read and answer: this machine with the token, from our own page; everything else is turned away."""

from __future__ import annotations

import html
import os
import stat
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from passdown.web.safety import HEADERS
from support.kernel import command_line
from support.process import PASSDOWN, TIMEOUT, until
from support.served import Served

NOT_ADMITTED = {
    "no cookie": {},
    "an empty cookie": {"Cookie": "passdown-{port}="},
    "a guessed cookie": {"Cookie": "passdown-{port}=" + "0" * 64},
    "the token as a cookie": {"Cookie": "passdown-{port}={token}"},
    "another port's cookie": {"Cookie": "passdown-1={cookie}"},
    "a name that resolves here": {"Cookie": "passdown-{port}={cookie}", "Host": "evil.example:{port}"},
    "a host without the port": {"Cookie": "passdown-{port}={cookie}", "Host": "127.0.0.1"},
    "no host": {"Cookie": "passdown-{port}={cookie}", "Host": ""},
}


def filled(served, headers):
    value = served.cookie.partition("=")[2]
    return {
        name.replace("-", "_"): text.format(port=served.port, token=served.token, cookie=value)
        for name, text in headers.items()
    }


PATHS = ("/", "/packet/{digest}", "/packet/{digest}/diff?path=src/client.py", "/static/page.js")


def test_nobody_else_reads(served, digest):
    for path in PATHS:
        for name, headers in NOT_ADMITTED.items():
            answer = served.ask("GET", path.format(digest=digest), **filled(served, headers))
            assert answer.status in (400, 403, 421), (path, name)
            assert "retry" not in answer.text, (path, name)
        assert served.get(path.format(digest=digest)).status == 200, path


def test_the_token_is_good_once_it_is_right(served):
    assert served.ask("GET", "/?token=wrong").status == 403
    answer = served.ask("GET", f"/?token={served.token}")
    assert answer.status == 303
    assert answer.headers["Location"] == "/"
    for path in ("//evil.example/", "///evil.example/x"):
        assert not served.ask("GET", f"{path}?token={served.token}").headers["Location"].startswith("//")
    cookie = answer.headers["Set-Cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert served.token.lower() not in cookie


FOREIGN = {
    "another origin": {"Origin": "http://evil.example"},
    "no origin": {},
    "a null origin": {"Origin": "null"},
    "our host on another port": {"Origin": "http://127.0.0.1:1"},
    "https": {"Origin": "https://127.0.0.1:{port}"},
}


def test_no_other_page_makes_the_browser_answer(served, digest):
    for name, headers in FOREIGN.items():
        for act in ("answer", "confirm", "effect"):
            given = {"Cookie": served.cookie, **filled(served, headers)}
            assert served.ask("POST", f"/packet/{digest}/{act}", "answer=approve&csrf=x", **given).status == 403, name
    assert served.repo.passdown("show", "--json").json()["verdict"] is None


def test_a_form_that_is_not_ours_answers_nothing(served, digest):
    for csrf in ("", "x", "0" * 64):
        body = f"answer=approve&csrf={csrf}"
        answer = served.ask("POST", f"/packet/{digest}/answer", body, Cookie=served.cookie, Origin=served.origin)
        assert answer.status == 409
        assert "not of these pages" in answer.text
    assert served.repo.passdown("show", "--json").json()["verdict"] is None


def test_every_answer_bears_the_headers(served, digest):
    for path in ("/", "/packet/{digest}", "/nothing", "/packet/ffff", "/static/style.css", "/static/../app.py"):
        answer = served.get(path.format(digest=digest))
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, path
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_a_body_that_is_too_large_or_of_no_known_size_is_not_read(served, digest):
    for length in ("9999999999", "-1", "x", ""):
        headers = {"Cookie": served.cookie, "Origin": served.origin, "Content_Length": length}
        assert served.ask("POST", f"/packet/{digest}/answer", **headers).status in (400, 403, 411), length


def test_a_bad_address_is_one_line(served, digest):
    diffs = ("{digest}/diff?path=../../etc/passwd", "{digest}/diff?path=%00", "{digest}/diff")
    for path in ("ffffffff", "{digest}/record/99999", "{digest}/record/x", *diffs):
        answer = served.get(f"/packet/{path.format(digest=digest)}")
        assert answer.status in (200, 404), path
        assert "Traceback" not in answer.text
        assert "root:" not in answer.text


def test_foreign_text_is_text(served, digest):
    page = served.get(f"/packet/{digest}").text
    assert "&lt;b&gt;Done&lt;/b&gt;" in page
    assert "<b>Done" not in page
    diff = served.get(f"/packet/{digest}/diff?path=README.md").text
    assert "&lt;script&gt;" in diff
    assert "<script>" not in diff


BROWSER = """#!/bin/sh
printf '%s\\n' "$@" > "$SEEN.new"
mv "$SEEN.new" "$SEEN"
"""


def test_the_browser_is_started_without_the_token(packed, tmp_path):
    """Whoever lists the processes sees a browser's arguments: a file that its owner alone reads leads it on."""
    fake, seen = tmp_path / "browser", tmp_path / "seen"
    fake.write_text(BROWSER)
    fake.chmod(0o755)
    ours, theirs = os.openpty()
    env = {**os.environ, "BROWSER": str(fake), "SEEN": str(seen), "DISPLAY": ":9"}
    process = subprocess.Popen([PASSDOWN, "serve"], cwd=packed.root, env=env, stdout=theirs, stderr=subprocess.DEVNULL)
    try:
        address = urlsplit(os.read(ours, 4096).decode().split()[0])
        token = parse_qs(address.query)["token"][0]
        until(seen.exists)
        (argument,) = seen.read_text().split()
        assert token not in argument
        assert token not in command_line(process.pid).decode()
        file = Path(unquote(urlsplit(argument).path))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert address.geturl() in html.unescape(file.read_text())
        served = Served(packed, address.port, token)
        came = served.ask("GET", f"/?token={token}", Sec_Fetch_Site="cross-site")
        assert (came.status, 'content="0; url=/"' in came.text, token in came.text) == (200, True, False)
        assert not file.exists()
    finally:
        process.terminate()
        process.wait(TIMEOUT)
        os.close(ours)
        os.close(theirs)
