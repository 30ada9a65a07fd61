CREATE TABLE out.keywords (
    keyword VARCHAR, country VARCHAR, date DATE, granularity VARCHAR,
    all_keyword_monthly_search_volume DOUBLE, all_keyword_volume DOUBLE, all_keyword_cpc DOUBLE,
    desktop_keyword_difficulty DOUBLE, zero_clicks_share DOUBLE);

-- Eleven months more than are kept, for the average over twelve.
CREATE TABLE searches AS
WITH lands AS (
    SELECT k.id, k.keyword, c.country, c.n, CAST(s.m AS INTEGER) AS m,
        10 * round((2e5 / power(1 + (k.id * 523) % 2011, 0.85) * c.weight * (0.3 + 1.4 * u(k.id, c.n, 0, 'demand')) * (1 + 0.35 * sin((s.m + 12 * u(k.id, 0, 0, 'season')) * 0.5236)) * (0.9 + 0.2 * u(k.id, c.n, s.m, 'month')))) AS volume
    FROM keywords k, countries c, generate_series(-11, 35) s(m)
    WHERE c.country <> 'WW'
)
SELECT * FROM lands
UNION ALL
SELECT id, keyword, 'WW', 0, m, 10 * round(sum(volume) * (0.115 + 0.02 * u(id, 0, m, 'rest'))) + 10 FROM lands GROUP BY id, keyword, m;

-- next part, for sites $from to $to

INSERT INTO out.keywords
WITH averaged AS (
    SELECT *, round(avg(volume) OVER (PARTITION BY id, n ORDER BY m ROWS BETWEEN 11 PRECEDING AND CURRENT ROW)) AS yearly
    FROM searches
    WHERE id * 512 // 2011 >= $from AND id * 512 // 2011 < $to
)
SELECT a.keyword, a.country, t.date, 'monthly',
    CASE WHEN u(a.id, a.n, a.m, 'nv') > 0.02 THEN a.volume END,
    CASE WHEN u(a.id, a.n, a.m, 'ny') > 0.02 THEN a.yearly END,
    CASE WHEN u(a.id, a.n, a.m, 'nc') > 0.12 THEN round(0.05 + 4 * power(u(a.id, 0, 0, 'cpc'), 3) + 0.4 * u(a.id, a.n, a.m, 'cpc'), 2) END,
    CASE WHEN u(a.id, a.n, a.m, 'nf') > 0.05 THEN CAST(1 + floor(90 * u(a.id, 0, 0, 'hard') + 10 * u(a.id, a.n, a.m, 'hard')) AS DOUBLE) END,
    CASE WHEN u(a.id, a.n, a.m, 'nz') > 0.04 THEN round(0.1 + 0.7 * u(a.id, 0, 0, 'zero') + 0.1 * u(a.id, a.n, a.m, 'zero'), 4) END
FROM averaged a JOIN months t ON t.n = a.m
WHERE u(a.id, a.n, a.m, 'silent') > 0.02
ORDER BY a.keyword, a.country, t.date;
