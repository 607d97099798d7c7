"""A scripted model on loopback: it speaks Anthropic Messages and OpenAI Responses, and says what a script says.

with Model([[Say("Reading."), Call("Read", {"file_path": "a.py"})], [Say("Done.")]]) as model:
    ...  # a client whose base URL is model.url

One turn of the script answers one request of the main conversation. Requests that offer no tools (titles and the like)
use no turn. A request whose first message holds the key of a side script takes that script's turns.
"""

from __future__ import annotations

import itertools
import json
import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import socket

Json = dict[str, Any]
PAST_THE_END = "Nothing more is scripted."
ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Say:
    """The model's prose."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool that takes a JSON object; ``namespace``: of an MCP server's tool (OpenAI alone)."""

    tool: str
    arguments: Json
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Custom:
    """A call of a tool that takes plain text (OpenAI alone): apply_patch, exec."""

    tool: str
    text: str


Block = Say | Call | Custom
Turn = Sequence[Block]


class Model:
    """The server and its script; ``requests`` are the bodies that came in, in order."""

    def __init__(
        self, script: Iterable[Turn], *, side: Mapping[str, Iterable[Turn]] | None = None, tokens: int = 1000
    ) -> None:
        self.tokens = tokens
        self.requests: list[Json] = []
        self._main = list(script)
        self._side = {key: list(turns) for key, turns in (side or {}).items()}
        self._lock = threading.Lock()
        self._servers = [_Server(("127.0.0.1", 0), self)]

    @property
    def port(self) -> int:
        """The port, on every network that the model listens on."""
        return self._servers[0].server_port

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def left(self) -> list[Turn]:
        """Turns that no request has taken yet."""
        return [*self._main, *itertools.chain(*self._side.values())]

    def __enter__(self) -> Self:
        self._serve(self._servers[0])
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def listen(self, listener: socket.socket) -> None:
        """Serve on one more socket, bound by another process in a network of its own."""
        server = _Server(("127.0.0.1", self.port), self, listener)
        self._servers.append(server)
        self._serve(server)

    def answer(self, body: Json) -> Turn:
        """Keep the request and take the turn that answers it."""
        with self._lock:
            self.requests.append(body)
            if not _offers_tools(body):
                return [Say(ASIDE)]
            first = _first_message(body)
            turns = next((turns for key, turns in self._side.items() if key in first), self._main)
            return turns.pop(0) if turns else [Say(PAST_THE_END)]

    @staticmethod
    def name(kind: str) -> str:
        """A new id, unlike any other: clients and readers join records by them."""
        return f"{kind}_{uuid.uuid4().hex[:20]}"

    def _serve(self, server: _Server) -> None:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], model: Model, listener: socket.socket | None = None) -> None:
        super().__init__(address, _Handler, bind_and_activate=listener is None)
        self.model = model
        if listener is not None:
            self.socket.close()
            self.socket = listener
            self.server_port = address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is killed while it listens is no fault of the test."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the library names it so
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        body = json.loads(self._body())
        model = self.server.model
        match self.path.partition("?")[0].rpartition("/")[2]:
            case "messages":
                message = _message(model, body, model.answer(body))
                self._events(_message_events(message)) if body.get("stream") else self._json(message)
            case "responses":
                self._events(_response_events(model, model.answer(body)))
            case "count_tokens":
                self._json({"input_tokens": model.tokens})
            case _:
                self._json({"type": "error", "error": {"type": "not_found_error", "message": self.path}}, 404)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        whole = b""
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def _json(self, document: Json, code: int = 200) -> None:
        data = json.dumps(document).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _events(self, events: Iterable[Json]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.close_connection = True


def _offers_tools(body: Json) -> bool:
    """Whether the request is one of a conversation; Codex's code mode lists the tools among its input."""
    rest = body.get("input")
    inside = [one for one in rest if one.get("type") == "additional_tools"] if isinstance(rest, list) else []
    return bool(body.get("tools") or inside)


def _first_message(body: Json) -> str:
    messages = body.get("messages") or body.get("input") or [{}]
    return json.dumps(messages[0])


# Anthropic Messages
def _message(model: Model, body: Json, turn: Turn) -> Json:
    content = [_content(model, block) for block in turn]
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "id": model.name("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": content,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": model.tokens, "output_tokens": 50},
    }


def _content(model: Model, block: Block) -> Json:
    match block:
        case Say(text):
            return {"type": "text", "text": text}
        case Call(tool, arguments):
            return {"type": "tool_use", "id": model.name("toolu"), "name": tool, "input": arguments}
        case Custom(tool, _):
            raise ValueError(f"Anthropic's API has no plain-text tools: {tool}")


def _message_events(message: Json) -> Iterator[Json]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": message["usage"]}
    yield {"type": "message_stop"}


# OpenAI Responses
def _response_events(model: Model, turn: Turn) -> Iterator[Json]:
    identity = model.name("resp")
    yield {"type": "response.created", "response": {"id": identity}}
    items = [_item(model, block) for block in turn]
    for index, item in enumerate(items):
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    usage = {
        "input_tokens": model.tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 50,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": model.tokens + 50,
    }
    yield {"type": "response.completed", "response": {"id": identity, "output": items, "usage": usage}}


def _item(model: Model, block: Block) -> Json:
    match block:
        case Say(text):
            content = [{"type": "output_text", "text": text}]
            return {"type": "message", "role": "assistant", "id": model.name("msg"), "content": content}
        case Call(tool, arguments, namespace):
            kind, rest = "function_call", {"arguments": json.dumps(arguments)}
            rest |= {"namespace": namespace} if namespace else {}
        case Custom(tool, text):
            kind, rest = "custom_tool_call", {"input": text}
    return {"type": kind, "id": model.name("item"), "call_id": model.name("call"), "name": tool, **rest}
