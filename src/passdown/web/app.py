"""The pages' routes: read, try an answer out, answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import get_args
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from passdown.errors import PassdownError
from passdown.model.packet import Answer
from passdown.web import charts, diff_lines, picture, review_page, timeline
from passdown.web.desk import Asked, Desk
from passdown.web.safety import Secret
from passdown.web.templates_of import templates

_HERE = Path(__file__).parent
_WORDS: dict[str, str] = {
    "approve": "Approve",
    "narrow": "Narrow",
    "rollback": "Roll back",
    "reassign": "Hand over",
}
SPANS = ("7d", "30d", "90d", "1y", "all")
Form = dict[str, list[str]]


class Pages:
    """One server's pages over one desk; requests take turns, since a repository is read as a whole."""

    def __init__(self, desk: Desk, secret: Secret) -> None:
        self._desk = desk
        self._secret = secret
        self._turn = Lock()

    async def index(self, request: Request) -> Response:
        """Every packet."""
        return await self._page(request, lambda: ("index.html", {"rows": self._desk.rows()}))

    async def packet(self, request: Request) -> Response:
        """One packet to review."""
        name = request.path_params["packet"]

        def read() -> tuple[str, dict[str, object]]:
            review = self._desk.review(name)
            return "review.html", {"review": review, "page": review_page.page(review), "words": _WORDS}

        return await self._page(request, read)

    async def patch(self, request: Request) -> Response:
        """One file's diff, a fragment."""
        name, path = request.path_params["packet"], request.query_params.get("path", "")
        return await self._page(
            request, lambda: ("diff.html", {"lines": diff_lines.lines(self._desk.patch(name, path))})
        )

    async def files(self, request: Request) -> Response:
        """All files of one group: a page, and where the review page takes the rest of a long list from."""
        name, wanted = request.path_params["packet"], request.path_params["group"]

        def read() -> tuple[str, dict[str, object]]:
            seen = self._desk.glance(name)
            group = next((one for one in review_page.groups(seen.files, seen.boundary) if one.id == wanted), None)
            if group is None:
                raise PassdownError("no files of this packet are under that entry now", "open the packet anew")
            return "files.html", {"group": group, "packet": seen.packet}

        return await self._page(request, read)

    async def timeline(self, request: Request) -> Response:
        """The run over time, a fragment."""
        name = request.path_params["packet"]

        def read() -> tuple[str, dict[str, object]]:
            return "timeline.html", {"timeline": timeline.timeline(self._desk.events(name))}

        return await self._page(request, read)

    async def picture(self, request: Request) -> Response:
        """The repository at a glance, a fragment; ``tree``: the worktree that the page was made of."""
        name, tree = request.path_params["packet"], request.query_params.get("tree", "")

        def read() -> tuple[str, dict[str, object]]:
            seen = self._desk.glance(name)
            folders = picture.picture(seen.paths, seen.files, seen.boundary)
            return "picture.html", {"folders": folders, "kinds": picture.KINDS, "other": tree not in ("", seen.tree)}

        return await self._page(request, read)

    async def record(self, request: Request) -> Response:
        """A place of the transcript, a fragment."""
        name, number = request.path_params["packet"], request.path_params["number"]
        return await self._page(request, lambda: ("record.html", {"lines": self._desk.record(name, number)}))

    async def metrics(self, request: Request) -> Response:
        """The numbers."""
        span = request.query_params.get("window", SPANS[1])

        def read() -> tuple[str, dict[str, object]]:
            found = self._desk.numbers(span)
            drawn = charts.charts(found.measured, found.names, found.told, found.before)
            about = {"heading": found.heading, "apart": found.measured.apart}
            return "metrics.html", {"charts": drawn, "spans": SPANS, "chosen": span, **about}

        return await self._page(request, read)

    async def story(self, request: Request) -> Response:
        """What happened to a packet's task."""
        name = request.path_params["packet"]

        def read() -> tuple[str, dict[str, object]]:
            title, events = self._desk.story(name)
            return "story.html", {"title": title, "events": events}

        return await self._page(request, read)

    async def effect(self, request: Request) -> Response:
        """What the answer in the form would do: a fragment while it is edited."""
        return await self._tried(request, "effect.html")

    async def confirm(self, request: Request) -> Response:
        """The same as a page with the button that does it."""
        return await self._tried(request, "confirm.html")

    async def answer(self, request: Request) -> Response:
        """Do it."""
        name, form = request.path_params["packet"], await _form(request)

        def act() -> tuple[str, dict[str, object]]:
            self._ours(form)
            asked = asked_of(form)
            done = self._desk.answer(name, asked, _one(form, "tree"))
            return "done.html", {"done": done, "asked": asked, "packet": name, "words": _WORDS}

        return await self._page(request, act)

    async def _tried(self, request: Request, template: str) -> Response:
        name, form = request.path_params["packet"], await _form(request)

        def read() -> tuple[str, dict[str, object]]:
            self._ours(form)
            asked = asked_of(form)
            effect = self._desk.effect(name, asked)
            kept = [(key, value) for key, values in form.items() for value in values if key not in ("csrf", "tree")]
            return template, {"effect": effect, "asked": asked, "packet": name, "kept": kept, "words": _WORDS}

        return await self._page(request, read)

    def _ours(self, form: Form) -> None:
        if not self._secret.knows(_one(form, "csrf"), self._secret.form):
            raise PassdownError("this form is not of these pages", "open the page anew")

    async def _page(self, request: Request, read: Callable[[], tuple[str, dict[str, object]]]) -> Response:
        try:
            return HTMLResponse(await run_in_threadpool(partial(self._render, read)))
        except PassdownError as error:
            text = templates().get_template("error.html").render(error=error, csrf="", live=True)
            return HTMLResponse(text, 404 if request.method == "GET" else 409)

    def _render(self, read: Callable[[], tuple[str, dict[str, object]]]) -> str:
        with self._turn:
            name, values = read()
        return templates().get_template(name).render(csrf=self._secret.form, live=True, **values)


