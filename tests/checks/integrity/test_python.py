"""A7: weakened, skipped and deleted tests are found; refactors are not called weakened. Python."""

from __future__ import annotations

import pytest

from support.integrity import findings, found, grave

HEAD = "import pytest\nimport unittest\nfrom unittest import mock\nfrom app import f, g, load\n\n\n"


def body(*lines: str) -> str:
    return "def test_it():\n" + "".join(f"    {line}\n" for line in lines)


def method(*lines: str) -> str:
    return "class TestIt(unittest.TestCase):\n    def test_it(self):\n" + "".join(f"        {line}\n" for line in lines)


WEAKENINGS = [
    ("equal to truthy", body("assert f(1) == 3"), body("assert f(1)"), "weakened/weaker"),
    ("equal to in", body("assert f(1) == 3"), body("assert f(1) in (3, 4)"), "weakened/weaker"),
    ("equal to not none", body("assert f(1) == 3"), body("assert f(1) is not None"), "weakened/weaker"),
    ("equal to isinstance", body("assert f(1) == 3"), body("assert isinstance(f(1), int)"), "weakened/weaker"),
    ("equal to length", body("assert load() == [1, 2]"), body("assert len(load()) == 2"), "weakened/weaker"),
    ("equal to compare", body("assert f(1) == 3"), body("assert f(1) > 0"), "weakened/weaker"),
    ("equal to unequal", body("assert f(1) == 3"), body("assert f(1) != 3"), "weakened/weaker"),
    ("nothing to anything but that", body("assert f(1) == 0"), body("assert f(1) != 0"), "weakened/weaker"),
    ("empty to anything but that", body("assert load() == []"), body("assert load() != []"), "weakened/weaker"),
    ("nothing to more", body("assert f(1) == 0"), body("assert f(1) >= 0"), "weakened/weaker"),
    ("equal to approx", body("assert f(1) == 0.3"), body("assert f(1) == pytest.approx(0.3)"), "weakened/weaker"),
    ("equal to startswith", body("assert g() == 'abc'"), body("assert g().startswith('a')"), "weakened/weaker"),
    ("or", body("assert f(1) == 3"), body("assert f(1) == 3 or f(1) == 4"), "weakened/weaker"),
    ("tolerance", body("assert f(1) == pytest.approx(3)"), body("assert f(1) == pytest.approx(3, rel=0.5)"),
     "weakened/tolerance"),
    ("larger tolerance", body("assert f(1) == pytest.approx(3, abs=0.1)"),
     body("assert f(1) == pytest.approx(3, abs=2)"), "weakened/tolerance"),
    ("distance", body("assert abs(f(1) - 3) < 0.1"), body("assert abs(f(1) - 3) < 5"), "weakened/tolerance"),
    ("places", method("self.assertAlmostEqual(f(1), 3, places=5)"), method("self.assertAlmostEqual(f(1), 3, places=1)"),
     "weakened/tolerance"),
    ("bound", body("assert f(1) < 3"), body("assert f(1) < 30"), "weakened/bound"),
    ("lower bound", body("assert f(1) >= 3"), body("assert f(1) >= 1"), "weakened/bound"),
    ("removed", body("x = f(1)", "assert x == 3", "assert g(x) == 4"), body("x = f(1)", "assert x == 3"),
     "weakened/removed"),
    ("one of several equal ones", body("x = f(1)", "assert x == 3", "x = g(x)", "assert x == 3"),
     body("x = f(1)", "x = g(x)", "assert x == 3"), "weakened/removed"),
    ("one of several equal ones weaker", body("x = f(1)", "assert x == 3", "x = g(x)", "assert x == 3"),
     body("x = f(1)", "assert x", "x = g(x)", "assert x == 3"), "weakened/weaker"),
    ("commented", body("x = f(1)", "assert x == 3"), body("x = f(1)", "# assert x == 3"), "weakened/removed"),
    ("emptied", body("assert f(1) == 3"), body("pass"), "weakened/removed"),
    ("constant", body("assert f(1) == 3"), body("f(1)", "assert True"), "weakened/removed"),
    ("tautology", body("assert f(1) == 3"), body("assert f(1) == f(1)"), "weakened/trivial"),
    ("early return", body("x = f(1)", "assert x == 3"), body("x = f(1)", "return", "assert x == 3"),
     "weakened/unreachable"),
    ("try", body("assert f(1) == 3"), body("try:", "    assert f(1) == 3", "except AssertionError:", "    pass"),
     "weakened/swallowed"),
    ("try everything", body("assert f(1) == 3"), body("try:", "    assert f(1) == 3", "except Exception:", "    print('x')"),
     "weakened/swallowed"),
    ("condition", body("assert f(1) == 3"), body("if g():", "    assert f(1) == 3"), "weakened/conditional"),
    ("broader error", body("with pytest.raises(ValueError):", "    f(1)"),
     body("with pytest.raises(Exception):", "    f(1)"), "weakened/broader"),
    ("more errors", body("with pytest.raises(ValueError):", "    f(1)"),
     body("with pytest.raises((ValueError, TypeError)):", "    f(1)"), "weakened/broader"),
    ("match removed", body("with pytest.raises(ValueError, match='no'):", "    f(1)"),
     body("with pytest.raises(ValueError):", "    f(1)"), "weakened/weaker"),
    ("raises removed", body("with pytest.raises(ValueError):", "    f(1)"), body("f(1)"), "weakened/removed"),
    ("skip", body("assert f(1) == 3"), "@pytest.mark.skip(reason='later')\n" + body("assert f(1) == 3"), "skipped/skip"),
    ("unittest skip", method("self.assertEqual(f(1), 3)"),
     method("self.assertEqual(f(1), 3)").replace("    def", "    @unittest.skip('x')\n    def"), "skipped/skip"),
    ("skipif", body("assert f(1) == 3"), "@pytest.mark.skipif(not g(), reason='x')\n" + body("assert f(1) == 3"),
     "skipped/skipif"),
    ("skip on this system", body("assert f(1) == 3"),
     "@pytest.mark.skipif(sys.platform == 'linux', reason='x')\n" + body("assert f(1) == 3"), "skipped/skipif"),
    ("xfail", body("assert f(1) == 3"), "@pytest.mark.xfail\n" + body("assert f(1) == 3"), "skipped/xfail"),
    ("skip inside", body("assert f(1) == 3"), body("pytest.skip('x')", "assert f(1) == 3"), "skipped/skip"),
    ("skipTest inside", method("self.assertEqual(f(1), 3)"), method("self.skipTest('x')", "self.assertEqual(f(1), 3)"),
     "skipped/skip"),
    ("whole class", method("self.assertEqual(f(1), 3)"), "@pytest.mark.skip\n" + method("self.assertEqual(f(1), 3)"),
     "skipped/skip"),
    ("whole module", body("assert f(1) == 3"), "pytestmark = pytest.mark.skip\n" + body("assert f(1) == 3"),
     "skipped/skip"),
    ("not collected", method("self.assertEqual(f(1), 3)"),
     method("self.assertEqual(f(1), 3)").replace("    def", "    __test__ = False\n\n    def"), "skipped/uncollected"),
    ("renamed away", body("assert f(1) == 3"), body("assert f(1) == 3").replace("test_it", "_test_it"),
     "skipped/uncollected"),
    ("deleted", body("assert f(1) == 3") + "\n\n" + body("assert g() == 1").replace("_it", "_other"),
     body("assert g() == 1").replace("_it", "_other"), "deleted/deleted"),
    ("shadowed", body("assert f(1) == 3"), body("assert f(1) == 3") + "\n\n" + body("assert f(1)"), "weakened/weaker"),
    ("rows", "@pytest.mark.parametrize('a,b', [(1, 2), (3, 4)])\n" + body("assert f(a) == b"),
     "@pytest.mark.parametrize('a,b', [(1, 2)])\n" + body("assert f(a) == b"), "weakened/rows"),
    ("rows by name", "CASES = [(1, 2), (3, 4)]\n@pytest.mark.parametrize('a,b', CASES)\n" + body("assert f(a) == b"),
     "CASES = [(1, 2)]\n@pytest.mark.parametrize('a,b', CASES)\n" + body("assert f(a) == b"), "weakened/rows"),
    ("rows of a loop", body("for a in [1, 2, 3]:", "    assert f(a) == 3"), body("for a in [1, 2]:", "    assert f(a) == 3"),
     "weakened/rows"),
    ("mock of what it tests", body("assert f(1) == 3"),
     "@mock.patch('app.f', return_value=3)\n" + body("assert f(1) == 3"), "weakened/mock"),
    ("called with", body("m = mock.Mock()", "f(m)", "m.assert_called_once_with(1)"),
     body("m = mock.Mock()", "f(m)", "m.assert_called()"), "weakened/weaker"),
    ("any", body("m = mock.Mock()", "f(m)", "m.assert_called_with(1)"),
     body("m = mock.Mock()", "f(m)", "m.assert_called_with(mock.ANY)"), "weakened/wildcard"),
    ("retries", body("assert f(1) == 3"), "@pytest.mark.flaky(reruns=3)\n" + body("assert f(1) == 3"), "weakened/retries"),
    ("timeout", "@pytest.mark.timeout(5)\n" + body("assert f(1) == 3"),
     "@pytest.mark.timeout(50)\n" + body("assert f(1) == 3"), "weakened/timeout"),
    ("unittest equal", method("self.assertEqual(f(1), 3)"), method("self.assertTrue(f(1))"), "weakened/weaker"),
    ("unittest in", method("self.assertEqual(f(1), 3)"), method("self.assertIn(f(1), (3, 4))"), "weakened/weaker"),
    ("numpy", body("np.testing.assert_array_equal(f(1), 3)"), body("np.testing.assert_allclose(f(1), 3, rtol=1)"),
     "weakened/weaker"),
    ("suppressed", body("assert f(1) == 3"), body("with contextlib.suppress(AssertionError):", "    assert f(1) == 3"),
     "weakened/swallowed"),
    ("any message", body("with pytest.raises(ValueError, match='no'):", "    f(1)"),
     body("with pytest.raises(ValueError, match='.*'):", "    f(1)"), "weakened/weaker"),
    ("fewer examples", "@given(st.integers())\n" + body("assert f(1) == 3"),
     "@settings(max_examples=1)\n@given(st.integers())\n" + body("assert f(1) == 3"), "weakened/examples"),
    ("a class with a constructor", "class TestF:\n    def test_it(self):\n        assert f(1) == 3\n",
     "class TestF:\n    def __init__(self):\n        self.x = 1\n\n    def test_it(self):\n        assert f(1) == 3\n",
     "skipped/uncollected"),
    ("taken out below", body("assert f(1) == 3"), body("assert f(1) == 3") + "\n\ntest_it.__test__ = False\n", "skipped/uncollected"),
    ("taken away", body("assert f(1) == 3"), body("assert f(1) == 3") + "\n\ntest_it = None\n", "skipped/uncollected"),
    ("loads none", method("self.assertEqual(f(1), 3)"),
     method("self.assertEqual(f(1), 3)") + "\n\ndef load_tests(a, b, c):\n    return unittest.TestSuite()\n", "skipped/uncollected"),
    ("a row is skipped", "@pytest.mark.parametrize('a,b', [(1, 2), (3, 4)])\n" + body("assert f(a) == b"),
     "@pytest.mark.parametrize('a,b', [(1, 2), pytest.param(3, 4, marks=pytest.mark.skip)])\n" + body("assert f(a) == b"),
     "skipped/rows"),
    ("helper", "def check(x):\n    assert x == 3\n    assert g() == 1\n\n\n" + body("check(f(1))"),
     "def check(x):\n    assert x == 3\n\n\n" + body("check(f(1))"), "weakened/removed"),
    ("helper call", "def check(x):\n    assert x == 3\n\n\n" + body("x = f(1)", "check(x)"),
     "def check(x):\n    assert x == 3\n\n\n" + body("x = f(1)"), "weakened/removed"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in WEAKENINGS], ids=[w[0] for w in WEAKENINGS])
