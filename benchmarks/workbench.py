"""The workbench: from a click to its answer, for what needs no publishing, in processor time.

Two of the largest examples are brought in as a person brings them: BMS-WebView-2 and Adult, from
the folder that ``DISCREET_DATA`` names. Each page and each click is measured when it comes first
and when it comes again. Look, Review and sign, and what was compared need a release, so one of each
is published before; that takes minutes and is not measured.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from benchmarks.results import Results
from discreet.web import Session, Workspace, application

BAR = 0.3
"""Seconds from a click to its answer."""
FIRST_BAR = 1.0
"""Seconds to the first page after the server is up."""
AGAIN = 3
"""How often a click comes again; the best counts, for the machine has others to serve."""
HOME = "http://127.0.0.1:8123"
TABLE_ROLES = ("qid", "qid", "", "qid", "", "qid", "sensitive_attributes")
"""What the first columns of Adult are; the others are left out."""


class Visitor:
    """A browser without a window; it tells what each answer costs the server."""

    def __init__(self, root: Path) -> None:
        self.session = Session(port=8123)
        self.app = application(Workspace(root), self.session)
        self.cookies = httpx.Cookies()

    def ask(self, method: str, path: str, **options: Any) -> tuple[float, httpx.Response]:
        """Return the processor time of an answer, and the answer."""

        async def request() -> tuple[float, httpx.Response]:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(
                transport=transport, base_url=HOME, cookies=self.cookies, timeout=None
            ) as client:
                request = client.build_request(method, path, headers={"origin": HOME}, **options)
                begin = time.process_time()
                answer = await client.send(request)
                spent = time.process_time() - begin
                self.cookies = client.cookies
                return spent, answer

        return asyncio.run(request())

    def click(self, method: str, path: str, **options: Any) -> tuple[float, httpx.Response]:
        """Ask, and go where the answer leads, as a browser does."""
        if method == "POST":
            options["data"] = {"csrf": self.session.csrf} | options.get("data", {})
        spent, answer = self.ask(method, path, **options)
        while answer.status_code == 303:
            more, answer = self.ask("GET", answer.headers["location"])
            spent += more
        assert answer.status_code == 200, (path, answer.status_code, answer.text[-2000:])
        return spent, answer


def measured(visitor: Visitor, name: str, method: str, path: str, **options: Any) -> float:
    """Print what a click costs first and again; return the worse of both."""
    first, _ = visitor.click(method, path, **options)
    again = min(visitor.click(method, path, **options)[0] for _ in range(AGAIN))
    over = " over the bar" if max(first, again) > BAR else ""
    print(f"{name:<50} first {first:6.3f} s   again {again:6.3f} s{over}", flush=True)
    return max(first, again)


def brought(visitor: Visitor, file: Path, name: str) -> tuple[str, float]:
    """Bring a file in; return the address of its project and what that cost, with its page."""
    files = {"file": (file.name, file.read_bytes())}
    spent, answer = visitor.click("POST", "/upload", data={"title": name}, files=files)
    over = " over the bar" if spent > BAR else ""
    print(f"{f'{name}: the file, and what it holds':<50} first {spent:6.3f} s{over}", flush=True)
    return str(answer.url).removesuffix("/data"), spent


def ran(visitor: Visitor, at: str, kind: str) -> None:
    """Start a piece of work and wait for it."""
    visitor.click("POST", f"{at}/{kind}")
    # the answer ends when the work did
    _, answer = visitor.ask("GET", f"{at}/events/{kind}")
    assert "Done" in answer.text, answer.text


def sets(visitor: Visitor, folder: Path) -> Iterator[float]:
    """Measure the way of sets."""
    at, spent = brought(visitor, folder / "bms2.dat.gz", "BMS-WebView-2")
    yield spent
    right: dict[str, Any] = {"kind": "sets", "sensitive": ["55267", "55315"]}
    listed = {"chosen": ["55267", "55315", "55279"], "action": "together"}
    hierarchy = f"{at}/hierarchies/1"
    clicks = (
        ("Data: right, go on", "POST", f"{at}/data", right),
        ("Goal: which methods fit", "POST", f"{at}/goal", {"readers": "researchers"}),
        ("Goal: take km-anonymity", "POST", f"{at}/goal", {"method": "km-anonymity"}),
        ("Hierarchies", "GET", f"{at}/hierarchies", None),
        ("Hierarchies: the items", "GET", hierarchy, None),
        ("Hierarchies: made flat", "POST", hierarchy, {"action": "build", "builder": "flat"}),
        ("Hierarchies: made by frequency", "POST", hierarchy,
         {"action": "build", "builder": "frequency", "frequency.groups": "8"}),
        ("Hierarchies: a level looked at", "POST", hierarchy, {"level": "2"}),
        ("Hierarchies: looked for a name", "POST", hierarchy, {"find": "553"}),
        ("Hierarchies: undone", "POST", hierarchy, {"action": "undo"}),
        ("Constraints", "GET", f"{at}/constraints/privacy", None),
        ("Constraints: one added", "POST", f"{at}/constraints/privacy", listed),
        *_later_clicks(at, {"k": "5", "m": "2"}),
    )  # fmt: skip
    yield from _clicked(visitor, "BMS-WebView-2", clicks)
    ran(visitor, at, "exposure")
    ran(visitor, at, "run")
    question = {"question": "55267, 55315\n55267"}
    yield from _clicked(visitor, "BMS-WebView-2", _after(at, question))


def table(visitor: Visitor, folder: Path) -> Iterator[float]:
    """Measure the way of a table."""
    at, spent = brought(visitor, folder / "adult.csv.gz", "Adult")
    yield spent
    _, page = visitor.ask("GET", f"{at}/data")
    names = page.text.split("<thead><tr>")[-1].split("</tr>")[0].split("<th>")[1:]
    roles = {f"role-{index}": role for index, role in enumerate(TABLE_ROLES)}
    right = {"kind": "table", "column": [name.split("<")[0] for name in names]} | roles
    visitor.click("POST", f"{at}/data", data={"kind": "table"})
    hierarchy = f"{at}/hierarchies/1"
    widths = {"action": "build", "builder": "intervals", "intervals.widths": "5, 20"}
    clicks: tuple[Click, ...] = (
        ("Data: right, go on", "POST", f"{at}/data", right),
        ("Goal: which methods fit", "POST", f"{at}/goal", {"secret": "who"}),
        ("Goal: take mondrian", "POST", f"{at}/goal", {"secret": "who", "method": "mondrian"}),
        ("Hierarchies", "GET", f"{at}/hierarchies", None),
        ("Hierarchies: a column", "GET", hierarchy, None),
        ("Hierarchies: made of intervals", "POST", hierarchy, widths),
        ("Hierarchies: a level looked at", "POST", hierarchy, {"level": "1"}),
        *_later_clicks(at, {"k": "5"}),
    )
    yield from _clicked(visitor, "Adult", clicks)
    visitor.click("POST", hierarchy, data={"action": "forget"})
    ran(visitor, at, "exposure")
    ran(visitor, at, "run")
    yield from _clicked(visitor, "Adult", _after(at, {"question": "education=Bachelors; age=39"}))


Click = tuple[str, str, str, dict[str, Any] | None]
"""What it is called, how and what it asks, and what is typed."""


def _later_clicks(at: str, values: dict[str, str]) -> tuple[Click, ...]:
    """Return the steps that are the same whatever the data are."""
    return (
        ("Start", "GET", "/", None),
        ("Data", "GET", f"{at}/data", None),
        ("Exposure, before it is counted", "GET", f"{at}/exposure", None),
        ("Goal", "GET", f"{at}/goal", None),
        ("Tune", "GET", f"{at}/tune", None),
        ("Tune: a slider moved", "POST", f"{at}/tune/meaning", values),
        ("Tune: go on with these values", "POST", f"{at}/tune", values),
        ("Run", "GET", f"{at}/run", None),
        ("Compare", "GET", f"{at}/compare", None),
        ("Reuse earlier settings", "GET", f"{at}/like", None),
        ("Glossary", "GET", "/glossary", None),
    )


def _after(at: str, question: dict[str, str]) -> tuple[Click, ...]:
    """Return the steps that show a release."""
    return (
        ("Start, with a release", "GET", "/", None),
        ("Exposure", "GET", f"{at}/exposure", None),
        ("Run, with a release", "GET", f"{at}/run", None),
        ("Look", "GET", f"{at}/look", None),
        ("Look: own counts", "POST", f"{at}/look", question),
        ("Review and sign", "GET", f"{at}/sign", None),
    )


def _clicked(visitor: Visitor, data: str, clicks: tuple[Click, ...]) -> Iterator[float]:
    for name, method, path, typed in clicks:
        options = {} if typed is None else {"data": typed}
        yield measured(visitor, f"{data}: {name}", method, path, **options)


def first_page(folder: Path) -> float:
    """Return the processor time of a server from its address to its first page."""
    args = ["serve", "--no-browser", "--folder", str(folder)]
    command = [sys.executable, "-m", "discreet.cli", *args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        begin = _spent(server.pid)
        with httpx.Client(timeout=None) as client:
            client.get(address)
            assert client.get(address.split("?")[0]).status_code == 200
            spent = _spent(server.pid) - begin
        server.terminate()
    return spent


def _spent(process: int) -> float:
    """Return the processor time of a process so far, as Linux tells it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(results: Results) -> None:
    folder = os.environ.get("DISCREET_DATA")
    if folder is None:
        print("DISCREET_DATA names no folder; nothing is measured")
        return
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["DISCREET_STORE"] = str(Path(temporary) / "store.db")
        first = min(first_page(Path(temporary) / "first") for _ in range(AGAIN))
        results.seconds("the first page of a server that is up", first, FIRST_BAR)
        visitor = Visitor(Path(temporary) / "bench")
        visitor.ask("GET", f"/?token={visitor.session.token}")
        visitor.ask("GET", "/")
        for name, visit in (("Adult", table), ("BMS-WebView-2", sets)):
            worst = max(visit(visitor, Path(folder)))
            results.seconds(f"the slowest answer on {name}", worst, BAR)
