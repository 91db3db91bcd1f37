"""What guesses about single records are worth, through the owner's key."""

from collections.abc import Sequence

from discreet.core.clusters import Clusters
from discreet.core.disassociated import Disassociated
from discreet.core.findings import Claim, Findings, counted
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Advantage, Rate, Score
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.generalised.readable import Readable
from discreet.measure.score import one_for_each

ANOTHER = "the key must belong to this release, and it does not fit its people"
Releases = Sequence[Release[GeneralisedSets | Transactions | Clusters]]


def score_commonest(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Releases,
    keys: Sequence[LinkageKey],
) -> Score:
    """Score the kept members of generalised items by what the person behind each record holds."""
    _, originals = _read(truth, releases, keys)
    common = [dict(zip(each.universe, each.supports.tolist(), strict=True)) for each in truth]
    right, chance, base, people = 0, 0.0, 0.0, set()
    for claim in findings.claims:
        own, guess = originals[claim.release - 1][claim.row], claim.inferred[0]
        members = (guess, *claim.eliminated)
        at_random = len(own.intersection(members)) / len(members)
        right += guess in own
        chance += at_random
        # who guesses what is common is right about some of anybody, whatever was published
        base += max(
            at_random, common[claim.release - 1].get(guess, 0) / len(truth[claim.release - 1])
        )
        people.add((claim.release, claim.row))
    count = max(1, len(findings.claims))
    shares = [
        ("of randomly chosen members would be the person's own", chance / count),
        ("of the kept members are the person's own", right / count),
    ]
    rates = [(words, Rate(share=share, people=len(people))) for words, share in shares]
    does = "keeps the right member of {share} of the generalised items it guesses"
    label = "by guessing at random, or the best guess for anybody, it would have been"
    return _score(len(findings), does, rates, base / count, label)


def score_singled_out(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Releases,
    keys: Sequence[LinkageKey],
) -> Score:
    """Score records that are singled out: right where the person behind one has what is known."""
    read, originals = _read(truth, releases, keys)
    means = [dict(zip(each.sets.vocabulary, each.members, strict=True)) for each in read]
    needed: list[int] = []
    for claim in findings.claims:
        own, meaning = originals[claim.release - 1].get(claim.row), means[claim.release - 1]
        if any(name not in meaning for name in claim.known):
            msg = "the claims must be about this release, and they name what is not in it"
            raise DataError(msg)
        if own is not None and all(own.intersection(meaning[name]) for name in claim.known):
            needed.append(len(claim.known))
    # of people, not of rows: a made-up row more makes nobody safer
    people = sum(map(len, originals))
    if findings.claims and not people:
        msg = "the key must say who is behind the rows that the claims are about, and it does not"
        raise DataError(msg)
    shares = [
        (
            f"singled out by up to {size} known {'item' if size == 1 else 'items'}, of all people",
            Rate(share=sum(each <= size for each in needed) / max(1, people), people=people),
        )
        for size in range(1, max([1, *needed]) + 1)
    ]
    items = counted(max([1, *needed]), "known item")
    does = f"singles out {{share}} of all people with up to {items}"
    return _score(len(findings), does, shares, 1 / max(1, people))


def score_covered(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[Disassociated]],
    keys: Sequence[LinkageKey],
) -> Score:
    """Score items that are said to follow by the people of the cluster who hold what is known."""
    one_for_each(truth, releases, keys)
    seen = [
        _Clustered(people, key, release.content)
        for people, key, release in zip(truth, keys, releases, strict=True)
    ]
    scored = [(claim.release, *seen[claim.release - 1].of(claim)) for claim in findings.claims]
    tested = max(1, sum(len(holders) for _, holders, _, _ in scored))
    right = sum(having for _, _, having, _ in scored)
    chance = sum(rate * len(holders) for _, holders, _, rate in scored) / tested
    people = {(release, person) for release, holders, _, _ in scored for person in holders}
    words = "of the people who match what is known have everything that is claimed"
    share = Rate(share=right / tested, people=len(people))
    does = "is right about {share} of the people whose items it puts together"
    return _score(len(findings), does, [(words, share)], chance)


def _read(
    truth: Sequence[Transactions], releases: Releases, keys: Sequence[LinkageKey]
) -> tuple[list[Readable], list[dict[int, frozenset[str]]]]:
    """Return what each release can be read as, and what the person behind each record holds."""
    one_for_each(truth, releases, keys)
    read = [Readable.of(release.content) for release in releases]
    each = zip(read, truth, keys, strict=True)
    return read, [readable.originals(people, key) for readable, people, key in each]


def _score(
    claims: int,
    does: str,
    shares: Sequence[tuple[str, Rate]],
    chance: float,
    label: str = "by guessing at random it would have been",
) -> Score:
    """Return the score of guesses: the last of the ``shares`` beside a guess without them."""
    success = shares[-1][1]
    baseline = Rate(share=chance, people=success.people)
    advantage = Advantage(words=does, success=success, baseline=baseline)
    worse = "It does worse than its baseline."
    return Score(
        claims=claims,
        advantages=(advantage,),
        rates=(*shares, (label, baseline)),
        remarks=(worse,) if advantage.below_baseline else (),
        figures={
            "success": success,
            "chance": chance,
            "shares": [{"what": words} | rate.record() for words, rate in shares],
        },
    )


class _Clustered:
    """People of a disassociated release with what they really hold."""

    def __init__(self, people: Transactions, key: LinkageKey, content: Disassociated) -> None:
        table = key.tables.get("people")
        if table is None or not table.height == len(people) == len(content):
            raise DataError(ANOTHER)
        self.originals = [set(record) for record in people]
        self.rates: dict[tuple[str, ...], float] = {}
        members: dict[int, list[int]] = {}
        for record, cluster in table.select("record", "cluster").iter_rows():
            members.setdefault(cluster, []).append(record)
        self.members = [members.get(cluster, []) for cluster in range(content.count)]
        if list(map(len, self.members)) != content.people.tolist():
            raise DataError(ANOTHER)

    def of(self, claim: Claim) -> tuple[list[int], int, float]:
        """Return who of the cluster holds what is known, how many are right, and by chance."""
        known, inferred = set(claim.known), set(claim.inferred)
        holders = [person for person in self.members[claim.row] if known <= self.originals[person]]
        right = sum(inferred <= self.originals[person] for person in holders)
        if claim.inferred not in self.rates:
            having = sum(inferred <= record for record in self.originals)
            self.rates[claim.inferred] = having / max(1, len(self.originals))
        return holders, right, self.rates[claim.inferred]
