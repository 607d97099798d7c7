# ruff: noqa: E501 - a pattern reads best on one line
"""Claims about what stands in files, against the writes of the session."""

from __future__ import annotations

import re
from functools import lru_cache

from passdown.agents.facts.claims.related import edited_after
from passdown.agents.facts.claims.ruling import Ruling, of_check, of_run, of_write
from passdown.agents.facts.claims.speech import prose
from passdown.agents.facts.claims.tokens import names, paths, same_path, spans, without_old
from passdown.agents.facts.journal import Check, Journal, Written, is_document
from passdown.rules.patterns import lazy

_I = re.IGNORECASE
_EDIT = lazy(
    r"\b(?:re)?(?:added|updated|created|removed|deleted|changed|modified|renamed|replaced|refactored|moved|extracted|converted|documented|wrote|written|saved|stored|introduced|set|switched"
    r"|bumped|extended|expanded|inserted|dropped|rewrote|rewritten|reworked|simplified|wired|registered|exported|configured|included?s?|excluded?s?|uses?|using|defines?|defined|generated|implemented|adjusted|appended|aligned|consolidated|split|swapped|edited|amended|prepared|regenerated|rebuilt|recreated|tidied|cleaned|restructured|reorgani[sz]ed|trimmed|patched|tweaked|inlined|annotated|translated|ported|migrated|upgraded|pinned|wrapped|tightened)\b"
    r"|(?:\u5909\u66f4|\u8ffd\u52a0|\u4fee\u6b63|\u66f4\u65b0|\u524a\u9664|\u4f5c\u6210)(?:\u3057|\u6e08)|\u65b0\u589e|\u91cd\u5199|\u6dfb\u52a0|\u66f4\u65b0|\u4fee\u6539|\u5220\u9664|\u521b\u5efa|\u5b9e\u73b0|\b(?:hinzugef\u00fcgt|erg\u00e4nzt|aktualisiert|erstellt|angepasst|entfernt|ge\u00e4ndert|umgestellt|ajout\u00e9|cr\u00e9\u00e9|supprim\u00e9|mis \u00e0 jour|actualizad\w|a\u00f1adid\w|cread\w|eliminad\w)",
    _I,
)
_BEHAVIOUR = lazy(
    r"\b(?:fix(?:ed|es)?|resolv(?:ed|es)|work(?:s|ing)|handles?|handled|correctly|properly|ensures?|ensured|prevents?|prevented|avoids?|sorted|sorts?|no longer|faster|performance|improv\w+|robust\w*|safe\w*|ready|race"
    r"|consistent\w*|behaves?|behaviou?r|now (?:returns?|shows?|works?|runs?|passes|accepts?|rejects?|renders?|loads?|starts?|fails?)|will|compatible|supports?|verif\w+|valid\w+|tested|confirm\w*|behoben|funktioniert|corrig\w+)\b"
    r"|\u4fee\u590d|\u4e0d\u518d|\u9a8c\u8bc1|\u4ecd|\u6539\u4e3a",
    _I,
)
_STATE = lazy(r"\b(?:needs?|needed|completed?|finished|done|different|confirmed|verified|addressed|resolved)\b", _I)
_LABEL = lazy(r"^[\W_]*\*\*[^*]{1,80}\*\*(?:\s*\([^)]*\))?\s*(?:[:\u2014\u2013-]\s*)+")
_MENDED = lazy(r"^[\W_]*(?:fixed|resolved|corrected)\b", _I)
_UNDID = lazy(r"\b(?:revert|restor|undid|undone|rolled back|put back|back to|discard|dropp)\w*", _I)
_ALREADY = lazy(r"(?:^|: )\W*already\b", _I)
_SWEEPING = lazy(
    r"\b(?:all|every|each|everything|everywhere|any|entire|whole|fully|completely|always|only|across|consistently|both|throughout|none|s\u00e4mtliche|alle|tous|toutes|todos)\b|\u6240\u6709|\u5168\u90e8|\u7edf\u4e00",
    _I,
)
_ONE = r"(?:the\s+)?\*{0,2}(?:`[^`]+`|\[[^\]]+\]\([^)]+\))\*{0,2}"
# The file itself: not "the `x.json` example", whose file is another.
_DIRECT = lazy(
    r"^[\W_]*(?:I |I['\u2019]ve |I have )?(?:also )?(?:updated|fixed|changed|modified|edited|refactored|rewrote|extended|patched)\s+"
    rf"{_ONE}(?:(?:,| and|, and)\s+{_ONE})*(?=\W*$|\s*[.,;:!()\u2014\u2013]|\s+(?:to|so|with|by|for|and|in order|in place|accordingly|as well|too|again|so that|using|that|which)\b)",
    _I,
)
_LEADING = lazy(
    r"^[\W_]*(?:I |I['\u2019]ve |I have )?(?:also )?(?:added|updated|created|documented|wrote|published|defined|generated|removed|deleted|renamed|moved|saved|extended|introduced|refactored|rewrote|extracted|split|replaced|bumped|converted|swapped|wrapped|inlined)\b",
    _I,
)
_TEST_PATH = lazy(r"(?:^|/)(?:test_[^/]*|[^/]*[_.-](?:test|spec))\.\w+$|(?:^|/)(?:tests?|spec|__tests__)/")
_MADE = lazy(
    r"^[\W_]*(?:added|created|introduced|extracted|implemented|new)\W+(?:(?:a|an|the|new|helper|private|public|method|function|class|field|module|component|hook|option)\s+){0,3}`([^`]+)`",
    _I,
)
_SORTS = (
    (
        lazy(r"\b(?:add|creat|writ|wrote|updat|extend)\w*\b[^.;]{0,30}\b(?:tests?|specs?|test cases)\b", _I),
        _TEST_PATH,
    ),
    (
        lazy(r"\b(?:docs|documentation|document|docstring file|user guide)\b(?! comment| string)", _I),
        lazy(r"(?:^|/)docs?/|\.(?:md|mdx|rst|adoc)$", _I),
    ),
    (lazy(r"\b(?:ci|github) workflow\b|\bworkflow file\b", _I), lazy(r"\.github/workflows/")),
)
_CREATED = lazy(
    r"\b(?:creat\w+|add(?:ed)?|wrote|new|generated|saved|written|erstellt|neu)\b|\u65b0\u589e|\u521b\u5efa|\u65b0\u5efa",
    _I,
)
_REMOVED = lazy(r"\b(?:remov\w+|delet\w+|dropped|entfernt|gel\u00f6scht|supprim\w+)\b|\u5220\u9664|\u79fb\u9664", _I)


