"""``passdown serve``: the web pages of this repository, on this machine."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Thread

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.output import aside, say
from passdown.errors import PassdownError


@click.command(epilog="Example:  passdown serve --port 8111")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; without it a free one.")
@click.option("--no-open", is_flag=True, help="Print the address, open no browser.")
@person_only("serve")
def serve(port: int, no_open: bool) -> None:
    """Serve this repository's packets and reviews as pages, for this machine alone.

    The address holds a token: who has it may answer in your name. Ctrl-C ends it, and so do two hours without
    a request.
    """
    context = Context(reads=True)
    context.place  # noqa: B018 -- no repository: said before anything is served
    _count(context)
    pages("/", port=port, opens=not no_open)


def _count(context: Context) -> None:
    """Count what is not counted yet for the numbers, so that nobody waits for it at their page."""
    from passdown.cli.accounts import every

    with suppress(PassdownError):  # a page says what is wrong
        every(context)


def pages(path: str, *, port: int = 0, opens: bool = True) -> None:
    """Serve until it is stopped, with the browser at ``path`` where there is somebody to see it."""
    from passdown.cli.web_desk import RepositoryDesk
    from passdown.web import opening
    from passdown.web.serve import serve as run
    from passdown.web.templates_of import warm

    files: list[Path] = []

    def told(address: str) -> None:
        Thread(target=warm, daemon=True).start()
        say(address)
        sys.stdout.flush()
        aside("Ctrl-C ends it. Whoever has this address may answer in your name.")
        if opens and sys.stdout.isatty():
            files.append(opening.write(Context(reads=True).place.home, address))
            webbrowser.open(files[0].as_uri())

    def entered() -> None:
        while files:
            files.pop().unlink(missing_ok=True)

    try:
        run(RepositoryDesk(), path, told, entered=entered, port=port)
    finally:
        entered()
