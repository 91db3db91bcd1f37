"""Private data beside a release: read as they were when they were published, by the key."""

from collections.abc import Mapping
from typing import Any

from discreet.catalog import NOUNS, noun_behind, parameters_of
from discreet.cli import show
from discreet.cli.options import filled
from discreet.cli.sections import Evidence
from discreet.core.family import Scorer
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.truth import choices_in, confirmed
from discreet.errors import ParameterError

ROLES = frozenset(
    {"qid", "sensitive_attributes", "multi_valued", "non_sensitive", "missing", "discretise",
     "keep_columns", "set_column"}
)  # fmt: skip
"""What must be as it was when the data were published; the rest says how a file is laid out."""
ELSEWHERE = frozenset({"edges"})
"""Files of their own, which may lie elsewhere by now."""


def choices_of(reading: Any) -> dict[str, Any]:
    """Return how data are read, as far as it is not the default."""
    return {
        field.name: value
        for field in parameters_of(type(reading))
        if field.name not in ELSEWHERE and (value := getattr(reading, field.name)) != field.default
    }


def reading_of(noun: type[Any], typed: Mapping[str, Any], key: LinkageKey | None) -> Any:
    """Return how to read data of this kind: as the key says, and as was typed besides."""
    kind = NOUNS[noun]
    now = choices_of(filled(kind, typed))
    then = {name: _tuples(value) for name, value in choices_in(key).items()}
    fields = {field.name: field for field in parameters_of(kind)}
    for name in sorted(ROLES & now.keys()) if then else ():
        if now[name] != then.get(name, fields[name].default):
            msg = (
                f"{fields[name].option} must be as it was when the data were published; leave it "
                "out: the key has it"
            )
            raise ParameterError(msg)
    known = {name: value for name, value in then.items() if name in fields}
    elsewhere = {name: getattr(filled(kind, typed), name) for name in ELSEWHERE & fields.keys()}
    return kind(**known | now | elsewhere)


def read_truth(
    noun: type[Any],
    source: str,
    typed: Mapping[str, Any],
    key: LinkageKey | None,
    release: Release[Any],
) -> Any:
    """Read the private data behind a release, refusing others than those that were published."""
    data = reading_of(noun, typed, key).read(source)
    if not confirmed(key, data, release):
        show.warn(
            "without a linkage key nothing confirms that these are the data that were published; "
            "it is assumed that they are"
        )
    return data


def read_original(release: Release[Any], beside: Evidence, typed: Mapping[str, Any]) -> Any:
    """Read the original as the kind of data that such a release is made from; None without one."""
    if beside.against is None:
        return None
    return read_truth(noun_behind(release.content), beside.against, typed, beside.key, release)


def control_reading(scorer: Scorer | None, typed: Mapping[str, Any], key: LinkageKey | None) -> Any:
    """Return how to read people beside those of the data, where claims are scored with them."""
    if scorer is None or not scorer.takes_control:
        msg = "claims about such a release are scored through its key, without `control`"
        raise ParameterError(msg, parameter="control")
    return reading_of(scorer.data, {**typed, "allow_absent": True}, key)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