def on_files(text: str, journal: Journal) -> Ruling | None:
    """The ruling on ``text`` if it speaks of files or of names in them, else None."""
    if _ALREADY.search(text):
        return None  # how it was before: no write of this session shows that
    named = [p for p in paths(without_old(text)) if not p.startswith(("http", "~"))]
    written = [w for w in journal.written if w.ok]
    touched = {
        p: [w for w in written if same_path(w.event.path, p) or (w.event.to and same_path(w.event.to, p))]
        for p in named
    }
    tested = _tested(text, named, touched, journal)
    if tested:
        return tested
    if not written and not named:
        return None
    if named:
        return _on_named(text, touched, journal)
    words = names(text)
    gone = _gone(text, words, written)
    if gone:
        return gone
    made = _MADE.match(text)
    if made and _telling([made[1]], written):
        words = [made[1]]
    elif _SWEEPING.search(prose(text)):
        return None
    if not words:
        return _by_noun(prose(text), written)
    if (_BEHAVIOUR.search(prose(text)) or _STATE.search(prose(text))) and not _EDIT.search(prose(text)):
        return None
    return _content(words, written)


def _gone(text: str, words: list[str], written: list[Written]) -> Ruling | None:
    """``removed `x()```: an edit took x out, and none put it back."""
    if not words or not _REMOVED.match(text.lstrip("*- _")) or not _telling(words[:1], written):
        return None
    hit = [w for w in written if _stands_in(words[0], w.event.removed)]
    if not hit or any(w.seq > hit[-1].seq and _stands_in(words[0], w.event.added) for w in written):
        return None
    return Ruling("SUPPORTED", f"{of_write(hit[-1])}, {words[0]} taken out")


def _by_noun(words: str, written: list[Written]) -> Ruling | None:
    """``added unit tests``, ``updated the docs``: a file of that sort was written."""
    if _BEHAVIOUR.search(words) or not _EDIT.search(words):
        return None
    for noun, sort in _SORTS:
        if noun.search(words):
            hit = [w for w in written if sort.search(w.event.path.replace("\\", "/"))]
            other = _other_number(words, [w.event.added for w in hit])
            if other is not None:
                return Ruling("UNSUPPORTED", f"{of_write(hit[-1])}: {other} tests were written there")
            return Ruling("SUPPORTED", of_write(hit[-1])) if hit else None
    return None


