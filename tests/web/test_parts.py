"""What the pages draw: the run over time, the repository at a glance, a diff; and a large packet."""

from __future__ import annotations

import pytest

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.packet import FileChange
from passdown.web.diff_lines import MOST, lines
from passdown.web.picture import SHOWN, picture
from passdown.web.timeline import Event, timeline


def change(path):
    return FileChange(path=path, status="modified", added=1, removed=1, by=["tool"], inside=None)


def boundary():
    allow = [Entry(id="B1", path="src/a/", because="x")]
    deny = [Entry(id="N1", path="migrations/**", because="user: no")]
    return Boundary(version=1, source="proposed", allow=allow, deny=deny, budget=Budget()).sealed()


def test_each_path_stands_once_and_what_is_outside_comes_first():
    paths = ["src/a/x.py", "src/a/y.py", "src/b/z.py", "migrations/1.sql", "README.md", "LICENSE"]
    folders = picture(paths, [change("src/a/x.py"), change("README.md"), change("gone.py")], boundary())
    told = [(f.name, [(c.path, c.kind) for c in f.cells], f.others) for f in folders]
    assert told == [
        ("(top)", [("README.md", "outside"), ("gone.py", "outside")], 1),
        ("src/a", [("src/a/x.py", "touched"), ("src/a/y.py", "write")], 0),
        ("migrations", [("migrations/1.sql", "denied")], 0),
        ("everything else", [], 1),
    ]


def test_a_folder_of_thousands_has_some_cells_and_says_how_many_more():
    (folder,) = picture([f"src/a/{n}.py" for n in range(5000)], [], boundary())
    assert len(folder.cells) == SHOWN
    assert folder.counts == {"write": 5000}
    assert folder.more == 5000 - SHOWN


def test_events_stand_in_their_order_within_the_picture():
    events = [
        Event("2026-11-30T12:10:00Z", "ran", "b"),
        Event("2026-11-30T12:00:00Z", "asked", "a"),
        Event("not a time", "ran", "never"),
    ]
    drawn = timeline(events)
    assert [mark.event.text for mark in drawn.marks] == ["a", "b"]
    assert all(0 < mark.x < drawn.width and 0 < mark.y < drawn.height for mark in drawn.marks)
    assert drawn.marks[0].x < drawn.marks[1].x


@pytest.mark.parametrize("events", [[], [Event("2026-11-30T12:00:00Z", "ran", "alone")], [Event("x", "ran", "y")]])
def test_few_events_or_none(events):
    drawn = timeline(events)
    assert len(drawn.marks) == sum(event.at.startswith("2026") for event in events)


PATCH = """\
diff --git a/x b/x
index 1..2 100644
--- a/x
+++ b/x
@@ -1,2 +1,2 @@ def f():
 same
--- a line that looks like a header
+++ another
\\ No newline at end of file
"""


def test_a_diff_is_read_by_its_hunks():
    told = [(line.kind, line.text, line.old, line.new) for line in lines(PATCH)]
    assert told == [
        ("hunk", "@@ 1 -> 1 @@ def f():", None, None),
        ("", "same", 1, 1),
        ("del", "-- a line that looks like a header", 2, None),
        ("add", "++ another", None, 2),
        ("meta", "No newline at end of file", None, None),
    ]


def test_spaces_stay_and_what_paints_or_turns_text_round_is_spelled_out():
    (_, line) = lines("@@ -1 +1 @@\n+  a\t=  1 \x1b[31m\u202e\n")
    assert line.text.startswith("  a")
    assert "=  1" in line.text
    assert "\x1b" not in line.text
    assert "\u202e" not in line.text


def test_a_long_diff_is_cut_and_says_so():
    told = lines("@@ -0,0 +1,9999 @@\n" + "+x\n" * 9999)
    assert len(told) == MOST + 1
    assert "not shown" in told[-1].text


def test_the_run_and_the_repository_are_told(served, digest):
    run = served.get(f"/packet/{digest}/timeline").text
    assert "make test_retry pass" in run
    assert "pytest -q: FAILED" in run
    seen = served.get(f"/packet/{digest}/picture").text
    assert "migrations" in seen
    assert "1 not" in seen
    assert "changed since" not in seen


def test_a_picture_is_of_one_moment_and_says_when_the_page_is_of_another(served, digest):
    page = served.get(f"/packet/{digest}").text
    address = page.partition(f"/packet/{digest}/picture?tree=")[2].partition('"')[0]
    assert "changed since" not in served.get(f"/packet/{digest}/picture?tree={address}").text
    served.repo.write("src/later.py", "x\n")
    seen = served.get(f"/packet/{digest}/picture?tree={address}").text
    assert "The worktree changed since this page was opened" in seen
    assert "src/later.py" in seen or "others" in seen


def test_a_packet_without_a_session_has_a_page(served):
    served.repo.passdown("pack", "--no-check", "--goal", "by hand").check()
    digest = served.repo.passdown("show", "--json").json()["packet"]
    assert served.get(f"/packet/{digest}").status == 200


def test_a_packet_of_five_thousand_files_lists_them_all(repo, served):
    for number in range(5000):
        repo.write(f"made/{number % 50}/{number}.txt", f"{number}\n")
    repo.passdown("pack", "--no-check", "--note", "many").check()
    digest = repo.passdown("show", "--json").json()["packet"]
    page = served.get(f"/packet/{digest}").text
    rest = page.partition(f"/packet/{digest}/files/")[2].partition('"')[0]
    assert page.count('class="file"') <= 200
    assert len(page) < 250_000
    whole = served.get(f"/packet/{digest}/files/{rest}").text
    assert whole.count('class="file"') >= 5000
    assert served.get(f"/packet/{digest}/files/B99").status == 404
    assert "4999" in served.get(f"/packet/{digest}/diff?path=made/49/4999.txt").text


def test_the_numbers_and_the_story_have_pages(served, digest):
    for span in ("7d", "all"):
        page = served.get(f"/metrics?window={span}").text
        assert "not measured" in page
        assert "rolled back within 14 days" in page
    assert served.get("/metrics?window=soon").status == 404
    story = served.get(f"/packet/{digest}/story").text
    assert "packed" in story
    assert "All 212 tests" not in story
