"""GitHub's own description of its API, as its npm packages carry it: what a request and an answer may look like.

Fetched when a test first needs it into the clients' folder, never committed. ``Description`` says what is wrong with a
request or an answer, and completes an answer by what the description requires.
"""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import re
import shutil
import subprocess
import tarfile
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from graphql import GraphQLSchema, build_ast_schema, graphql_sync, parse
from jsonschema import Draft202012Validator, FormatChecker

from support.clients import FOLDER, MissingError

OPENAPI = ("@octokit/openapi", "23.0.2", "package/generated/api.github.com.json")
GRAPHQL = ("@octokit/graphql-schema", "15.26.1", "package/schema.graphql")
USED = (
    "/repos/{owner}/{repo}",
    "/repos/{owner}/{repo}/pulls",
    "/repos/{owner}/{repo}/pulls/{pull_number}",
    "/repos/{owner}/{repo}/pulls/{pull_number}/commits",
    "/repos/{owner}/{repo}/pulls/{pull_number}/reviews",
    "/repos/{owner}/{repo}/issues/{issue_number}/comments",
    "/repos/{owner}/{repo}/issues/comments/{comment_id}",
    "/repos/{owner}/{repo}/statuses/{sha}",
    "/repos/{owner}/{repo}/commits/{ref}/statuses",
    "/repos/{owner}/{repo}/commits/{ref}/check-runs",
    "/repos/{owner}/{repo}/collaborators/{username}/permission",
    "/orgs/{org}/teams/{team_slug}/memberships/{username}",
)
_SECONDS = 240


def fetched(package: tuple[str, str, str]) -> Path:
    """The one file of that package; MissingError where npm cannot bring it."""
    name, version, inside = package
    folder = FOLDER / "github"
    target = folder / f"{version}-{Path(inside).name}"
    if target.exists():
        return target
    if shutil.which("npm") is None:
        raise MissingError("no npm on PATH to fetch GitHub's description with")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            _fetch(name, version, inside, target)
    return target


