"""What is missing for Spark is said in one sentence, and which letters need composing is known."""

import builtins
import re
import socket
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError, ParameterError
from discreet.scale import spark_session
from discreet.scale.spark_session import composable, java_version, refuse_missing, refuse_silent

PATTERN = re.compile(
    re.sub(r"\\x\{([0-9a-f]+)\}", lambda found: f"\\U{int(found[1], 16):08x}", composable())
)


@given(st.text())
def test_a_text_without_these_letters_is_in_its_form(text: str) -> None:
    assert PATTERN.search(text) or unicodedata.is_normalized("NFC", text)


@given(st.text(min_size=1))
def test_a_text_that_is_taken_apart_is_noticed(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    assert PATTERN.search(apart) or apart == unicodedata.normalize("NFC", text)


def test_an_address_is_one_of_spark() -> None:
    with pytest.raises(ParameterError, match=r"sc://HOST:PORT, got 'http://x'"):
        refuse_missing("http://x")


def test_an_address_where_nobody_answers_is_one_sentence_at_once() -> None:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))  # taken, and nobody listens
        port = asked.getsockname()[1]
        for where in (f"sc://127.0.0.1:{port}", f"spark://127.0.0.1:{port},127.0.0.1:{port}"):
            with pytest.raises(DataError, match=f"^nobody answers at {where}; start Spark"):
                refuse_silent(where)
        asked.listen()
        refuse_silent(f"sc://127.0.0.1:{port}/;user_id=me")
        refuse_silent("spark")


@pytest.mark.parametrize("where", ["spark://:7077", "sc://", "spark://host:port"])
def test_half_an_address_is_refused(where: str) -> None:
    with pytest.raises(ParameterError, match="sc://HOST:PORT, got"):
        refuse_silent(where)


@pytest.mark.parametrize(("found", "said"), [(None, "there is none here"), (11, "version 11")])
def test_java_that_is_missing_or_old_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, found: int | None, said: str
) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setattr(spark_session, "java_version", lambda: found)
    with pytest.raises(ParameterError, match=rf"Java 17 or newer, and .*{said}"):
        refuse_missing("spark")
    refuse_missing("sc://somewhere")  # Java is at the other end


def test_pyspark_that_is_missing_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pyspark":
            raise ImportError
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ParameterError, match=r"pip install 'discreet\[spark\]'"):
        refuse_missing("spark")


@pytest.mark.parametrize(
    ("told", "version"),
    [('openjdk version "17.0.21" 2026', 17), ('java version "1.8.0_4"', 8), ("what?", None)],
)
def test_the_version_of_java_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: str, version: int | None
) -> None:
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho '{told}' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_version() == version


def test_no_java_at_all_has_no_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_version() is None
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java_version() is None
