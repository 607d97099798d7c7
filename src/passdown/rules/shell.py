"""Reads a shell command line: which programs it runs, and whether its exit code speaks for each of them.

tree-sitter-bash does the reading (imported when first needed). What it cannot parse is taken
conservatively: the programs are named, and no exit code vouches for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.rules.patterns import lazy
from passdown.rules.shell_call import Call
from passdown.rules.shell_plain import TRIVIAL, folder_of, plain_calls
from passdown.rules.shell_words import inner_options, inner_script, plain

__all__ = ["Call", "by_grammar", "calls", "parsed", "text_of"]

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_STATUS = lazy(r"\$\?|\$\{?(?:rc|status|code|exit_code|ret|result|ec)\}?|\$\{?PIPESTATUS\[0\]\}?", re.IGNORECASE)
_ECHO_STATUS = lazy(r"""([A-Za-z][\w .:=-]{0,30}?)\s*(\$\?|\$\{?PIPESTATUS\[0\]\}?|\$\{?(?:rc|status|ec)\}?)\W*$""")
_TESTED = lazy(
    r"""(?:test|\[{1,2})\s+"?\$(?:\?|\{?PIPESTATUS\[0\]\}?)"?\s+(?:-eq|==?)\s+"?0"?(?:\s*\]{1,2})?""",
)
_SKIPPED = {"comment", "function_definition", "heredoc_body", "heredoc_start", "heredoc_end"}
_HOLD_COMMANDS = {"command_name", "string", "command_substitution", "concatenation", "process_substitution"}
_MAX_DEPTH = 3


class _Context(Struct, frozen=True):
    vouched: bool = True
    blamed: bool = True
    quiet: bool = False
    pipefail: bool = False
    errexit: bool = False
    pipe: tuple[tuple[str, ...], ...] = ()
    echoed: str | None = None
    echoes_head: bool = False
    folder: str | None = None
    depth: int = 0


@lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter_bash  # noqa: PLC0415 - 20 ms that only transcripts need
    from tree_sitter import Language, Parser  # noqa: PLC0415 - the same

    return Parser(Language(tree_sitter_bash.language()))


# The grammar's own scanner reads outside its tables at wide characters: it sees them as letters of a word.
_MARK = "_Wide"
_WIDE = lazy(r"[^\x00-\x7f]")
_MARKED = lazy(_MARK + r"([0-9a-f]{6})_")


@lru_cache(maxsize=1024)
def calls(line: str) -> tuple[Call, ...]:
    """The programs that ``line`` runs, in order, wrappers such as ``env`` and ``bash -c`` looked through."""
    if not line.strip():
        return ()
    found = plain_calls(line)
    return by_grammar(line) if found is None else found


def by_grammar(line: str) -> tuple[Call, ...]:
    """The same by the grammar alone, whatever the line is."""
    return tuple(_read(line, _Context()))


def parsed(line: str) -> Node:
    """The root of the line's syntax tree; :func:`text_of` gives a node's text."""
    return _parser().parse(_WIDE.sub(lambda found: f"{_MARK}{ord(found[0]):06x}_", line).encode("ascii")).root_node


def _read(line: str, context: _Context) -> Iterator[Call]:
    root = parsed(line)
    doubtful = root.has_error
    for call in _statements(root.named_children, context):
        yield replace(call, vouched=False, blamed=False) if doubtful and len(root.named_children) != 1 else call


def text_of(node: Node) -> str:
    """The node's text as it stands in the line."""
    return _MARKED.sub(lambda found: chr(int(found[1], 16)), (node.text or b"").decode("ascii"))


def _statements(nodes: Sequence[Node], context: _Context) -> Iterator[Call]:
    """Statements divided by ``;`` or newlines: the last one sets the exit code, unless a later one hands it on."""
    body = [n for n in nodes if n.type not in _SKIPPED]
    here = context
    for index, node in enumerate(body):
        text = text_of(node)
        here = _options(text, here)
        later = (*body[index + 1 : index + 4], *body[index + 4 :][-1:])
        background = node.next_sibling is not None and node.next_sibling.type == "&"
        own = here
        if background:
            own = replace(here, vouched=False, blamed=False)
        elif later:
            handed = _hands_on(later)
            keeps = here.errexit or handed
            own = replace(
                here,
                vouched=here.vouched and keeps,
                blamed=here.blamed and handed,
                echoed=_echoed_status(later),
                echoes_head="PIPESTATUS" in _joined(later),
                pipefail=here.pipefail or (handed and "PIPESTATUS" in _joined(later)),
            )
        yield from _visit(node, own)
        folder = _folder(node)
        if folder is not None:
            here = replace(here, folder=folder)