def test_what_weakens_a_test_is_found(before, after, expected):
    assert expected in found("tests/test_app.py", HEAD + before, HEAD + after)
    assert grave("tests/test_app.py", HEAD + before, HEAD + after)


EXPECTED = [
    ("value", body("assert f(1) == 3"), body("assert f(1) == 5"), "expected/value"),
    ("the error as expected (A6)", body("assert g() == 'ok'"), body("assert g() == 'error: no such table'"), "expected/value"),
    ("inverted", body("assert f(1)"), body("assert not f(1)"), "expected/inverted"),
    ("unittest", method("self.assertEqual(f(1), 3)"), method("self.assertEqual(f(1), 4)"), "expected/value"),
    ("error", body("with pytest.raises(ValueError):", "    f(1)"), body("with pytest.raises(KeyError):", "    f(1)"),
     "expected/value"),
    ("row", "@pytest.mark.parametrize('a,b', [(1, 2), (3, 4)])\n" + body("assert f(a) == b"),
     "@pytest.mark.parametrize('a,b', [(1, 2), (3, 5)])\n" + body("assert f(a) == b"), "expected/row"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), [w[1:] for w in EXPECTED], ids=[w[0] for w in EXPECTED])
def test_another_expected_value_is_told_as_that(before, after, expected):
    assert expected in found("tests/test_app.py", HEAD + before, HEAD + after)
    assert not grave("tests/test_app.py", HEAD + before, HEAD + after)


