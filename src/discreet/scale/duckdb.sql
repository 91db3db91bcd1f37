-- The verbs in DuckDB's SQL. A query begins with its name; {names} are filled in by duckdb.py.

-- name: words
CREATE OR REPLACE MACRO word(digest, number) AS
    CAST('0x' || substr(digest, 8 * number + 1, 8) AS BIGINT) % 2147483647;
CREATE OR REPLACE MACRO cubic(a, b, c, d, x) AS
    ((((a * x + b) % 2147483647) * x + c) % 2147483647 * x + d) % 2147483647;

-- name: people_of_rows
CREATE OR REPLACE TEMP VIEW {view} AS
SELECT {person} AS person, CAST({item} AS VARCHAR) AS item FROM {table};

-- name: people_of_lists
CREATE OR REPLACE TEMP VIEW {view} AS
SELECT person, unnest(
    CASE WHEN len(items) > 0 THEN list_transform(items, lambda i: coalesce(i, '')) ELSE [NULL] END
) AS item
FROM (SELECT {person} AS person, CAST({item} AS VARCHAR[]) AS items FROM {table});

-- name: survey
SELECT
    count(*),
    approx_count_distinct({person}),
    count(*) FILTER ({person} IS NULL OR length({person}::VARCHAR) NOT BETWEEN 1 AND 256)
FROM {table};

-- name: repeated
SELECT count(*) > count(DISTINCT {person}) FROM {table} WHERE {person} IS NOT NULL;

-- name: vocabulary
SELECT DISTINCT item FROM {view} WHERE item IS NOT NULL;

-- name: sets
SELECT person, coalesce(list_sort(list_distinct(list(code))), []) AS items
FROM {view} LEFT JOIN read_parquet({codes}) USING (item)
WHERE {bucket}
GROUP BY person;

-- name: whole
SELECT items FROM ({sets});

-- name: short
SELECT items FROM ({sets}) WHERE len(items) <= {size};

-- name: sets_with_hashes
SELECT person, coalesce(list_sort(list_distinct(list((code::BIGINT << 31) | hash))), []) AS items
FROM {view} LEFT JOIN read_parquet({codes}) USING (item)
WHERE {bucket}
GROUP BY person;

-- name: cut
SELECT list_transform(
    CASE WHEN len(items) <= {size} THEN list_transform(items, lambda i: i >> 31)
    ELSE list_sort(list_transform(list_sort(list_transform(items, lambda i:
        (cubic(word(digest, 0), word(digest, 1), word(digest, 2), word(digest, 3),
            i & 2147483647) << 31) | (i >> 31)
    ))[1:{size}], lambda v: v & 2147483647)) END,
    lambda c: c::INTEGER
) AS items
FROM (SELECT items, md5({key} || '|' || person) AS digest FROM ({sets}));

-- name: fold
COPY (SELECT items, count(*) AS people FROM ({kept}) GROUP BY items)
TO {file} (FORMAT parquet);

-- name: sampled
SELECT hash(items) FROM read_parquet({file}) WHERE hash(items) % {share} = 0;

-- name: merge
COPY (
    SELECT items, sum(people)::BIGINT AS people FROM read_parquet({files})
    WHERE {bucket} GROUP BY items
) TO {file} (FORMAT parquet);

-- name: classes
COPY (SELECT {columns}, count(*) AS {people} FROM {table} GROUP BY ALL)
TO {file} (FORMAT parquet);

-- name: write
COPY (
    SELECT {columns}
    FROM read_parquet({files}, hive_partitioning = false), range({copies}) AS copy("number of this copy")
    ORDER BY {place}
)
TO {file} (FORMAT parquet);

-- name: faulty
SELECT count(*) FROM {table} WHERE {column} IS NULL OR len({column}) <> len(list_distinct({column}));

-- name: first_members
SELECT unnest(members) AS member_1, unnest(range(1, len(members) + 1)) AS place, members, people
FROM (SELECT list_sort({column}) AS members, count(*) AS people FROM {table} GROUP BY ALL);

-- name: further_members
SELECT {known}, unnest(members[place + 1:]) AS member_{size},
    unnest(range(place + 1, len(members) + 1)) AS place, members, people
FROM ({shorter});

-- name: rare
SELECT {known}, sum(people)::BIGINT AS rows FROM ({sets})
GROUP BY {known} HAVING rows < {least} ORDER BY ALL LIMIT 1;