def _joined(nodes: Sequence[Node]) -> str:
    """The statements that could speak of the one before them: the next two and the last."""
    return "\n".join(text_of(n) for n in (*nodes[:2], nodes[-1]))


def _options(text: str, context: _Context) -> _Context:
    found = re.match(r"set\s+([-+].*)", text)
    if not found:
        return context
    pipefail = context.pipefail or re.search(r"-\w*o\s+pipefail", found[1]) is not None
    errexit = context.errexit or re.search(r"(?:^|\s)-\w*e", found[1]) is not None or "errexit" in found[1]
    return replace(context, pipefail=pipefail, errexit=errexit)


def _hands_on(later: Sequence[Node]) -> bool:
    """Whether ``later`` ends the line with this statement's status (``rc=$?; ...; exit $rc``, ``[ $? -eq 0 ]``)."""
    if later[0] is later[-1] and _TESTED.fullmatch(text_of(later[0])):
        return True
    if not re.match(r"(?:exit|return)\s+\S", text_of(later[-1])) or not _STATUS.search(text_of(later[-1])):
        return False
    first = text_of(later[0])
    if later[0] is later[-1]:
        return True
    return re.match(r"\w+=\$\{?(?:\?|PIPESTATUS\[0\])", first) is not None


def _echoed_status(later: Sequence[Node]) -> str | None:
    """``EXIT:`` of ``; echo "EXIT: $?"``, where the status printed is this statement's own."""
    text = text_of(later[0])
    if re.match(r"\w+=\$\{?(?:\?|PIPESTATUS\[0\])", text) and len(later) > 1:
        text = text_of(later[1])
    if not re.match(r"(?:echo|printf)\b", text):
        return None
    found = _ECHO_STATUS.search(text.rstrip("\"' "))
    if not found:
        return None
    return re.sub(r"^(?:echo|printf)\s+", "", found[1]).strip("\"' ") or None


def _folder(node: Node) -> str | None:
    return folder_of(text_of(node))


def _visit(node: Node, context: _Context) -> Iterator[Call]:
    kind = node.type
    if kind == "command":
        yield from _command(node, context)
    elif kind == "list":
        yield from _list(node, context)
    elif kind == "pipeline":
        yield from _pipeline(node, context)
    elif kind == "redirected_statement":
        yield from _redirected(node, context)
    elif kind in {"subshell", "compound_statement", "program"}:
        yield from _statements(node.named_children, context)
    elif kind == "negated_command":
        yield from _inside(node, replace(context, vouched=False, blamed=False))
    elif kind in {"variable_assignment", "variable_assignments", "declaration_command"}:
        sole = kind == "variable_assignment"
        yield from _inside(node, context if sole else replace(context, vouched=False, blamed=False))
    elif kind not in _SKIPPED:
        yield from _inside(node, replace(context, vouched=False, blamed=False, echoed=None))


def _inside(node: Node, context: _Context) -> Iterator[Call]:
    for child in node.named_children:
        if child.type in {"command_substitution", "process_substitution", "do_group", "else_clause", "elif_clause"}:
            yield from _statements(child.named_children, context)
        else:
            yield from _visit(child, context)


def _list(node: Node, context: _Context) -> Iterator[Call]:
    left, right = node.named_children[0], node.named_children[-1]
    operator = next((c.type for c in node.children if c.type in {"&&", "||"}), "&&")
    if operator == "&&":
        yield from _visit(left, replace(context, blamed=False, echoed=None))
        folder = _folder(left)
        here = context if folder is None else replace(context, folder=folder)
        ready = all(_text_trivial(part) for part in text_of(left).split("&&"))
        yield from _visit(right, replace(here, blamed=here.blamed and ready))
        return
    fails = re.match(r"(?:\{[^}]*)?\b(?:exit|return)\s+[1-9]|false\b", text_of(right)) is not None
    own = replace(context, vouched=context.vouched and fails, blamed=context.blamed and fails, echoed=None)
    yield from _visit(left, own)
    yield from _visit(right, replace(context, vouched=False, blamed=False, echoed=None))


