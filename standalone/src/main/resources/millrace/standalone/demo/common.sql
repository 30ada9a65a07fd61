-- What all datasets share. Variables: seed, last_day (DATE). Tables that the program fills: domains, keywords, countries.
-- u(a, b, c, salt): a number from 0 to 1 that depends on the seed and on its arguments only.
CREATE MACRO u(a, b, c, salt) AS (hash(getvariable('seed'), a, b, c, salt) & 1048575) / 1048576.0;

-- rank 0 is the largest site; the steep curve makes a few large ones and many small ones.
CREATE TABLE sites AS
SELECT id, domain, (id * 197 + 31) % 512 AS rank, 4e7 / power(rank + 4, 0.95) AS visits
FROM domains;

-- Large sites are seen in every country, the others in some; everyone in all of them together (WW).
CREATE TABLE markets AS
SELECT s.id, s.domain, s.rank, c.country, c.n, c.weight, s.visits * c.weight * (0.4 + 1.2 * u(s.id, c.n, 0, 'market')) AS visits
FROM sites s, countries c
WHERE c.country IN ('WW', 'US') OR s.rank < 64 OR u(s.id, c.n, 0, 'present') < 0.2;

CREATE TABLE months AS
SELECT CAST(date_trunc('month', getvariable('last_day') + INTERVAL 1 DAY) - to_months(CAST(36 - k AS INTEGER)) AS DATE) AS date, CAST(k AS INTEGER) AS n
FROM generate_series(0, 35) t(k);

CREATE TABLE weeks AS
SELECT 'weekly' AS granularity, CAST(date_trunc('week', getvariable('last_day') - INTERVAL 6 DAY) AS DATE) - CAST(7 * (25 - k) AS INTEGER) AS date, CAST(k AS INTEGER) AS n
FROM generate_series(0, 25) t(k)
UNION ALL
SELECT '7days', getvariable('last_day') - CAST(6 + 7 * (25 - k) AS INTEGER), CAST(k AS INTEGER)
FROM generate_series(0, 25) t(k);

CREATE TABLE days AS
SELECT getvariable('last_day') - CAST(59 - k AS INTEGER) AS date, CAST(k AS INTEGER) AS n
FROM generate_series(0, 59) t(k);

CREATE TABLE variants AS SELECT * FROM (VALUES (false, 0), (true, 1)) t(subdomains, v);
