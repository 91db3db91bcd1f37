"""Linkage keys at rest: closed by a passphrase, opened by nothing else."""

import base64
import json
import os
from typing import Final

from discreet.errors import DataError

COST: Final = 2**15
"""How dear a guess at the passphrase is: scrypt with 32 MB and a tenth of a second."""
DEAREST: Final = 2**18
"""The most that is paid for opening a box, whatever a changed box asks for."""
SALT_BYTES, NONCE_BYTES = 16, 12


def closed(content: bytes, passphrase: str, *, about: str) -> str:
    """Return the content encrypted by AES-GCM under a key that scrypt makes of the passphrase.

    What it is ``about`` stays outside and must be said again to open it, so that the box of
    another release does not pass for this one's.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = os.urandom(SALT_BYTES), os.urandom(NONCE_BYTES)
    box = AESGCM(_key(passphrase, salt, COST)).encrypt(nonce, content, about.encode())
    parts = {"salt": salt, "nonce": nonce, "box": box}
    encoded = {name: base64.b64encode(value).decode() for name, value in parts.items()}
    return json.dumps({"scrypt": COST, **encoded})


def opened(text: str, passphrase: str, *, about: str) -> bytes:
    """Return the content of a box, refusing a wrong passphrase and a box that was changed."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        parts = json.loads(text)
        salt, nonce, box = (base64.b64decode(parts[name]) for name in ("salt", "nonce", "box"))
        cost = min(max(int(parts["scrypt"]), 2), DEAREST)
        return AESGCM(_key(passphrase, salt, cost)).decrypt(nonce, box, about.encode())
    except (InvalidTag, ValueError, KeyError, TypeError):
        msg = "the shelved key cannot be opened: the passphrase is another, or the store is damaged"
        raise DataError(msg) from None


def _key(passphrase: str, salt: bytes, cost: int) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return Scrypt(salt=salt, length=32, n=cost, r=8, p=1).derive(passphrase.encode())
