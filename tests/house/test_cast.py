"""What tests need is skipped where it is missing, and a failure where it is required."""

from __future__ import annotations

import pytest

import cast


@pytest.fixture
def nothing(monkeypatch):
    """A machine without data, browser, database and Spark."""
    monkeypatch.delenv("ASKPOINT_DATA", raising=False)
    monkeypatch.delenv("ASKPOINT_REQUIRE", raising=False)
    monkeypatch.setenv("ASKPOINT_POSTGRES", "postgresql://nobody@127.0.0.1:1/none")
    monkeypatch.setenv("PATH", "")
    return monkeypatch


@pytest.mark.parametrize("name", ["data", "chromium", "postgres", "spark", "weka"])
def test_what_is_missing_is_skipped_unless_required(name, nothing):
    with pytest.raises(pytest.skip.Exception, match=f"no {name}"):
        cast.require(name)
    nothing.setenv("ASKPOINT_REQUIRE", "data,chromium,postgres,spark,weka")
    with pytest.raises(pytest.fail.Exception, match=f"{name} is required and missing"):
        cast.require(name)


def test_a_slip_in_what_is_required_fails(nothing):
    nothing.setenv("ASKPOINT_REQUIRE", "data,postgress")
    with pytest.raises(
        pytest.fail.Exception, match="known are data, chromium, postgres, spark, weka"
    ):
        cast.require("data")


def test_what_is_there_is_returned(nothing, tmp_path):
    (tmp_path / "README.md").touch()
    nothing.setenv("ASKPOINT_DATA", str(tmp_path))
    assert cast.data_folder() == tmp_path


@pytest.mark.parametrize("name", ["data", "chromium", "postgres"])
def test_this_machine_has_what_is_required(name, request):
    assert request.getfixturevalue(name)
