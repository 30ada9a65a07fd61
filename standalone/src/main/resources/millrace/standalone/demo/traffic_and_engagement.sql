CREATE TABLE out.traffic_and_engagement (
    domain VARCHAR, category_id INTEGER, country VARCHAR, date DATE, granularity VARCHAR, subdomains BOOLEAN,
    category_sales_performance_product_views DOUBLE, category_sales_performance_units_sold DOUBLE,
    category_sales_performance_revenue DOUBLE, category_sales_performance_cvr DOUBLE);

CREATE TABLE periods AS
SELECT 'daily' AS granularity, date, n, 1.0 AS length FROM days
UNION ALL SELECT granularity, date, n, 7.0 FROM weeks WHERE granularity = 'weekly'
UNION ALL SELECT 'monthly', date, n, 30.4 FROM months;

-- next part, for sites $from to $to

-- One to three of the categories 1 to 24 per site.
CREATE OR REPLACE TABLE shelves AS
SELECT id, CAST(1 + (hash(getvariable('seed'), id, 'shelf') % 24 + 7 * k) % 24 AS INTEGER) AS category_id
FROM sites, generate_series(0, 2) t(k)
WHERE id >= $from AND id < $to AND k < 1 + 1.4 * u(id, 0, 0, 'shelves');

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
    CASE WHEN t.views > 0 THEN round(t.units / t.views, 5) END
FROM totalled t JOIN sites s ON s.id = t.id
WHERE u(t.id * 64 + t.n, t.period, 0, 'silent') > 0.01
ORDER BY s.domain, t.granularity, t.subdomains, t.category_id, t.country, t.date;
