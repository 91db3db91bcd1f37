"""How far the work is, told as it goes: server-sent events that end with the work."""

import asyncio
import html
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from discreet.web.pages import fault_of

PAUSE: Final = 0.2
"""Seconds between two looks at how the work stands; it is told only where that changed."""
ENDED: Final = "ended"
"""The event after which a page listens no more."""

Standing = dict[str, Any] | None
"""How a piece of work stands; None where there is none."""


def followed(
    request: Request, look: Callable[[], Standing], draw: Callable[[Standing], str]
) -> StreamingResponse:
    """Send a part of a page whenever the work behind it moves, until it ended or nobody listens.

    The work knows nothing of it: whoever goes away stops the telling only.
    """
    return StreamingResponse(_events(request, look, draw), media_type="text/event-stream")


async def _events(
    request: Request, look: Callable[[], Standing], draw: Callable[[Standing], str]
) -> AsyncIterator[str]:
    before: object = ...
    while not await request.is_disconnected():
        try:
            now = await run_in_threadpool(look)
            if now != before:
                yield _event(await run_in_threadpool(draw, now))
        except Exception as error:  # noqa: BLE001 (the answer has begun: no error page can come)
            yield _event(f'<p class="fault" role="alert">{html.escape(fault_of(error)[1])}</p>')
            now = None
        if now is None or now["state"] != "running":
            yield f"event: {ENDED}\ndata: {ENDED}\n\n"
            return
        before = now
        await asyncio.sleep(PAUSE)


def _event(text: str) -> str:
    return "".join(f"data: {line}\n" for line in text.splitlines()) + "\n"
