"""Links that are put into git's folder from inside, and sockets that somebody listens at outside."""

from __future__ import annotations

import socket
from pathlib import Path

from passdown.sandbox import planted, sockets


def test_links_are_found_wherever_they_lie_but_in_the_record(tmp_path):
    for folder in ("refs/heads", "passdown/store.git", "objects/aa"):
        (tmp_path / folder).mkdir(parents=True)
    for link in ("HEAD", "refs/heads/x", "objects/aa/b", "logs", "passdown/store.git/HEAD"):
        (tmp_path / link).symlink_to("/nowhere")
    assert planted.links(str(tmp_path)) == {"HEAD", "refs/heads/x", "objects/aa/b", "logs"}


def test_what_was_there_before_stays_and_nothing_is_followed(tmp_path):
    common, out = tmp_path / "git", tmp_path / "out"
    (common / "refs").mkdir(parents=True)
    out.mkdir()
    (out / "file").touch()
    (out / "link").symlink_to("file")
    (common / "HEAD").symlink_to("refs/x")
    known = planted.links(str(common))
    (common / "refs/out").symlink_to(out)
    (common / "index").symlink_to(out / "file")
    (common / "refs").chmod(0o555)
    assert sorted(planted.remove(str(common), known)) == ["index", "refs/out"]
    assert sorted(each.name for each in out.iterdir()) == ["file", "link"]
    assert (common / "HEAD").readlink() == Path("refs/x")


def test_sockets_are_known_from_the_kernels_table(tmp_path):
    table = tmp_path / "table"
    table.write_text(
        "Num       RefCount Protocol Flags    Type St Inode Path\n"
        f"0000: 00000002 00000000 00010000 0001 01 1 {tmp_path}/a b\n"
        "0000: 00000002 00000000 00010000 0001 01 2 @abstract\n"
        "0000: 00000002 00000000 00010000 0001 01 3\n"
        "0000: 00000002 00000000 00010000 0001 01 4 relative/sock\n"
    )
    assert sockets.listed(str(table)) == [f"{tmp_path}/a b"]
    assert sockets.listed(str(tmp_path / "nowhere")) == []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "live"))
        assert str(tmp_path / "live") in sockets.listed()
        assert sockets.is_socket(str(tmp_path / "live"))
    assert not sockets.is_socket(str(table))


def test_a_socket_that_is_not_seen_inside_needs_no_mount():
    paths = ["/run/a", "/tmp/b", "/tmp/repo/c", "/home/d", "/home/.ssh/e", "/home/d"]
    found = sockets.seen(paths, ["/run", "/tmp", "/home/.ssh"], ["/tmp/repo"], lambda _: True)
    assert list(found) == ["/tmp/repo/c", "/home/d"]
