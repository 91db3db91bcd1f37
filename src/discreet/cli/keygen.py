"""``discreet keygen --out FILE``: a pair of keys to sign certificates with."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.core.doc import Doc


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Where the keys go."""

    out: Annotated[
        Path,
        Doc(
            "The private key to write, for your eyes only; the public key is written next to it "
            "as FILE.pub."
        ),
    ]


def _run(*, json: bool, **typed: Any) -> int:
    from discreet.report.signing import fingerprint, make_keys, read_public_key

    path = filled(Keys, typed).out
    public = make_keys(path)
    mark = fingerprint(read_public_key(public))
    return show.result(
        {"private": path, "public": public, "fingerprint": mark},
        f"private key: {path} (keep it secret, and keep a backup)",
        f"public key: {public} (give it to everyone who should be able to check)",
        f"fingerprint: {mark}",
        json=json,
    )


keygen = command(
    "keygen",
    _run,
    arguments=[],
    sections={"The keys": Keys},
    about="Make an Ed25519 key pair to sign certificates with. A key is never replaced, and never "
    "written into a release.",
)