NOTHING = [
    ("quotes", body("assert g() == 'a'"), body('assert g() == "a"')),
    ("layout", body("assert f(1, 2) == 3"), body("assert (", "    f(", "        1,", "        2,", "    )", "    == 3", ")")),
    ("comments in brackets", body("assert f(1) == 3"), body("assert (", "    f(1) == 3  # three", ")")),
    ("comments before it", body("assert f(1) == 3"), body("assert (", "    # three", "    f(1)", "    # is", "    == 3", ")")),
    ("comments", body("assert f(1) == 3"), body("# why", "assert f(1) == 3  # three")),
    ("docstring", body("assert f(1) == 3"), body('"""Says three."""', "assert f(1) == 3")),
    ("annotation", body("assert f(1) == 3"), body("assert f(1) == 3").replace("():", "() -> None:")),
    ("yoda", body("assert 3 == f(1)"), body("assert 3 == f(1)")),
    ("message", body("assert f(1) == 3"), body("assert f(1) == 3, 'it is not three'")),
    ("order of tests", body("assert f(1) == 3") + "\n\n" + body("assert g() == 1").replace("_it", "_other"),
     body("assert g() == 1").replace("_it", "_other") + "\n\n" + body("assert f(1) == 3")),
    ("imports sorted", "import os\nimport abc\n" + body("assert f(1) == 3"), "import abc\nimport os\n" + body("assert f(1) == 3")),
    ("renamed test", body("x = f(1)", "assert x == 3"), body("x = f(1)", "assert x == 3").replace("test_it", "test_three")),
    ("into a class", body("x = f(1)", "assert x == 3"),
     "class TestF:\n    def test_it(self):\n        x = f(1)\n        assert x == 3\n"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [n[1:] for n in NOTHING], ids=[n[0] for n in NOTHING])
def test_formatting_and_moving_change_nothing(before, after):
    assert found("tests/test_app.py", HEAD + before, HEAD + after) == set()


REFACTORS = [
    ("variable renamed", body("result = f(1)", "assert result == 3"), body("out = f(1)", "assert out == 3")),
    ("variable inlined", body("x = f(1)", "assert x == 3"), body("assert f(1) == 3")),
    ("one row more", "@pytest.mark.parametrize('a,b', [(1, 2)])\n" + body("assert f(a) == b"),
     "@pytest.mark.parametrize('a,b', [(1, 2), (3, 4)])\n" + body("assert f(a) == b")),
    ("stronger", body("assert f(1)"), body("assert f(1) == 3")),
    ("said twice", body("x = f(1)", "assert x == 3", "assert x == 3"), body("x = f(1)", "assert x == 3")),
    ("folded into rows", body("with pytest.raises(E):", "    f(1)", "x = g()", "with pytest.raises(E):", "    f(2)"),
     "@pytest.mark.parametrize('a', [1, 2])\n" + body("with pytest.raises(E):", "    f(a)")),
    ("split", body("assert f(1) == 3 and g() == 1"), body("assert f(1) == 3", "assert g() == 1")),
    ("is true", body("assert f(1) == True"), body("assert f(1)")),
    ("empty", body("assert load() == []"), body("assert not load()")),
    ("pairs at once", body("a, b = f(1), g()", "assert a == 3", "assert b == 4"),
     body("a, b = f(1), g()", "assert (a, b) == (3, 4)")),
    ("pairs apart", body("a, b = f(1), g()", "assert (a, b) == (3, 4)"),
     body("a, b = f(1), g()", "assert a == 3", "assert b == 4")),
    ("rows with names", "@pytest.mark.parametrize('a,b', [(3, 4), (1, 2)])\n" + body("assert f(a) == b"),
     "@pytest.mark.parametrize('a,b', [pytest.param(1, 2, id='one'), pytest.param(3, 4, id='two')])\n" + body("assert f(a) == b")),
    ("more examples", "@given(st.integers())\n" + body("assert f(1) == 3"),
     "@settings(max_examples=500, deadline=None)\n@given(st.integers())\n" + body("assert f(1) == 3")),
    ("a mark of asyncio", "async " + body("assert f(1) == 3"), "@pytest.mark.asyncio\nasync " + body("assert f(1) == 3")),
    ("suppressed another", body("assert f(1) == 3"),
     body("with contextlib.suppress(FileNotFoundError):", "    g()", "assert f(1) == 3")),
    ("loads more", method("self.assertEqual(f(1), 3)"),
     method("self.assertEqual(f(1), 3)") + "\n\ndef load_tests(a, tests, c):\n    tests.addTests(x)\n    return tests\n"),
    ("a constant of that beginning", body("assert f(1) == 3"), "test_it_too = 1\n" + body("assert f(1) == 3")),
    ("to pytest", method("self.assertEqual(f(1), 3)"), "class TestIt:\n    def test_it(self):\n        assert f(1) == 3\n"),
    ("parametrised", body("assert f(1) == 2") + "\n\n" + body("assert f(3) == 4").replace("_it", "_other"),
     "@pytest.mark.parametrize(('a', 'b'), [(1, 2), (3, 4)])\n" + body("assert f(a) == b")),
    ("into a helper", body("x = f(1)", "assert x.a == 3", "assert x.b == 4"),
     "def check(x):\n    assert x.a == 3\n    assert x.b == 4\n\n\n" + body("check(f(1))")),
    ("other set-up", body("x = load('a')", "assert x == 3"), body("x = load('b')", "assert x == 3")),
    ("whole value", body("x = load()", "assert x.a == 1", "assert x.b == 2"), body("assert load() == X(a=1, b=2)")),
    ("moved with its class", method("self.assertEqual(f(1), 3)"), method("self.assertEqual(f(1), 3)").replace("TestIt", "TestF")),
    ("skip gone", "@pytest.mark.skip\n" + body("assert f(1) == 3"), body("assert f(1) == 3")),
    ("xfail gone", "@pytest.mark.xfail\n" + body("assert f(1) == 3"), body("assert f(1) == 3")),
    ("tighter", body("assert f(1) == pytest.approx(3, abs=1)"), body("assert f(1) == pytest.approx(3, abs=0.1)")),
    ("tighter bound", body("assert f(1) < 30"), body("assert f(1) < 3")),
    ("a skipped one deleted", "@pytest.mark.skip\n" + body("assert f(1) == 3") + "\n\n" + body("assert g() == 1").replace("_it", "_b"),
     body("assert g() == 1").replace("_it", "_b")),
    ("not on Windows", body("assert f(1) == 3"),
     "@pytest.mark.skipif(sys.platform == 'win32', reason='x')\n" + body("assert f(1) == 3")),
    ("try that fails anyway", body("assert f(1) == 3"),
     body("try:", "    assert f(1) == 3", "finally:", "    g()")),
    ("a mock of something else", body("assert f(1) == 3"), "@mock.patch('app.fetch')\n" + body("assert f(1) == 3")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), [r[1:] for r in REFACTORS], ids=[r[0] for r in REFACTORS])
def test_a_refactor_is_not_called_weakened(before, after):
    assert grave("tests/test_app.py", HEAD + before, HEAD + after) == []


def test_a_deleted_file_is_one_line_with_the_number_of_its_tests():
    tests = "\n\n".join(f"def test_{n}():\n    assert f({n}) == {n}\n" for n in range(9))
    (one,) = findings({"tests/test_app.py": HEAD + tests}, {})
    assert (one.kind, one.count, one.blocks) == ("deleted", 9, True)
    assert one.was == "test_0, test_1, test_2 and 6 more"


def test_a_mark_on_a_class_is_one_line_with_the_number_of_its_tests():
    tests = "class TestIt:\n" + "\n".join(f"    def test_{n}(self):\n        assert f({n}) == {n}\n" for n in range(9))
    (one,) = findings({"tests/test_app.py": tests}, {"tests/test_app.py": "@pytest.mark.skip\n" + tests})
    assert (one.kind, one.test, one.count) == ("skipped", "TestIt", 9)


def test_added_assertions_extend():
    before, after = body("x = f(1)", "assert x == 3"), body("x = f(1)", "assert x == 3", "assert g() == 1")
    assert found("tests/test_app.py", HEAD + before, HEAD + after) == {"extended/added"}


def test_a_new_test_is_new_and_counts_its_rows():
    after = "@pytest.mark.parametrize('a', [1, 2, 3])\n" + body("assert f(a) == 3")
    (one,) = findings({"tests/test_app.py": HEAD}, {"tests/test_app.py": HEAD + after})
    assert (one.kind, one.count) == ("new", 3)


def test_a_test_that_moved_to_another_file_is_the_same():
    test = HEAD + body("x = f(1)", "assert x == 3")
    assert findings({"tests/test_a.py": test}, {"tests/test_b.py": test}) == []
    told = findings({"tests/test_a.py": test}, {"tests/test_b.py": test.replace("assert x == 3", "assert x")})
    assert [(f.kind, f.path) for f in told] == [("weakened", "tests/test_b.py")]


def test_a_test_that_went_with_its_subject_is_told_and_does_not_block():
    both = body("assert old_name(1) == 3") + "\n\n" + body("assert g() == 1").replace("_it", "_b")
    left = body("assert g() == 1").replace("_it", "_b")
    (one,) = findings({"tests/test_app.py": both}, {"tests/test_app.py": left}, frozenset({"old_name"}))
    assert (one.kind, one.rule, one.blocks) == ("deleted", "with-its-subject", False)


def test_an_assertion_about_what_the_code_no_longer_has_is_not_weaker():
    before, after = body("x = f(1)", "assert x.retired_field == 3"), body("x = f(1)")
    told = findings({"tests/test_app.py": before}, {"tests/test_app.py": after}, frozenset({"retired_field"}))
    assert [(f.kind, f.rule) for f in told] == [("changed", "subject-gone")]


def test_a_name_that_comes_from_elsewhere_is_told():
    before = "from app import f\n" + body("assert f(1) == 3")
    assert "changed/import" in found("tests/test_app.py", before, before.replace("from app", "from fakes"))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "@pytest.mark.asyncio\nasync " + body("assert f(1) == 3"),
            "async " + body("assert f(1) == 3"),
            "changed/awaited",
        ),
        (body("assert f(1) == 3"), "def f(x):\n    return 3\n\n\n" + body("assert f(1) == 3"), "changed/import"),
    ],
    ids=["nobody waits for it", "its own instead of the code's"],
)
def test_what_no_longer_tests_the_code_is_told(before, after, expected):
    head = HEAD.replace("import f, g", "import f as _f, g") if "def f" in after else HEAD
    assert expected in found("tests/test_app.py", HEAD + before, head + after)