def _on_named(text: str, touched: dict[str, list[Written]], journal: Journal) -> Ruling | None:
    hit = [p for p, writes in touched.items() if writes]
    if not hit:
        inside = (
            None if _DIRECT.match(text) else _content([*touched, *names(text)], [w for w in journal.written if w.ok])
        )
        return inside or _by_shell(text, list(touched), journal) or _nothing_there(text, list(touched), journal)
    writes = [w for p in hit for w in touched[p]]
    last = max(writes, key=lambda w: w.seq)
    reverted = _reverted(hit, last.seq, journal)
    if reverted:
        return Ruling("SUPPORTED" if _UNDID.search(prose(text)) else "STALE", reverted)
    said = text if _MENDED.match(text) else _LABEL.sub("", text)
    words = prose(said)
    if _BEHAVIOUR.search(words) and not (_LEADING.match(said) or _LEADING.match(text)):
        proof = _proof(last, journal)
        if proof:
            return Ruling("SUPPORTED", f"{of_write(last)}, then {of_check(proof)}", proof.seen.command)
        if not (_EDIT.search(words) and not re.search(r"\bfix|\u4fee\u590d|behoben|resolv", words, _I)):
            return Ruling("UNSUPPORTED", f"{of_write(last)}, but nothing that ran shows it")
    if _SWEEPING.search(words) and not _EDIT.search(words):
        return Ruling("UNSUPPORTED", f"{of_write(last)}; the record does not show that it holds throughout")
    named = [n for n in names(text) if n in spans(text)]
    texts = [w.event.added for w in writes]
    fewer = _other_number(words, texts)
    if fewer is not None:
        return Ruling("UNSUPPORTED", f"{of_write(last)}: {fewer} tests were written there")
    if named and any(texts):
        content = _content(named, writes)
        if content is None and not (_CREATED.search(words) or _REMOVED.search(words) or _EDIT.search(words)):
            return Ruling("UNSUPPORTED", f"{of_write(last)}, without {named[0]!r}")
    elif not _EDIT.search(words) and not named:
        return Ruling("UNSUPPORTED", f"{of_write(last)}; the record does not show what it says")
    return Ruling("SUPPORTED", of_write(last))


def _other_number(words: str, texts: list[str]) -> int | None:
    """``added 12 tests``: how many were written, where that is another number (subtests are not counted: more may be said)."""
    said = re.search(
        r"\badd\w*\b[^.]{0,20}?(?<![\w.-])(\d+) (?:new |unit |integration |regression |more )*tests?\b", words, _I
    )
    written = sum(
        len(
            re.findall(
                r"^\s*(?:async )?(?:def test_|func Test|(?:it|test)\(|#\[test\]|@Test\b|public function test)",
                t,
                re.MULTILINE,
            )
        )
        for t in texts
    )
    return written if said and written and int(said[1]) != written else None


def _tested(text: str, named: list[str], touched: dict[str, list[Written]], journal: Journal) -> Ruling | None:
    """``tests/test_x.py: checks that ...``: the passing run after its last edit holds that file."""
    tests = [p for p in named if _TEST_PATH.search(p)]
    if not tests or len(tests) != len(named) or not all(touched[p] for p in tests):
        return None
    if re.search(
        r"\b(?:added|created|wrote|new|updated|removed|renamed|moved|changed|extended|refactored|replaced|fixed)\b",
        prose(text),
        _I,
    ):
        return None
    last = max((w for p in tests for w in touched[p]), key=lambda w: w.seq)
    runs = [
        c for c in journal.checks if "test" in c.kinds and c.seq > last.seq and c.seen.result in {"PASSED", "FAILED"}
    ]
    if not runs:
        return Ruling("UNSUPPORTED", f"{of_write(last)}; no test ran after it")
    run = runs[-1]
    if run.seen.result == "PASSED" and (run.whole or any(t.rsplit("/", 1)[-1] in run.seen.command for t in tests)):
        edit = edited_after(run.seq, journal)
        if edit:
            return Ruling("STALE", f"{of_check(run)}; then {edit}", run.seen.command)
        return Ruling("SUPPORTED", of_check(run), run.seen.command)
    return Ruling("UNSUPPORTED", of_check(run), run.seen.command)


def _proof(write: Written, journal: Journal) -> Check | None:
    """A check that failed before the write (or was asked about) and passed after it, with no edit since."""
    after = [c for c in journal.checks if c.seq > write.seq and c.seen.result == "PASSED"]
    before = [c for c in journal.checks if c.seq < write.seq and c.seen.result == "FAILED"]
    for check in reversed(after):
        if check.seen.kind in {"lint", "types"}:
            continue
        red = [c for c in before if c.seen.kind == check.seen.kind and _same_tool(c, check)]
        later = [c for c in journal.checks if c.seq > check.seq and c.seen.result == "FAILED" and _same_tool(c, check)]
        if red and not later:
            return check
    return None


def _same_tool(a: Check, b: Check) -> bool:
    return a.seen.command == b.seen.command or bool(set(a.seen.command.split()[:2]) & set(b.seen.command.split()[:2]))


