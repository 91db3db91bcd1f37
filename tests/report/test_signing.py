"""Keys and signatures: what was signed is told from what was not."""

import json
from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.report.signing import (
    fault_of,
    fingerprint,
    make_keys,
    read_public_key,
    read_signature,
    read_signing_key,
    sha256_of,
    sign,
)


def test_a_private_key_is_closed_to_others_and_never_replaced(tmp_path: Path) -> None:
    public = make_keys(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    key = read_signing_key(tmp_path / "key")
    assert fingerprint(key.public_key()) == fingerprint(read_public_key(public))
    with pytest.raises(DataError, match="never replaced"):
        make_keys(tmp_path / "key")


def test_a_key_never_lies_in_a_release(tmp_path: Path) -> None:
    release = tmp_path / "release"
    (release / "below").mkdir(parents=True)
    (release / "manifest.json").write_text("{}")
    with pytest.raises(DataError, match="must not lie in a release"):
        make_keys(release / "below" / "key")
    assert list((release / "below").iterdir()) == []


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    make_keys(tmp_path / "key")
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(DataError, match="chmod 600"):
        read_signing_key(tmp_path / "key")


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    public = make_keys(tmp_path / "key")
    with pytest.raises(DataError, match="must be a public key"):
        read_public_key(tmp_path / "key")
    public.chmod(0o600)
    with pytest.raises(DataError, match="must be a private key"):
        read_signing_key(public)
    with pytest.raises(DataError, match="could not be read"):
        read_public_key(tmp_path / "nowhere")


def test_a_statement_is_read_back_by_its_key_alone(tmp_path: Path) -> None:
    mine, other = make_keys(tmp_path / "mine"), make_keys(tmp_path / "other")
    file = tmp_path / "it.sig"
    file.write_text(sign(read_signing_key(tmp_path / "mine"), {"verdict": "release"}))
    assert read_signature(file, read_public_key(mine)) == {"verdict": "release"}
    assert read_signature(file, read_public_key(other)) is None
    record = json.loads(file.read_text())
    changed = record | {"statement": record["statement"].replace("release", "praise")}
    file.write_text(json.dumps(changed))
    assert read_signature(file, read_public_key(mine)) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"statement": "{}", "ed25519": "!"}'])
def test_what_is_no_signature_is_refused(tmp_path: Path, text: str) -> None:
    public = make_keys(tmp_path / "key")
    (tmp_path / "it.sig").write_text(text)
    with pytest.raises(DataError, match="as discreet certify writes it"):
        read_signature(tmp_path / "it.sig", read_public_key(public))


def test_a_changed_file_is_named(tmp_path: Path) -> None:
    audit = tmp_path / "audit.json"
    audit.write_text("{}")
    signed = {"audit": sha256_of(audit, "the audit")}
    assert fault_of(signed, {"audit": audit}) is None
    audit.write_text("{ }")
    told = "the audit audit.json is not the one that was signed"
    assert fault_of(signed, {"audit": audit}) == told
