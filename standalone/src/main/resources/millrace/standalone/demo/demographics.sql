CREATE TABLE out.demographics (
    domain VARCHAR, country VARCHAR, date DATE, age_group VARCHAR, gender VARCHAR, granularity VARCHAR, subdomains BOOLEAN,
    demographics_share DOUBLE, demographics_avg_visit_duration DOUBLE, demographics_bounce_rate DOUBLE,
    demographics_pages_per_visit DOUBLE);

CREATE TABLE people AS
SELECT CAST(row_number() OVER () AS INTEGER) AS g, * FROM (VALUES
    ('18-24', 'Female', 0.075), ('18-24', 'Male', 0.085), ('25-34', 'Female', 0.125), ('25-34', 'Male', 0.145),
    ('35-44', 'Female', 0.105), ('35-44', 'Male', 0.110), ('45-54', 'Female', 0.080), ('45-54', 'Male', 0.085),
    ('55-64', 'Female', 0.060), ('55-64', 'Male', 0.055), ('65+', 'Female', 0.040), ('65+', 'Male', 0.035)) t(age_group, gender, base);

-- next part, for sites $from to $to

-- The largest group takes what rounding leaves over, so that the shares of a site add up to 1.
INSERT INTO out.demographics
WITH weights AS (
    SELECT m.domain, m.id, m.country, m.n, t.date, t.n AS month, p.g, p.age_group, p.gender, v.subdomains, v.v,
        p.base * (0.5 + u(m.id, p.g, 0, 'taste')) * (0.85 + 0.3 * u(m.id, p.g, m.n, 'land')) * (0.96 + 0.08 * u(m.id * 64 + m.n, t.n, p.g + 16 * v.v, 'month')) AS w
    FROM markets m, months t, people p, variants v
    WHERE m.id >= $from AND m.id < $to AND u(m.id, m.n, t.n, 'silent') > 0.02
), shares AS (
    SELECT *, round(w / sum(w) OVER part, 4) AS share FROM weights
    WINDOW part AS (PARTITION BY id, n, month, v)
)
SELECT domain, country, date, age_group, gender, 'monthly', subdomains,
    CASE WHEN g = 4 THEN round(1 - (sum(share) OVER (PARTITION BY id, n, month, v) - share), 4) ELSE share END,
    CASE WHEN u(id * 64 + n, month, g, 'nd') > 0.03 THEN round(60 + 400 * u(id, g, 0, 'dur') + 60 * u(id * 64 + n, month, g + 16 * v, 'dur'), 2) END,
    CASE WHEN u(id * 64 + n, month, g, 'nb') > 0.03 THEN round(0.2 + 0.45 * u(id, g, 0, 'bounce') + 0.1 * u(id * 64 + n, month, g + 16 * v, 'bounce'), 4) END,
    CASE WHEN u(id * 64 + n, month, g, 'np') > 0.03 THEN round(1.3 + 6 * u(id, g, 0, 'pages') + u(id * 64 + n, month, g + 16 * v, 'pages'), 2) END
FROM shares
ORDER BY domain, subdomains, country, date, age_group, gender;
