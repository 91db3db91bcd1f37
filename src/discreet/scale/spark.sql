-- The verbs in Spark's SQL. A query begins with its name; {names} are filled in by spark.py, and
-- :names are handed over as values.

-- name: people_of_rows
SELECT {person} AS person, CAST({item} AS STRING) AS item, CAST(1 AS BIGINT) AS people
FROM {table};

-- name: people_of_lists
SELECT {person} AS person,
    explode_outer(transform(CAST({item} AS ARRAY<STRING>), i -> coalesce(i, ''))) AS item,
    CAST(1 AS BIGINT) AS people
FROM {table};

-- name: people_without_names
SELECT person, explode_outer(transform(person, i -> coalesce(i, ''))) AS item, people
FROM (
    SELECT coalesce(CAST({item} AS ARRAY<STRING>), array()) AS person, count(*) AS people
    FROM {table} GROUP BY 1
);

-- name: survey
SELECT
    count(*),
    approx_count_distinct({person}),
    count_if({person} IS NULL OR length(CAST({person} AS STRING)) NOT BETWEEN 1 AND 256),
    count_if(CAST({person} AS STRING) RLIKE :composed)
FROM {table};

-- name: repeated
SELECT count(*) > count(DISTINCT {person}) FROM {table} WHERE {person} IS NOT NULL;

-- name: vocabulary
SELECT DISTINCT item FROM ({people}) WHERE item IS NOT NULL;

-- name: sets
SELECT person, max(people) AS people, sort_array(collect_set(code)) AS items
FROM ({people}) LEFT JOIN {codes} USING (item)
GROUP BY person;

-- name: whole
SELECT items, people FROM ({sets});

-- name: short
SELECT items, people FROM ({sets}) WHERE size(items) <= {size};

-- name: sets_with_hashes
SELECT person, max(people) AS people,
    sort_array(collect_set(shiftleft(CAST(code AS BIGINT), 31) | hash)) AS items
FROM ({people}) LEFT JOIN {codes} USING (item)
GROUP BY person;

-- name: cut
SELECT people, transform(
    CASE WHEN size(items) <= {size} THEN transform(items, i -> shiftright(i, 31))
    ELSE sort_array(transform(slice(sort_array(transform(items, i ->
        shiftleft(
            ((((a * (i & 2147483647) + b) % 2147483647) * (i & 2147483647) + c) % 2147483647
                * (i & 2147483647) + d) % 2147483647, 31) | shiftright(i, 31)
    )), 1, {size}), v -> v & 2147483647)) END,
    c -> CAST(c AS INT)
) AS items
FROM (
    SELECT items, people,
        CAST(conv(substr(digest, 1, 8), 16, 10) AS BIGINT) % 2147483647 AS a,
        CAST(conv(substr(digest, 9, 8), 16, 10) AS BIGINT) % 2147483647 AS b,
        CAST(conv(substr(digest, 17, 8), 16, 10) AS BIGINT) % 2147483647 AS c,
        CAST(conv(substr(digest, 25, 8), 16, 10) AS BIGINT) % 2147483647 AS d
    FROM (
        SELECT items, people, md5(concat(:key, '|', CAST(person AS STRING))) AS digest
        FROM ({sets})
    )
);

-- name: fold
SELECT items, CAST(sum(people) AS BIGINT) AS people FROM ({kept}) GROUP BY items;

-- name: classes
SELECT {columns}, count(*) AS {people} FROM {table} GROUP BY {columns};

-- name: write
SELECT {columns} FROM (
    SELECT /*+ REPARTITION(1) */ * FROM (
        SELECT *, explode(sequence(CAST(1 AS BIGINT), {copies})) AS `number of this copy`
        FROM {rows} WHERE {copies} > 0
    )
) SORT BY {place};

-- name: faulty
SELECT count_if({column} IS NULL OR exists({column}, m -> m IS NULL)
    OR size(array_distinct({column})) < size({column}))
FROM {table};

-- name: first_members
SELECT member_1, place, members, people
FROM (SELECT sort_array({column}) AS members, count(*) AS people FROM {table} GROUP BY 1)
LATERAL VIEW posexplode(members) AS place, member_1;

-- name: further_members
SELECT {known}, member_{size}, place + 1 + step AS place, members, people
FROM ({shorter})
LATERAL VIEW posexplode(slice(members, place + 2, size(members))) AS step, member_{size};

-- name: rare
SELECT {known}, CAST(sum(people) AS BIGINT) AS rows FROM ({sets})
GROUP BY {known} HAVING sum(people) < {least} ORDER BY ALL LIMIT 1;
