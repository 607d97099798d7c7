"""What a shell line obviously writes; a line that only mentions a path writes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.rules.shell_writes import writes

WRITES = [
    ("cat > a.md <<EOF\nx > not.this\nEOF", ["a.md"]),
    ("cat <<EOF > q\nx\nEOF", ["q"]),
    ('echo x >> "a b.txt" 2>&1', ["a b.txt"]),
    ("> empty", ["empty"]),
    ("make &> all.log", ["all.log"]),
    ("echo x >| forced", ["forced"]),
    ("exec 3> f", ["f"]),
    ("a > b > c", ["b", "c"]),
    ("echo x | tee -a y z >/dev/null", ["y", "z"]),
    ("sed -i 's/a/b/' x y", ["x", "y"]),
    ("sed -i.bak -e s/a/b/ x", ["x"]),
    ("sed --in-place=.orig s/a/b/ x", ["x"]),
    ("perl -pi -e 's/a/b/' f", ["f"]),
    ("cp a b", ["b"]),
    ("cp -t dir a b", ["dir"]),
    ("mv a b", ["b", "a"]),
    ("rm -rf src/old 'odd*name'", ["src/old", "odd*name"]),
    ("touch -d yesterday n", ["n"]),
    ("truncate -s 0 log", ["log"]),
    ("dd if=/dev/zero of=disk bs=1", ["disk"]),
    ("ln -s ../x link", ["link"]),
    ("install -m 755 a b", ["b"]),
    ("chmod +x run.sh", ["run.sh"]),
    ("git rm -q x", ["x"]),
    ("git mv x y", ["y", "x"]),
    ("git checkout HEAD~1 -- a b", ["a", "b"]),
    ("git restore --source=HEAD a", ["a"]),
    ("sort -o out in", ["out"]),
    ("curl -sS -o page.html https://example.org", ["page.html"]),
    ("black src/a.py && gofmt -w b.go && npx prettier --write c.ts", ["src/a.py", "b.go", "c.ts"]),
    ('bash -lc "echo hi > in.txt"', ["in.txt"]),
    ("env A=1 timeout 5 sudo tee out < in", ["out"]),
    ("echo $(cat x > inner)", ["inner"]),
    ("if true; then rm a; else rm b; fi", ["a", "b"]),
    ("for f in 1 2; do touch fixed; done", ["fixed"]),
    ("(cd x && touch y) || rm z", ["y", "z"]),
    ("sed -i '' s/a/b/ x", ["x"]),
    ("sed -i -E s/a/b/ x", ["x"]),
    ("sed -Ei s/a/b/ x", ["x"]),
    ("perl -0777 -pi -e s/a/b/ x", ["x"]),
    ("cd $D && touch /abs x", ["/abs"]),
    ("pushd /tmp; touch y; popd; touch x", ["y", "x"]),
]
READS = [
    "",
    "ls -la > /dev/null 2>&1",
    "npm test 2>&1 | tail -5",
    'echo "rm README.md > x"',
    "grep -rn 'tee out' src",
    'git commit -m "rm migrations/1.sql; echo > x"',
    "git log -- migrations/",
    "git rm -n x",
    'cd "$(mktemp -d)" && touch x',
    "cd $DIR && touch x && cd sub && touch y",
    "cd - && touch x",
    'D=$(mktemp -d); cd "$D"; echo x > y',
    "popd; rm x",
    "docker run --rm -v .:/x image touch y",
    "docker compose exec web sh -c 'echo x > y'",
    "sudo podman exec c rm y",
    "ssh host rm y",
    "rsync -a docs/ host:/docs/",
    "rsync -av docs/ me@host:y",
    "rsync -an docs/ y",
    "isort --check-only .",
    "black .",
    "perl -MList::Util=sum -ne 'print 1' x",
    "perl -Mbigint -e 'print 1' x",
    "[[ a > b ]]",
    "(( a > b ))",
    "awk '$1 > 5' x",
    "jq '.a > 5' x.json",
    "grep -c x <<< 'a > b'",
    "cat <<'EOF'\nrm x > y\nEOF",
    "gh pr create --body \"$(cat <<'EOF'\n> rm x\nEOF\n)\"",
    "git checkout main",
    "git restore --staged a",
    "sed -n 1,20p x",
    "python -c \"open('x','w')\"",
    "find . -name '*.pyc' | xargs rm",
    'echo x > "$OUT"',
    "rm $f",
    "cat <(echo a) - < input",
    "gofmt -l b.go",
    "black --check a.py",
    "# rm everything",
    "cp a",
    "perl -e 'print 1' f",
]


@pytest.mark.parametrize(("line", "paths"), WRITES)
def test_obvious_writes(line, paths):
    assert [target.path for target in writes(line)] == paths


@pytest.mark.parametrize("line", READS)
def test_lines_that_write_nothing_obvious(line):
    assert writes(line) == []


def test_where_a_cd_went_and_what_the_shell_would_expand():
    first, second, third = writes("cd sub && (cd x; rm a*) && touch b; cp p/q dir/")
    assert (first.path, first.folder, first.glob) == ("a*", "sub/x", True)
    assert (second.path, second.folder, second.glob) == ("b", "sub", False)
    assert (third.path, third.of) == ("dir/", ("q",))


@given(st.text(max_size=80))
def test_any_text_is_read(text):
    assert isinstance(writes(text), list)