def _text_trivial(text: str) -> bool:
    words = text.split(maxsplit=1)
    return bool(words) and (words[0] in TRIVIAL or (words[0] == "git" and " add" in text[:8]))


def _pipeline(node: Node, context: _Context) -> Iterator[Call]:
    """``a | b``: b's exit code counts, a's only under pipefail. The grammar binds ``x && a | b`` wrongly."""
    parts = node.named_children
    following = [_words(p) for p in parts[1:]]
    masked = replace(
        context,
        pipe=tuple(following),
        vouched=context.vouched and context.pipefail,
        blamed=False,
        echoed=context.echoed if context.echoes_head else None,
    )
    yield from _pipe_head(parts[0], context, masked)
    for index, part in enumerate(parts[1:], 1):
        last = index == len(parts) - 1
        rest = replace(context, pipe=tuple(following[index:]), echoed=None, blamed=context.blamed and last)
        yield from _visit(part, rest if last else replace(rest, vouched=context.vouched and context.pipefail))


def _pipe_head(node: Node, context: _Context, masked: _Context) -> Iterator[Call]:
    inner = node
    if node.type == "redirected_statement":
        body = node.child_by_field_name("body")
        if body is not None and body.type == "list":
            inner = body
    if inner.type != "list":
        yield from _visit(node, masked)
        return
    left, right = inner.named_children[0], inner.named_children[-1]
    either = any(c.type == "||" for c in inner.children)
    doubt = replace(context, blamed=False, echoed=None, vouched=context.vouched and not either)
    yield from _visit(left, doubt)
    folder = _folder(left)
    here = masked if folder is None else replace(masked, folder=folder)
    quiet = here.quiet or (node is not inner and _hides_output(node))
    yield from _visit(right, replace(here, quiet=quiet, vouched=here.vouched and not either))


def _redirected(node: Node, context: _Context) -> Iterator[Call]:
    body = node.child_by_field_name("body")
    if body is None:
        return
    hidden = _hides_output(node)
    if body.type == "list":
        yield from _visit(body, context)
        return
    yield from _visit(body, replace(context, quiet=context.quiet or hidden))


def _hides_output(node: Node) -> bool:
    """Whether standard output goes to a file (``> log``); ``2>&1`` and ``2>/dev/null`` leave it."""
    for child in node.children:
        if child.type != "file_redirect":
            continue
        text = text_of(child)
        if re.match(r"(?:1|&)?>{1,2}\|?\s*(?!&)\S", text):
            return True
    return False


def _words(node: Node) -> tuple[str, ...]:
    if node.type == "redirected_statement":
        body = node.child_by_field_name("body")
        return _words(body) if body is not None else ()
    if node.type != "command":
        return ()
    return tuple(
        plain(text_of(c)) for c in node.named_children if c.type not in {"variable_assignment", "file_redirect"}
    )


def _command(node: Node, context: _Context) -> Iterator[Call]:
    words = _words(node)
    substituted = replace(context, vouched=False, blamed=False, echoed=None, depth=context.depth + 1)
    for child in node.named_children:
        if child.type == "subshell":  # `time ( ... )`
            yield from _visit(child, context)
        elif child.type in _HOLD_COMMANDS:
            yield from _inside_words(child, substituted)
    script = inner_script(words)
    if script is not None and context.depth < _MAX_DEPTH:
        pipefail, errexit = inner_options(words)
        yield from _read(script, replace(context, depth=context.depth + 1, pipefail=pipefail, errexit=errexit))
        return
    if words:
        yield Call(
            words=words,
            vouched=context.vouched,
            blamed=context.blamed,
            quiet=context.quiet or (any(c.type == "file_redirect" for c in node.children) and _hides_output(node)),
            pipe=context.pipe,
            echoed=context.echoed,
            folder=context.folder,
        )


def _inside_words(node: Node, context: _Context) -> Iterator[Call]:
    for child in [node] if node.type.endswith("_substitution") else node.named_children:
        if child.type.endswith("_substitution"):
            yield from _statements(child.named_children, context)
