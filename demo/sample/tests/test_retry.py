from billing.retry import delay


def test_first_wait_is_a_second():
    assert delay(1) == 1


def test_backoff_doubles():
    assert [delay(n) for n in (1, 2, 3, 4)] == [1, 2, 4, 8]


def test_backoff_is_capped():
    assert delay(10) == 60
