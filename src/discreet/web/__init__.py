"""The workbench: a local page for the person who signs, from a file to a signed release.

Routes are thin: what is published, audited or certified runs as a command of its own process, the
very command that the page shows.
"""

from discreet.web.application import application
from discreet.web.projects import Workspace
from discreet.web.session import Session

__all__ = ["Session", "Workspace", "application"]