def test_a_value_outside_the_tests_is_told():
    before = "WANTED = 3\n\n\n" + body("assert f(1) == WANTED")
    assert "changed/value" in found("tests/test_app.py", before, before.replace("= 3", "= 5"))


@pytest.mark.parametrize(
    "text", ["", "def (", "\x00\x00", "def test_x(:\n  assert", "(" * 3000, "a = [" * 500, "é" * 50]
)
def test_any_text_can_be_read(text):
    found("tests/test_app.py", HEAD + body("assert f(1) == 3"), text)
    found("tests/test_app.py", text, HEAD + body("assert f(1) == 3"))


@pytest.mark.parametrize(
    ("before", "after", "away"),
    [
        ("src/test/java/a/AddTest.java", "src/test/java/a/AddChecks.java", True),
        ("test/sum.test.ts", "test/sum.tst.ts", True),
        ("test/sum.test.ts", "src/__tests__/sum.ts", False),
        ("src/test/java/a/AddTest.java", "src/test/java/b/TestAdd.java", False),
        ("test/sum.js", "test/add.js", False),
    ],
)
def test_a_file_that_no_runner_looks_for_any_more(before, after, away):
    text = (
        "class A { @Test void a() { assertEquals(3, f(1)); } }"
        if before.endswith("java")
        else "it('a', () => { expect(f(1)).toBe(3); });"
    )
    assert [f.kind for f in findings({before: text}, {after: text})] == (["skipped"] if away else [])


def test_a_private_test_of_junit_5_is_none():
    text = "import org.junit.jupiter.api.Test;\nclass ATest { @Test void a() { assertEquals(3, f(1)); } }"
    assert "skipped/uncollected" in found("ATest.java", text, text.replace("@Test void", "@Test private void"))