def _by_shell(text: str, named: list[str], journal: Journal) -> Ruling | None:
    """A command wrote the file (a script, ``sed -i``), and a later one shows the names in it."""
    words = names(text)
    if not words or not _EDIT.search(prose(text)):
        return None
    for path in named:
        base = path.replace("\\", "/").rsplit("/", 1)[-1]
        about = [r for r in journal.ran if r.executed and r.ok is not False and base in r.command]
        wrote = [r for r in about if re.search(r"\bsed -i|\bopen\(|write_text|>\s*\S|\bperl -p?i", r.command)]
        shown = [r for r in about if wrote and r.seq > wrote[0].seq and all(_stands_in(w, r.output) for w in words)]
        if shown:
            return Ruling("SUPPORTED", f"{of_run(wrote[0])}; {of_run(shown[-1])}")
    return None


def _content(words: list[str], writes: list[Written]) -> Ruling | None:
    """Every code name of the statement stands in what was written (plans and notes count only where nothing else was)."""
    writes = [w for w in writes if not is_document(w.event.path)] or writes
    shown = [f"{w.event.added}\n{w.event.around}\n{_stem(w.event.path)}" for w in writes]
    hit = [w for w in writes if any(_stands_in(word, w.event.added) for word in words)]
    if not hit or not all(any(_stands_in(word, t) for t in shown) for word in words) or not _telling(words, hit):
        return None
    return Ruling("SUPPORTED", f"{of_write(hit[-1])} with {', '.join(words[:3])}")


def _stem(path: str) -> str:
    """``InvoiceMapper`` of ``src/InvoiceMapper.java``: a file that is called after what it defines."""
    return path.replace("\\", "/").rsplit("/", 1)[-1].split(".")[0]


def _telling(words: list[str], hit: list[Written]) -> bool:
    """Plain words (``status``) stand everywhere: alone they tell only where one file alone was given them."""
    if len(words) > 1 or re.search(r"[_.\d()/*:=-]|[a-z][A-Z]|\s", words[0].strip("`")):
        return True
    return len({w.event.path for w in hit}) == 1 and not _TEST_PATH.search(hit[-1].event.path)


def _stands_in(word: str, text: str) -> bool:
    bare = re.sub(r"\(.*\)$", "", word).rstrip("/").strip("\"'")
    return word in text or (len(bare) > 2 and " ".join(bare.split()) in _squeezed(text))  # noqa: PLR2004 - two letters stand everywhere


@lru_cache(maxsize=256)
def _squeezed(text: str) -> str:
    """Columns aligned with spaces read like one space."""
    return re.sub(r"[ \t]+", " ", text)


def _nothing_there(text: str, named: list[str], journal: Journal) -> Ruling | None:
    """The files that it speaks of were not written: a contradiction only where that is beyond doubt."""
    refused = [w for w in journal.written if not w.ok and any(same_path(w.event.path, p) for p in named)]
    if not _EDIT.search(prose(text)) and not _BEHAVIOUR.search(prose(text)):
        return Ruling("UNSUPPORTED", f"nothing that ran shows it; no write to {named[0]}")
    by_shell = any(p.rsplit("/", 1)[-1] in r.command for r in journal.ran for p in named)
    whole_session = not journal.subagents and not journal.compactions
    if refused and _DIRECT.match(text) and not by_shell:
        return Ruling("CONTRADICTED", f"the write failed: {of_write(refused[-1])}")
    files = all(re.search(r"\.\w+$", p) for p in named)
    if _DIRECT.match(text) and files and whole_session and not by_shell and not _shell_wrote(journal):
        return Ruling("CONTRADICTED", f"no change in {', '.join(named[:3])} in this session")
    return Ruling("UNSUPPORTED", f"no write to {', '.join(named[:3])} in this session")


def _shell_wrote(journal: Journal) -> bool:
    """Some command may have changed files in ways that its text does not tell."""
    return any(w.event.via == "shell" for w in journal.written) or any(
        re.search(
            r"\bsed -i|\bpython3? (?:-c|-|<<)|\bgit (?:apply|checkout|merge|pull|rebase|mv|stash|cherry-pick)|\b(?:npx|make|node|perl|patch)\b|--fix|--write|\bfmt\b|>",
            r.command,
        )
        for r in journal.ran
        if r.ok is not False
    )


def _reverted(named: list[str], seq: int, journal: Journal) -> str | None:
    for ran in journal.ran:
        if (
            ran.seq > seq
            and ran.ok is not False
            and re.search(r"\bgit (?:-C \S+ )?(?:checkout (?:\S+ )?-- |restore )", ran.command)
        ):
            hit = next((p for p in named if p.rsplit("/", 1)[-1] in ran.command), None)
            if hit and "--staged" not in ran.command:
                return f"{hit} was put back afterwards: `{ran.text}` (record {ran.record})"
    return None