def _fetch(name: str, version: str, inside: str, target: Path) -> None:
    argv = ["npm", "pack", f"{name}@{version}", "--silent"]
    home = pwd.getpwuid(os.getuid()).pw_dir  # npm's own settings are there, not in a test's scratch home
    env = {**os.environ, "HOME": home, "npm_config_cache": str(target.parent / "cache")}
    done = subprocess.run(
        argv, cwd=target.parent, env=env, capture_output=True, text=True, timeout=_SECONDS, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    shutil.rmtree(target.parent / "cache", ignore_errors=True)
    packed = target.parent / done.stdout.strip().split("\n")[-1]
    if done.returncode or not packed.is_file():
        raise MissingError(f"npm could not fetch {name}: {done.stderr.strip()[-300:]}")
    with tarfile.open(packed) as archive:
        member = archive.extractfile(inside)
        assert member is not None
        raw = member.read()
    packed.unlink()
    if inside.endswith(".json"):
        raw = json.dumps(_pruned(json.loads(raw))).encode()
    beside = target.with_suffix(f".{os.getpid()}")
    beside.write_bytes(raw)
    beside.replace(target)


def _pruned(whole: dict[str, Any]) -> dict[str, Any]:
    """The used paths and what they refer to, as JSON Schema of today."""
    paths = {path: whole["paths"][path] for path in USED}
    kept: dict[str, dict[str, Any]] = {}
    waiting = _references(paths)
    while waiting:
        kind, name = waiting.pop()
        if name not in kept.setdefault(kind, {}):
            kept[kind][name] = whole["components"][kind][name]
            waiting |= _references(kept[kind][name])
    return _modern({"paths": paths, "components": kept})


def _references(value: Any) -> set[tuple[str, str]]:
    found = re.findall(r'"\$ref": "#/components/([\w-]+)/([\w.-]+)"', json.dumps(value))
    return set(found)


def _modern(value: Any) -> Any:
    """``nullable`` of OpenAPI 3.0 as JSON Schema says it."""
    if isinstance(value, list):
        return [_modern(one) for one in value]
    if not isinstance(value, dict):
        return value
    done = {key: _modern(one) for key, one in value.items() if key not in ("nullable", "example", "examples")}
    if value.get("nullable") is True:
        return {"anyOf": [{"type": "null"}, done]}
    return done


class Description:
    """What the description says of one request and its answer."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.paths = [(self._pattern(path), operations) for path, operations in document["paths"].items()]

    @staticmethod
    def _pattern(path: str) -> re.Pattern[str]:
        return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)))

    def operation(self, method: str, path: str) -> tuple[dict[str, Any], dict[str, str]] | None:
        """The operation and its path's values; None: there is none such."""
        for pattern, operations in self.paths:
            found = pattern.fullmatch(path)
            if found and method.lower() in operations:
                return operations[method.lower()], found.groupdict()
        return None

    def wrong_request(self, method: str, path: str, query: str, body: Any) -> list[str]:
        """What is wrong with a request; []: nothing."""
        known = self.operation(method, path)
        if known is None:
            return [f"no such operation: {method} {path}"]
        operation, values = known
        parameters = [self._resolved(one) for one in operation.get("parameters", [])]
        named = {("path", name): value for name, value in values.items()}
        named |= {("query", name): value for name, value in parse_qsl(query, keep_blank_values=True)}
        told = {(one["in"], one["name"]): one for one in parameters}
        wrong = [
            f"{method} {path}: unknown {place} parameter {name}" for place, name in named if (place, name) not in told
        ]
        for key, value in named.items():
            if key in told:
                wrong += self._faults(self._typed(value, told[key]["schema"]), told[key]["schema"], f"{path} {key[1]}")
        wanted = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if (body is not None) and wanted is None:
            wrong.append(f"{method} {path}: takes no body")
        if wanted is not None:
            wrong += self._faults(body, wanted, f"{method} {path}")
            extra = set(body or {}) - set(wanted.get("properties", {}))
            wrong += [f"{method} {path}: unknown field {name}" for name in sorted(extra)]
        return wrong

    def schema(self, method: str, path: str, status: int) -> dict[str, Any] | None:
        """The schema of that answer; None: an answer without a body, or none that is described."""
        known = self.operation(method, path)
        answer = known[0]["responses"].get(str(status)) if known else None
        content = self._resolved(answer).get("content", {}) if answer else {}
        found = content.get("application/json", {}).get("schema")
        return found if isinstance(found, dict) else None

    def wrong_answer(self, method: str, path: str, status: int, body: Any) -> list[str]:
        """What is wrong with an answer of the server: then the test is, not the program."""
        schema = self.schema(method, path, status)
        return self._faults(body, schema, f"answer to {method} {path}") if schema is not None else []

    def complete(self, given: Any, schema: dict[str, Any] | None) -> Any:
        """``given`` with all that the schema requires besides."""
        if schema is None:
            return given
        schema = self._plain(schema, given)
        if isinstance(given, list):
            return [self.complete(one, schema.get("items")) for one in given]
        if not isinstance(given, dict):
            return given
        properties = schema.get("properties", {})
        whole = {name: self.complete(value, properties.get(name)) for name, value in given.items()}
        for name in schema.get("required", []):
            if name not in whole:
                whole[name] = self._sample(properties.get(name, {}))
        return whole

    def _plain(self, schema: dict[str, Any], given: Any) -> dict[str, Any]:
        """One schema without references and choices, the one for such a value."""
        schema = self._resolved(schema)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                named = [self._resolved(one) for one in schema[choice]]
                fits = [one for one in named if one.get("type") != "null"]
                return self._plain(fits[0] if given is not None or not fits else {"type": "null"}, given)
        if "allOf" in schema:
            merged: dict[str, Any] = {"properties": {}, "required": []}
            for one in schema["allOf"]:
                part = self._plain(one, given)
                merged["properties"] |= part.get("properties", {})
                merged["required"] += part.get("required", [])
            return merged
        return schema

    def _sample(self, schema: dict[str, Any]) -> Any:
        schema = self._resolved(schema)
        if any(self._resolved(one).get("type") == "null" for one in schema.get("anyOf", [])):
            return None
        schema = self._plain(schema, {})
        if "enum" in schema:
            return schema["enum"][0]
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if kind == "object":
            return self.complete({}, schema)
        plain = {"array": [], "integer": 1, "number": 1, "boolean": False}
        texts = {"date-time": "2026-11-30T16:00:00Z", "uri": "https://example.test/x", "email": "a@example.test"}
        return plain.get(kind, texts.get(schema.get("format", ""), "x"))

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            found: Any = self.document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            schema = found
        return schema

    def _typed(self, text: str, schema: dict[str, Any]) -> Any:
        kind = self._plain(schema, text).get("type")
        return int(text) if kind == "integer" and re.fullmatch(r"-?\d+", text) else text

    def _faults(self, value: Any, schema: dict[str, Any], where: str) -> list[str]:
        whole = {**schema, "components": self.document["components"]}
        errors = Draft202012Validator(whole, format_checker=FormatChecker()).iter_errors(value)
        return [f"{where}: {'/'.join(map(str, error.path))} {error.message[:200]}" for error in errors]


@cache
def description() -> Description:
    """The REST API's."""
    return Description(json.loads(fetched(OPENAPI).read_bytes()))


@cache
def graphql_schema() -> GraphQLSchema:
    """The GraphQL API's."""
    document = parse(fetched(GRAPHQL).read_text(), no_location=True)
    return build_ast_schema(document, assume_valid=True, assume_valid_sdl=True)


def queried(text: str, variables: dict[str, Any], root: Any) -> dict[str, Any]:
    """What GitHub's schema makes of a query over plain values: data, and errors where it is none for that schema."""
    done = graphql_sync(graphql_schema(), text, root, variable_values=variables)
    answer: dict[str, Any] = {"data": done.data}
    return answer | ({"errors": [{"message": error.message} for error in done.errors]} if done.errors else {})
