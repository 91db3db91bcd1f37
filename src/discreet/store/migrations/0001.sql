-- Everything that was ever booked, one row after the other, each with the hash of the one before.
CREATE TABLE entry (
    number BIGINT PRIMARY KEY,
    population TEXT NOT NULL,
    kind TEXT NOT NULL,
    epsilon TEXT NOT NULL,
    refers BIGINT,
    budget TEXT NOT NULL,
    neighbours TEXT NOT NULL,
    spent TEXT NOT NULL,
    made TEXT NOT NULL,
    detail TEXT NOT NULL,
    before TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX entry_of_population ON entry (population, number);
CREATE INDEX entry_of_reservation ON entry (refers, kind);
-- Releases, from the moment their files are on the disk under another name.
CREATE TABLE shelved (
    number BIGINT PRIMARY KEY,
    population TEXT NOT NULL,
    method TEXT NOT NULL,
    promises TEXT NOT NULL,
    seal TEXT NOT NULL,
    fingerprint TEXT,
    recipient TEXT,
    location TEXT NOT NULL,
    flags TEXT NOT NULL,
    made TEXT NOT NULL,
    placed TEXT,
    linkage_key TEXT,
    key_destroyed TEXT
);
CREATE INDEX shelved_of_population ON shelved (population, number);
CREATE INDEX shelved_by_seal ON shelved (population, seal);