def application(desk: Desk, secret: Secret) -> Starlette:
    """The routes over one desk."""
    pages = Pages(desk, secret)
    return Starlette(
        routes=[
            Route("/", pages.index),
            Route("/packet/{packet}", pages.packet),
            Route("/packet/{packet}/diff", pages.patch),
            Route("/packet/{packet}/files/{group}", pages.files),
            Route("/metrics", pages.metrics),
            Route("/packet/{packet}/story", pages.story),
            Route("/packet/{packet}/timeline", pages.timeline),
            Route("/packet/{packet}/picture", pages.picture),
            Route("/packet/{packet}/record/{number:int}", pages.record),
            Route("/packet/{packet}/effect", pages.effect, methods=["POST"]),
            Route("/packet/{packet}/confirm", pages.confirm, methods=["POST"]),
            Route("/packet/{packet}/answer", pages.answer, methods=["POST"]),
            Route("/favicon.ico", _no_icon),
            Mount("/static", StaticFiles(directory=_HERE / "static")),
        ]
    )


async def _no_icon(request: Request) -> Response:
    del request
    return RedirectResponse("/static/icon.svg", 301)


def asked_of(form: Form) -> Asked:
    """The answer that the form holds; PassdownError where it holds none."""
    answer = _one(form, "answer")
    if answer not in get_args(Answer):
        raise PassdownError("no answer was chosen", "approve, narrow, roll back or hand over")
    specs = [f"-{name}" for name in form.get("had", ()) if name not in form.get("keep", ())]
    specs += [f"+{path}" for path in _lines(form, "add")] + [f"-{path}" for path in _lines(form, "deny")]
    if answer == "approve" and specs:
        answer = "narrow"  # what was edited is what is meant
    return Asked(
        answer=answer,  # type: ignore[arg-type] # one of its values, see above
        specs=specs if answer == "narrow" else (),
        note=_one(form, "note").strip() or None,
        assignee=_one(form, "assignee").strip() or None if answer == "reassign" else None,
        accept_tests="accept_tests" in form,
        blockers_complete=_yes_no(form, "blockers"),
        overstated=_yes_no(form, "overstated"),
        acceptance={
            key.removeprefix("done:"): values[0]
            for key, values in form.items()
            if key.startswith("done:") and values[0] in ("done", "not addressed")
        },
    )


def _lines(form: Form, name: str) -> list[str]:
    return [line.strip() for line in _one(form, name).splitlines() if line.strip()]


def _yes_no(form: Form, name: str) -> bool | None:
    return {"y": True, "n": False}.get(_one(form, name))


def _one(form: Form, name: str) -> str:
    return form.get(name, [""])[0]


async def _form(request: Request) -> Form:
    """The fields of a form in the address encoding; the door has looked at its size."""
    body = await request.body()
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=2000)
