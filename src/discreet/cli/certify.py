"""``discreet certify RELEASE``: a dated certificate of a release and its audit, signed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.cli.sections import Occasion
from discreet.core.doc import Doc
from discreet.core.release import Release
from discreet.errors import DataError, DiscreetError, InfeasibleError, ParameterError
from discreet.io.json_lines import json_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """What is signed, and with what."""

    audit: Annotated[Path, Doc("The public copy of the audit as JSON, written next to its page.")]
    signing_key: Annotated[Path, Doc("The private key that discreet keygen wrote.")]
    out: Annotated[
        Path,
        Doc(
            "The certificate to write, a PDF; its signature is written next to it as CERT.pdf.sig."
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Certified:
    """What a certificate is checked with."""

    certificate: Annotated[Path | None, Doc("A certificate to check instead of the promises.")] = (
        None
    )
    public_key: Annotated[Path | None, Doc("The signatory's public key.")] = None
    audit: Annotated[
        Path | None, Doc("The audit as JSON; by default the one next to the certificate.")
    ] = None


def _run(*, release: str, json: bool, **typed: Any) -> int:
    from discreet.io.writing import write_file
    from discreet.report import signing
    from discreet.report.certificate import certificate_pdf

    options, occasion = filled(Signing, typed), filled(Occasion, typed).record()
    if options.out.suffix != ".pdf" or signing.in_a_release(options.out):
        msg = f"`out` must name a .pdf outside the release, got {options.out.name!r}"
        raise ParameterError(msg, parameter="out")
    _refuse_broken(Release.load(release))
    key = signing.read_signing_key(options.signing_key)
    hashes = {
        "manifest": signing.sha256_of(Path(release) / "manifest.json", "the manifest"),
        "audit": signing.sha256_of(options.audit, "the audit"),
        "key": signing.fingerprint(key.public_key()),
    }
    audit = _audit(options.audit, hashes["manifest"])
    stated = audit["occasion"] | occasion
    if "signatory" not in stated:
        msg = "a certificate must name who is responsible for the release; give the `signatory`"
        raise ParameterError(msg, parameter="signatory")
    pdf = certificate_pdf(audit, stated, hashes)
    write_file(options.out, pdf, "the certificate")
    statement = hashes | stated | {
        "verdict": audit["judgement"]["verdict"],
        "audit_file": options.audit.name,
        "certificate": signing.sha256_of(options.out, "the certificate"),
    }  # fmt: skip
    signed = write_file(
        signing.signature_beside(options.out), signing.sign(key, statement), "the signature"
    )
    verdict = f"verdict: {statement['verdict']}; key {hashes['key']}"
    paths = f"certificate: {options.out}", f"signature: {signed}"
    return show.result(statement, *paths, verdict, json=json)


def _refuse_broken(release: Release[Any]) -> None:
    """Refuse a release that is not fit to go out by its own files, whatever an audit says."""
    from discreet.verify import verify

    if release.folder_fault:
        raise InfeasibleError(f"{release.folder_fault}; mend that and audit it again")
    verdicts = verify(release)
    if verdicts.holds is False or verdicts.seeded:
        why = "breaks a promise" if verdicts.holds is False else "was made with a seed"
        raise InfeasibleError(f"the release {why}, so it is not certified; see discreet verify")


def _audit(path: Path, manifest: str) -> dict[str, Any]:
    """Read an audit, refusing one of another release, an owner's copy, and a verdict of no."""
    from discreet.study.judgement import gravest

    try:
        audit: dict[str, Any] = json_of(path.read_text(encoding="utf-8"))
        about, verdict = audit["files"]["manifest.json"], audit["judgement"]["verdict"]
        reasoned = gravest(reason["level"] for reason in audit["judgement"]["reasons"])
        broken = any(promise["holds"] is False for promise in audit["promises"])
        owner, _ = audit["owner"], (audit["risk"], audit["occasion"])
    except (OSError, ValueError, KeyError, TypeError):
        msg = f"{path.name} must be an audit as JSON, as this version of discreet audit writes it"
        raise DataError(msg, parameter="audit") from None
    if about != manifest:
        msg = "the audit must be of this release, and it is of another; audit this one"
        raise DataError(msg, parameter="audit")
    if owner:
        msg = "a certificate goes to others, and this is the owner's copy; audit without --owner"
        raise DataError(msg, parameter="audit")
    if verdict == "do not release":
        raise InfeasibleError("the audit says do not release, and nothing is certified against it")
    if broken or verdict != reasoned:
        msg = (
            "the audit was changed: its verdict is not that of its reasons; audit the release again"
        )
        raise DataError(msg, parameter="audit")
    return audit


def checked(release: str | None, options: Certified) -> tuple[int, str]:
    """Check a certificate; return the exit code and one sentence."""
    from discreet.report import signing

    certificate = options.certificate
    if certificate is None or options.public_key is None:
        msg = "a certificate is checked with its `public_key`; name both"
        raise ParameterError(msg, parameter="public_key")
    key = signing.read_public_key(options.public_key)
    statement = signing.read_signature(signing.signature_beside(certificate), key)
    if statement is None:
        return 1, "The certificate was not signed with this key, or its signature was changed."
    files = {"certificate": certificate}
    audit = options.audit or certificate.parent / Path(str(statement.get("audit_file"))).name
    if audit.exists():
        files["audit"] = audit
    if release is not None:
        files["manifest"] = Path(release) / "manifest.json"
    if fault := signing.fault_of(statement, files) or _changed(release):
        return 1, f"The certificate is NOT valid: {fault}."
    if absent := {"certificate", "audit", "manifest"} - set(files):
        needed = {"audit": "the audit (--audit)", "manifest": "the release"}
        return 3, f"The signature is good, but without {needed[min(absent)]} not all is checked."
    who = f"{statement['signatory']} on {statement['date']}, key {signing.fingerprint(key)}"
    return 0, f"The certificate, the audit and the release are those signed by {who}."


def _changed(release: str | None) -> str | None:
    """Return what was changed in a release since it was written, in a sentence."""
    if release is None:
        return None
    try:
        return Release.load(release).folder_fault
    except DiscreetError as error:
        return str(error)


certify = command(
    "certify",
    _run,
    arguments=[click.Argument(["release"], metavar="RELEASE")],
    sections={"What is signed": Signing, "The occasion": Occasion},
    about=(
        "Write a dated certificate of RELEASE and its audit as a two-page PDF, and next to it a "
        "detached Ed25519 signature over manifest, audit and certificate."
    ),
)
