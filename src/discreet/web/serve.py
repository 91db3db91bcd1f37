"""``discreet serve``: the workbench in a browser, on this machine only."""

import contextlib
import json
import socket
import sys
import webbrowser
from pathlib import Path

import click

from discreet.errors import DataError


def listening(port: int) -> socket.socket:
    """Return a socket that listens on this machine's own address and no other."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind(("127.0.0.1", port))
        opened.listen(64)
    except (OSError, OverflowError):
        opened.close()
        msg = f"port {port} cannot be used here; choose another with --port, or none"
        raise DataError(msg) from None
    return opened


@click.command(short_help="Open the workbench: from a file to a signed release, in a browser.")
@click.option("--port", type=int, default=0, help="The port to listen on; by default a free one.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--example", is_flag=True, help="Begin with a project of made-up data.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="The folder for projects; by default a private folder in your user data.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON.")
def serve(*, port: int, no_browser: bool, example: bool, folder: Path | None, as_json: bool) -> int:
    """Open the workbench. It serves this machine only, and no data leave it.

    The printed address works once: the first browser that opens it gets the session.
    """
    try:
        import uvicorn
    except ImportError:
        raise DataError('the workbench needs an extra: pip install "discreet[web]"') from None
    from discreet.store.database import data_folder
    from discreet.web import Session, Workspace, application
    from discreet.web.steps.start import example_project

    workspace = Workspace(folder or data_folder() / "workbench")
    if example and not any(project.title.startswith("Example") for project in workspace.all()):
        example_project(workspace)
    with contextlib.closing(listening(port)) as opened:
        session = Session(port=opened.getsockname()[1])
        config = uvicorn.Config(
            application(workspace, session), log_level="critical", access_log=False,
            server_header=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        click.echo(json.dumps({"address": session.address}) if as_json else session.address)
        sys.stdout.flush()
        if not no_browser:
            webbrowser.open(session.address)
        uvicorn.Server(config).run(sockets=[opened])
    return 0
