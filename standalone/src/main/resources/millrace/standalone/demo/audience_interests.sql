CREATE TABLE out.audience_interests (
    domain VARCHAR, country VARCHAR, date DATE, audience_domain VARCHAR, granularity VARCHAR, subdomains BOOLEAN,
    desktop_audience_interests_affinity DOUBLE, mobile_audience_interests_affinity DOUBLE,
    desktop_audience_interests_overlap DOUBLE, mobile_audience_interests_overlap DOUBLE);

-- next part, for sites $from to $to

-- The neighbours of a site are those at fixed odd steps from it: distinct, never the site itself.
INSERT INTO out.audience_interests
WITH neighbours AS (
    SELECT m.domain, m.id, m.country, m.n, CAST(k AS INTEGER) AS k,
        CAST((m.id + 1 + ((k * 37 + hash(getvariable('seed'), m.id, 'step') % 64) * 2) % 511) % 512 AS INTEGER) AS other,
        0.42 / power(k + 1, 0.6) * (0.6 + 0.8 * u(m.id, k, m.n, 'near')) AS near
    FROM markets m, generate_series(0, 19) s(k)
    WHERE m.id >= $from AND m.id < $to AND (k < 6 OR m.country = 'WW')
)
SELECT b.domain, b.country, t.date, o.domain, 'monthly', v.subdomains,
    CASE WHEN u(b.id * 64 + b.n, t.n, b.k, 'da') > 0.08 THEN round(b.near * 100 * (0.9 + 0.2 * u(b.id * 64 + b.n, t.n, b.k + 32 * v.v, 'a')), 2) END,
    CASE WHEN u(b.id * 64 + b.n, t.n, b.k, 'ma') > 0.15 THEN round(b.near * 100 * (0.8 + 0.4 * u(b.id * 64 + b.n, t.n, b.k + 32 * v.v, 'b')), 2) END,
    CASE WHEN u(b.id * 64 + b.n, t.n, b.k, 'do') > 0.08 THEN round(least(1, b.near * (0.9 + 0.2 * u(b.id * 64 + b.n, t.n, b.k + 32 * v.v, 'c'))), 4) END,
    CASE WHEN u(b.id * 64 + b.n, t.n, b.k, 'mo') > 0.15 THEN round(least(1, b.near * (0.8 + 0.4 * u(b.id * 64 + b.n, t.n, b.k + 32 * v.v, 'd'))), 4) END
FROM neighbours b JOIN sites o ON o.id = b.other, months t, variants v
WHERE u(b.id * 64 + b.n, t.n, b.k, 'silent') > 0.03
ORDER BY b.domain, v.subdomains, b.country, t.date, o.domain;
