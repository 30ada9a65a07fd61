CREATE TABLE out.site_keywords (
    domain VARCHAR, country VARCHAR, date DATE, keyword VARCHAR, granularity VARCHAR, subdomains BOOLEAN,
    desktop_keywords_total_visits DOUBLE, desktop_keywords_organic_visits DOUBLE, desktop_keywords_paid_visits DOUBLE,
    desktop_keywords_total_share DOUBLE, desktop_keywords_organic_share DOUBLE, desktop_keywords_paid_share DOUBLE,
    desktop_keywords_top_all_url VARCHAR, desktop_keywords_top_organic_url VARCHAR, desktop_keywords_top_paid_url VARCHAR,
    desktop_keywords_top_all_url_position INTEGER, desktop_keywords_top_organic_url_position INTEGER,
    desktop_keywords_top_paid_url_position INTEGER);

-- next part, for sites $from to $to

-- The keywords of a site are every so-manieth of all: distinct, because their number is prime.
CREATE OR REPLACE TABLE ranked AS
SELECT s.id, s.domain, CAST(j AS INTEGER) AS j, k.keyword,
    'https://' || s.domain || '/' || regexp_replace(k.keyword, '[^a-z0-9]+', '-', 'g') AS url
FROM sites s, generate_series(0, 19) t(j)
JOIN keywords k ON k.id = CAST((hash(getvariable('seed'), s.id, 'first') % 2011 + j * (1 + hash(getvariable('seed'), s.id, 'step') % 2010)) % 2011 AS INTEGER)
WHERE s.id >= $from AND s.id < $to AND j < CASE WHEN s.rank < 64 THEN 20 ELSE 6 END;

INSERT INTO out.site_keywords
WITH lands AS (
    SELECT m.id, m.n, m.country, r.j, t.granularity, t.date, t.n AS week,
        ceil(m.visits * 0.004 / (r.j + 2) * (0.5 + u(m.id, r.j, m.n, 'mix')) * (0.9 + 0.2 * u(m.id * 64 + m.n, t.n, r.j, t.granularity))) AS visits
    FROM ranked r JOIN markets m ON m.id = r.id, weeks t
    WHERE m.country <> 'WW'
), everywhere AS (
    SELECT * FROM lands
    UNION ALL
    SELECT id, 0, 'WW', j, granularity, date, week, ceil(sum(visits) * (1.15 + 0.4 * u(id, j, week, 'rest'))) FROM lands GROUP BY id, j, granularity, date, week
), split AS (
    SELECT e.*, v.subdomains, v.v, ceil(e.visits * (1 + 0.2 * v.v * u(e.id, e.j, 0, 'sub'))) AS total,
        CASE WHEN u(e.id, e.j, 0, 'ads') < 0.3 THEN u(e.id * 64 + e.n, e.week, e.j, 'ads') * 0.5 ELSE 0 END AS ads
    FROM everywhere e, variants v
    WHERE u(e.id * 64 + e.n, e.week, e.j, 'silent') > 0.05
), summed AS (
    SELECT *, round(total * ads) AS paid, sum(total) OVER (PARTITION BY id, n, granularity, week, v) * 1.25 AS whole FROM split
)
SELECT r.domain, x.country, x.date, r.keyword, x.granularity, x.subdomains,
    x.total, CASE WHEN x.total > x.paid THEN x.total - x.paid END, CASE WHEN x.paid > 0 THEN x.paid END,
    round(x.total / x.whole, 5), CASE WHEN x.total > x.paid THEN round((x.total - x.paid) / x.whole, 5) END, CASE WHEN x.paid > 0 THEN round(x.paid / x.whole, 5) END,
    r.url, CASE WHEN x.total > x.paid THEN r.url END, CASE WHEN x.paid > 0 THEN r.url || '?ad' END,
    CAST(1 + floor(12 * u(x.id, x.j, x.n, 'place')) AS INTEGER),
    CASE WHEN x.total > x.paid THEN CAST(1 + floor(12 * u(x.id, x.j, x.n, 'place') + 3 * u(x.id, x.week, x.j, 'place')) AS INTEGER) END,
    CASE WHEN x.paid > 0 THEN CAST(1 + floor(4 * u(x.id, x.week, x.j, 'adplace')) AS INTEGER) END
FROM summed x JOIN ranked r ON r.id = x.id AND r.j = x.j
ORDER BY r.domain, x.granularity, x.subdomains, x.country, x.date, x.total DESC, r.keyword;
