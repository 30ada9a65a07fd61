CREATE TABLE out.traffic_and_engagement (
    domain VARCHAR, category_id INTEGER, country VARCHAR, date DATE, granularity VARCHAR, subdomains BOOLEAN,
    category_sales_performance_product_views DOUBLE, category_sales_performance_units_sold DOUBLE,
    category_sales_performance_revenue DOUBLE, category_sales_performance_cvr DOUBLE,
    all_traffic_visits DOUBLE, desktop_visits DOUBLE, mobile_visits DOUBLE,
    desktop_unique_visitors DOUBLE, mobile_unique_visitors DOUBLE, deduplicated_audience DOUBLE, all_page_views DOUBLE,
    all_traffic_bounce_rate DOUBLE, desktop_bounce_rate DOUBLE, mobile_bounce_rate DOUBLE,
    all_traffic_pages_per_visit DOUBLE, desktop_pages_per_visit DOUBLE, mobile_pages_per_visit DOUBLE,
    all_traffic_average_visit_duration DOUBLE, desktop_average_visit_duration DOUBLE, mobile_average_visit_duration DOUBLE,
    global_rank INTEGER);

CREATE TABLE periods AS
SELECT 'daily' AS granularity, date, n, 1.0 AS length FROM days
UNION ALL SELECT granularity, date, n, 7.0 FROM weeks WHERE granularity = 'weekly'
UNION ALL SELECT 'monthly', date, n, 30.4 FROM months;

-- next part, for sites $from to $to

-- One or two of the categories 1 to 24 per site.
CREATE OR REPLACE TABLE shelves AS
SELECT id, CAST(1 + (hash(getvariable('seed'), id, 'shelf') % 24 + 7 * k) % 24 AS INTEGER) AS category_id
FROM sites, generate_series(0, 1) t(k)
WHERE id >= $from AND id < $to AND (k = 0 OR u(id, 0, 0, 'shelves') < 0.3);

