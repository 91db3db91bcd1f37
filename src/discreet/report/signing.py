"""Ed25519 signatures over a release and its audit: keys, a signed statement, its check."""

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from discreet.errors import DataError
from discreet.io.json_lines import json_of
from discreet.io.source import sha256_of_file
from discreet.io.writing import write_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

MANIFEST: Final = "manifest.json"


def make_keys(path: Path) -> Path:
    """Write a private key, closed to others, and its public key beside it, which is returned."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = _beside(path, ".pub")
    _refuse_place(path)
    for file in (path, public):
        if file.exists() or file.is_symlink():
            msg = f"{file.name} exists, and a key is never replaced; choose another name"
            raise DataError(msg, parameter="out")
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    shown = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    write_file(path, secret, "the private key", private=True)
    return write_file(public, shown, "the public key")


def in_a_release(path: Path) -> bool:
    """Whether a file lies, or would lie, in a release folder."""
    return any((above / MANIFEST).exists() for above in path.absolute().resolve().parents)


def _refuse_place(path: Path) -> None:
    if in_a_release(path):
        msg = f"a key must not lie in a release, and {path.name} would; keep it elsewhere"
        raise DataError(msg)


def read_signing_key(path: Path) -> "Ed25519PrivateKey":
    """Read a private key, refusing one that others may read or that lies in a release."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    _refuse_place(path)
    content = _bytes(path, "the signing key")
    if os.name == "posix" and path.stat().st_mode & 0o077:
        msg = f"the signing key {path.name} must be closed to others: chmod 600 {path.name}"
        raise DataError(msg, parameter="signing_key")
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        msg = f"{path.name} must be a private key as discreet keygen writes it"
        raise DataError(msg, parameter="signing_key")
    return key


def read_public_key(path: Path) -> "Ed25519PublicKey":
    """Read a public key."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    content = _bytes(path, "the public key")
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        msg = f"{path.name} must be a public key as discreet keygen writes it"
        raise DataError(msg, parameter="public_key")
    return key


def fingerprint(key: "Ed25519PublicKey") -> str:
    """Return the first 16 bytes of a public key's hash, in groups that a person can compare."""
    digest = hashlib.sha256(key.public_bytes_raw()).hexdigest()[:32]
    return " ".join(digest[index : index + 4] for index in range(0, 32, 4))


def sha256_of(path: Path, label: str) -> str:
    """Return the hash of a file."""
    with _clear_faults(path, label):
        return sha256_of_file(path)


def signature_beside(certificate: Path) -> Path:
    """Return where the signature of a certificate lies."""
    return _beside(certificate, ".sig")


def _beside(path: Path, ending: str) -> Path:
    if not path.name:
        raise DataError(f"a file must be named, and {str(path)!r} is a folder")
    return path.with_name(f"{path.name}{ending}")


def sign(key: "Ed25519PrivateKey", statement: Mapping[str, Any]) -> str:
    """Return a statement with its signature, as the text of a file."""
    text = json.dumps(statement, sort_keys=True)
    signed = base64.b64encode(key.sign(text.encode())).decode()
    return json.dumps({"statement": text, "ed25519": signed}, indent=2) + "\n"


def read_signature(path: Path, key: "Ed25519PublicKey") -> dict[str, Any] | None:
    """Return the statement that was signed; None where the signature is not by this key."""
    from cryptography.exceptions import InvalidSignature

    content = _bytes(path, "the signature")
    try:
        record = json_of(content)
        text, signed = record["statement"], base64.b64decode(record["ed25519"], validate=True)
        key.verify(signed, text.encode())
        statement: dict[str, Any] = json_of(text)
    except InvalidSignature:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DataError(f"{path.name} must be a signature as discreet certify writes it") from None
    return statement


def fault_of(statement: Mapping[str, Any], files: Mapping[str, Path]) -> str | None:
    """Return what differs from what was signed, in one sentence; None where nothing does."""
    for name, path in files.items():
        if statement.get(name) != sha256_of(path, f"the {name}"):
            return f"the {name} {path.name} is not the one that was signed"
    return None


def _bytes(path: Path, label: str) -> bytes:
    with _clear_faults(path, label):
        return path.read_bytes()


@contextmanager
def _clear_faults(path: Path, label: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(f"{label} {path.name} could not be read: {error.strerror}") from None
