"""A session of Spark by its address, or one sentence that says what is missing for it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import unicodedata
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from discreet.errors import DataError, ParameterError
from discreet.io.parquet import hushed
from discreet.scale.limits import bytes_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ADDRESSES = ("spark://", "sc://")
"""How the address of a master and that of a Connect server begin."""
PORTS = {"spark": 7077, "sc": 15002}
"""Where a master and a Connect server listen unless they are told otherwise."""
PATIENCE = 5
"""Seconds in which an address must answer."""
JAVA = 17
"""The least version of Java that Spark runs on."""


def spark_session(where: str, memory: str, scratch: Path) -> "SparkSession":
    """Return a new session: ``spark`` on this machine, of a master, or of a Connect server."""
    refuse_missing(where)
    refuse_silent(where)
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    try:
        if where.startswith("sc://"):
            return SparkSession.builder.remote(where).getOrCreate()
        builder = SparkSession.builder.master("local[*]" if where == "spark" else where)
        for name, value in _settings(where, memory, scratch).items():
            builder = builder.config(name, value)
        with hushed():  # what it says while it starts is for its log
            session = builder.appName("discreet").getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        msg = f"there is no Spark to work with at {where} ({type(error).__name__}); is it started?"
        raise DataError(msg) from None
    session.sparkContext.setLogLevel("OFF")
    return session


def _settings(where: str, memory: str, scratch: Path) -> dict[str, str]:
    """Return the settings of a session that is begun here."""
    common = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.driver.maxResultSize": "0",
        "spark.driver.memory": f"{bytes_of(memory) // 1_000_000}m",
        # only its owner may look into it: private rows are spilled there
        "spark.local.dir": str(scratch),
        # a release is written where the driver says, whole or not at all
        "spark.hadoop.mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
    }
    if where != "spark":
        return common
    cores = os.cpu_count() or 1
    return common | {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": str(4 * cores),
    }


def refuse_missing(where: str) -> None:
    """Refuse what is no address of Spark, and a machine that lacks what it takes.

    Connect needs no Java here: it is at the other end.
    """
    if where != "spark" and not where.startswith(ADDRESSES):
        msg = f"`engine` must be spark, spark://HOST:PORT or sc://HOST:PORT, got {where!r}"
        raise ParameterError(msg, parameter="engine")
    try:
        import pyspark  # noqa: F401
    except ImportError:
        msg = "the engine spark needs pyspark, which is missing: pip install 'discreet[spark]'"
        raise ParameterError(msg, parameter="engine") from None
    if where.startswith("sc://"):
        return
    version = java_version()
    if version is None or version < JAVA:
        here = "there is none here" if version is None else f"here is version {version}"
        msg = (
            f"the engine spark needs Java {JAVA} or newer, and {here}; install it from your "
            "system (on Debian openjdk-17-jre-headless), or name a Connect server by sc://"
        )
        raise ParameterError(msg, parameter="engine")


def refuse_silent(where: str) -> None:
    """Refuse an address at which nobody answers, which Spark itself would try for minutes."""
    scheme, remote, rest = where.partition("://")
    masters = rest.split("/")[0].split(",") if remote else []
    try:
        asked = [(url.hostname, url.port) for url in map(urlsplit, map("//{}".format, masters))]
    except ValueError:
        asked = [(None, None)]
    if not all(host for host, _ in asked):
        msg = f"`engine` must be spark, spark://HOST:PORT or sc://HOST:PORT, got {where!r}"
        raise ParameterError(msg, parameter="engine")
    for host, port in asked:
        with suppress(OSError), socket.create_connection((host, port or PORTS[scheme]), PATIENCE):
            return
    if asked:
        raise DataError(f"nobody answers at {where}; start Spark there, or check the address")


def java_version() -> int | None:
    """Return the version of the Java that Spark would take; None where there is none."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None:
        return None
    try:
        output = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', output.stderr)
    return int(match[1]) if match else None


@cache
def composable() -> str:
    """Return a pattern of the letters by which a text may not be in the form NFC.

    Spark cannot normalise. Whatever holds none of these is in the form, and compared as it is.
    """
    letters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    forms = [unicodedata.decomposition(letter).split() for letter in letters]
    # what a composed letter ends with may be composed with a letter before it
    ends = {chr(int(codes[-1], 16)) for codes in forms if len(codes) == 2 and codes[0][0] != "<"}
    odd = [
        ord(letter)
        for letter in letters
        if unicodedata.combining(letter)
        or unicodedata.normalize("NFC", letter) != letter
        or letter in ends
        or 0x1161 <= ord(letter) <= 0x11C2  # letters of Hangul are composed by rule
    ]
    return "[" + "".join(f"\\x{{{a:x}}}-\\x{{{b:x}}}" for a, b in _ranges(odd)) + "]"


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the runs of ascending numbers.

    >>> _ranges([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