-- The figures of the website itself. Visitors and ratios stay the same for 20 periods: so many figures take room.
CREATE OR REPLACE TABLE website AS
WITH lands AS (
    SELECT m.id, m.n, m.country, p.granularity, p.date, p.n AS period, v.subdomains, v.v,
        CASE p.granularity WHEN 'daily' THEN 0.9 WHEN 'weekly' THEN 0.7 ELSE 0.45 END AS once,
        m.visits * 0.05 * p.length * (1 + 0.2 * v.v * u(m.id, 0, 0, 'sub')) AS usual, 0.85 + 0.3 * u(m.id * 64 + m.n, p.n, 0, p.granularity) AS now,
        0.25 + 0.5 * u(m.id, m.n, 0, 'desktop') AS part
    FROM markets m, periods p, variants v
    WHERE m.id >= $from AND m.id < $to AND m.country <> 'WW'
), rounded AS (
    SELECT id, n, country, granularity, date, period, subdomains, v, once, part, usual,
        round(usual * now * part) AS desktop, round(usual * now * (1 - part)) AS mobile
    FROM lands
), everywhere AS (
    SELECT * FROM rounded
    UNION ALL
    SELECT id, 0, 'WW', granularity, date, period, subdomains, v, once, sum(usual * part) / sum(usual), sum(usual) * 1.2,
        round(sum(desktop) * (1.2 + 0.3 * u(id, period, 0, 'else'))), round(sum(mobile) * (1.2 + 0.3 * u(id, period, 0, 'else')))
    FROM rounded GROUP BY id, granularity, date, period, subdomains, v, once
), people AS (
    SELECT *, u(id * 64 + n, period // 20, v, 'engaged') AS mood, u(id * 64 + n, period // 20, 0, 'known') AS known,
        round(usual * part * once * (0.7 + 0.1 * u(id * 64 + n, period // 20, v, 'people'))) AS desktop_people, round(usual * (1 - part) * once * (0.7 + 0.1 * u(id * 64 + n, period // 20, v + 2, 'people'))) AS mobile_people
    FROM everywhere
), engaged AS (
    SELECT *,
        round(0.22 + 0.3 * u(id, 0, 0, 'bounce') + 0.05 * mood, 2) AS desktop_bounce, round(0.3 + 0.35 * u(id, 0, 0, 'bounce') + 0.05 * mood, 2) AS mobile_bounce,
        round(2 + 6 * u(id, 0, 0, 'pages') + 0.8 * mood, 1) AS desktop_pages, round(1.5 + 4 * u(id, 0, 0, 'pages') + 0.8 * mood, 1) AS mobile_pages,
        round(90 + 380 * u(id, 0, 0, 'stay') + 20 * mood) AS desktop_stay, round(60 + 260 * u(id, 0, 0, 'stay') + 20 * mood) AS mobile_stay
    FROM people
)
SELECT e.id, 0 AS category_id, e.n, e.granularity, e.period, e.v,
    desktop + mobile AS all_visits, desktop, mobile,
    CASE WHEN known > 0.03 THEN desktop_people END AS desktop_people, CASE WHEN known > 0.03 THEN mobile_people END AS mobile_people,
    CASE WHEN known > 0.03 THEN round(greatest(desktop_people, mobile_people) + least(desktop_people, mobile_people) * (0.3 + 0.5 * u(id, n, 0, 'both'))) END AS audience,
    round(desktop * desktop_pages + mobile * mobile_pages) AS views,
    round(part * desktop_bounce + (1 - part) * mobile_bounce, 2) AS bounce,
    CASE WHEN known < 0.98 THEN desktop_bounce END AS desktop_bounce, CASE WHEN known < 0.95 THEN mobile_bounce END AS mobile_bounce,
    round(part * desktop_pages + (1 - part) * mobile_pages, 1) AS pages,
    CASE WHEN known < 0.98 THEN desktop_pages END AS desktop_pages, CASE WHEN known < 0.95 THEN mobile_pages END AS mobile_pages,
    round(part * desktop_stay + (1 - part) * mobile_stay) AS stay,
    CASE WHEN known < 0.98 THEN desktop_stay END AS desktop_stay, CASE WHEN known < 0.95 THEN mobile_stay END AS mobile_stay,
    CAST(20 + 41 * s.rank + floor(40 * u(e.id, e.period // 20, 0, 'rank')) AS INTEGER) AS rank
FROM engaged e JOIN sites s USING (id);

INSERT INTO out.traffic_and_engagement
WITH lands AS (
    SELECT m.id, m.n, m.country, s.category_id, p.granularity, p.date, p.n AS period, v.subdomains, v.v,
        ceil(m.visits * 0.02 * p.length * (0.4 + u(m.id, s.category_id, 0, 'shelf')) * (0.85 + 0.3 * u(m.id * 64 + m.n, p.n, s.category_id, p.granularity)) * (1 + 0.2 * v.v * u(m.id, 0, 0, 'sub'))) AS views
    FROM shelves s JOIN markets m ON m.id = s.id, periods p, variants v
    WHERE m.country <> 'WW'
), sales AS (
    SELECT *, floor(views * (0.005 + 0.06 * u(id, category_id, 0, 'cvr')) * (0.9 + 0.2 * u(id * 64 + n, period, category_id, 'cvr'))) AS units FROM lands
), priced AS (
    SELECT *, round(units * (5 + 120 * u(id, category_id, 0, 'price'))) AS revenue FROM sales
), everywhere AS (
    SELECT id, n, country, category_id, granularity, date, period, subdomains, v, views, units, revenue FROM priced
    UNION ALL
    SELECT id, 0, 'WW', category_id, granularity, date, period, subdomains, v, ceil(sum(views) * (1.2 + 0.3 * u(id, period, category_id, 'rest'))),
        ceil(sum(units) * (1.2 + 0.3 * u(id, period, category_id, 'rest'))), ceil(sum(revenue) * (1.2 + 0.3 * u(id, period, category_id, 'rest')))
    FROM priced GROUP BY id, category_id, granularity, date, period, subdomains, v
), totalled AS (
    SELECT * FROM everywhere
    UNION ALL
    SELECT id, n, country, 0, granularity, date, period, subdomains, v, sum(views), sum(units), sum(revenue)
    FROM everywhere GROUP BY id, n, country, granularity, date, period, subdomains, v
)
SELECT s.domain, t.category_id, t.country, t.date, t.granularity, t.subdomains, t.views,
    CASE WHEN u(t.id * 64 + t.n, t.period, t.category_id, 'nu') > 0.02 THEN t.units END,
    CASE WHEN u(t.id * 64 + t.n, t.period, t.category_id, 'nr') > 0.03 THEN t.revenue END,
    CASE WHEN t.views > 0 THEN round(t.units / t.views, 5) END,
    w.all_visits, w.desktop, w.mobile, w.desktop_people, w.mobile_people, w.audience, w.views,
    w.bounce, w.desktop_bounce, w.mobile_bounce, w.pages, w.desktop_pages, w.mobile_pages,
    w.stay, w.desktop_stay, w.mobile_stay, w.rank
FROM totalled t JOIN sites s ON s.id = t.id
LEFT JOIN website w ON w.category_id = t.category_id AND w.id = t.id AND w.n = t.n AND w.granularity = t.granularity AND w.period = t.period AND w.v = t.v
WHERE u(t.id * 64 + t.n, t.period, 0, 'silent') > 0.01
ORDER BY s.domain, t.granularity, t.subdomains, t.category_id, t.country, t.date;
