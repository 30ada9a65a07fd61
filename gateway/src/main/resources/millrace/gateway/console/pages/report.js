import '../lib/plot.js';
import {summary} from '../lib/account.js';
import {api} from '../lib/api.js';
import {eventTable} from '../lib/deliveries.js';
import {
  bytes, datasetName, day, duration, entryKind, exact, longDay, metricName, month, plural, range, shortId, whole,
} from '../lib/format.js';
import {PROGRESS, canRetry, cancel, download, erase, retry} from '../lib/reports.js';
import {Poll, Resource, throttled} from '../lib/resource.js';
import {
  bone, card, changing, codeBlock, copyable, empty, failure, html, isComplete, isOpen, loaded, nothing, pill, progress, region,
  reportState, skeletonRows, stamp, titled,
} from '../lib/view.js';
import {REQUEST, capital, inWords} from '../lib/words.js';

const TABLE_ROWS = 100;
/** The most that the gateway gives. */
const PLOT_ROWS = 5_000;
const PLOT_ENTITIES = 6;
const NAMES = 40;
const MINUTE = 60_000;
/** The most that a report has. */
const MOST_FILES = 1_000;

const TOLD = {
  delivered: 'was told', waiting: 'is to be told', failed: 'did not accept the event, and is tried again', dead: 'could not be told',
};

export class Report {
  #app;
  #id;
  #status;
  #timeline;
  #request;
  #deliveries;
  #preview;
  #files;
  #watch;
  #chosen = {};
  #plots = {of: null, list: []};
  #details = throttled(1_000, () => {
    this.#timeline.reload();
    this.#deliveries.reload();
  });
  #again = throttled(2_000, () => this.#reload());

  constructor(app, [id]) {
    this.#app = app;
    this.#id = id;
    const load = (run) => new Resource(run, () => app.update());
    this.#status = load((signal) => api.get(`/v3/batch/request-status/${id}`, {signal}));
    this.#timeline = load((signal) => api.get(`/v3/batch/report-timeline/${id}`, {signal}));
    this.#request = load(async (signal) => summary(await api.get(`/v3/batch/request-query/${id}`, {signal})));
    this.#deliveries = load((signal) => api.get('/v3/batch/webhooks/deliveries', {query: {report_id: id, limit: 100}, signal}));
    this.#preview = load((signal) => api.get(`/v3/batch/preview/${id}`, {query: {rows: PLOT_ROWS}, signal}));
    this.#files = load((signal) => api.get(`/v3/batch/files/${id}`, {query: {limit: MOST_FILES}, signal}));
    [this.#timeline, this.#request, this.#deliveries].forEach((r) => r.reload());
    this.#reload();
    this.#watch = new Poll(PROGRESS, () => (this.#status.value && isOpen(this.#status.value) ? this.#reload() : null));
  }

  get title() {
    return this.#status.value?.report_name ?? `Report ${shortId(this.#id)}`;
  }

  get heading() {
    return titled(this.#status.value?.report_name, this.#id);
  }

  leave() {
    this.#watch.stop();
    this.#details.stop();
    this.#again.stop();
    [this.#status, this.#timeline, this.#request, this.#deliveries, this.#preview, this.#files].forEach((r) => r.stop());
  }

  missed() {
    if (!this.#status.value || isOpen(this.#status.value)) {
      this.#again();
      this.#details();
      if (this.#request.error) {
        this.#request.reload();
      }
    }
  }

  event(event) {
    if (event.type === 'report' && event.report.report_id === this.#id) {
      this.#status.value = {...this.#status.value, ...event.report};
      if (!isOpen(event.report)) {
        // The event has no field that has gone, such as progress; the status has the receipt.
        this.#again();
      }
      this.#details();
      this.#app.update();
    } else if (event.type === 'delivery' && event.delivery.report_id === this.#id) {
      this.#details();
    } else if (event.type === 'credits' && event.entry.report_id === this.#id) {
      this.#details();
    }
  }

  /** Once it is complete, its rows are loaded, too. */
  async #reload() {
    await this.#status.reload();
    const report = this.#status.value;
    if (report && isComplete(report) && this.#preview.pending && !this.#preview.loading) {
      this.#preview.reload();
    }
    if (report?.file_count && !report.files && this.#files.pending && !this.#files.loading) {
      this.#files.reload();
    }
  }

  barred() {
    return this.#app.account.barred('request');
  }

  actions() {
    const report = this.#status.value;
    const barred = this.barred() !== null;
    const run = (operation) => async () => {
      if (await operation(report)) {
        this.#again();
        this.#details();
      }
    };
    const disabled = (name) => html`<span class="button" aria-disabled="true">${name}</span>`;
    if (!report) {
      return html`<div class="buttons start bar">${disabled('Run again')}${disabled('Download')}</div>`;
    }
    return html`<div class="buttons start bar">
      ${isOpen(report) ? html`<button class="slot" ?disabled=${barred} @click=${run(cancel)}>Cancel</button>`
        : canRetry(report) ? html`<button class="slot" ?disabled=${barred} @click=${run(retry)}>Retry</button>`
          : html`<span class="button slot none" aria-hidden="true">Cancel</span>`}
      ${barred ? disabled('Run again') : html`<a class="button" href="#/new?from=${this.#id}">Run again</a>`}
      ${isOpen(report) ? html`<span class="button slot none" aria-hidden="true">Erase</span>`
        : html`<button class="slot" ?disabled=${barred} @click=${async () => { if (await erase(report)) { location.hash = '#/reports'; } }}>Erase</button>`}
      ${report.download_url ? download(report, 'button primary') : disabled('Download')}</div>`;
  }

  view() {
    const report = this.#status.value;
    if (!report) {
      return this.#status.error?.status === 404
        ? card({title: 'Report not found', body: empty('No such report', 'This account has no report with this id. Reports are deleted some time after they end.',
          html`<a class="button" href="#/reports">All reports</a>`)})
        : this.#status.error ? failure(this.#status.error, () => this.#status.reload()) : this.#skeleton();
    }
    if (failed(report)) {
      // How long it is depends on all of it: nothing moves when the last of it comes.
      return [this.#timeline, this.#request, this.#deliveries].some((r) => r.pending) ? this.#skeleton() : this.#failed(report);
    }
    return html`
      <section class="tiles" aria-label="Summary">${this.#tiles(report)}</section>
      <div class="two even">
        ${this.#timelineCard(report)}
        ${card({title: 'Request', classes: 'tall', note: this.#runAgain(),
          body: region('Request', loaded(this.#request, (r) => this.#facts(r), skeletonRows(7, 2)))})}
      </div>
      <div class="stack">
        ${report.file_count ? this.#filesCard(report) : nothing}
        ${card({title: 'First rows', note: this.#shownRows(), classes: 'rows', body: this.#rows(report)})}
        <div class="two even">
          ${this.#receiptCard(report)}
          ${this.#webhookCard()}
        </div>
        ${card({title: 'Metrics over time', note: this.#shownRows(), classes: 'over-time', body: this.#overTime(report)})}
      </div>`;
  }

  /** Of a report without a file: why, and what follows, in place of what there is not. */
  #failed(report) {
    const moved = report.receipt?.reserved || this.#timeline.value?.entries.length;
    const told = this.#deliveries.error || this.#deliveries.value.deliveries.length || this.#request.value?.webhook_url;
    return html`
      <section class="tiles" aria-label="Summary">${this.#tiles(report)}</section>
      <div class="two even">
        ${card({title: report.outcome === 'cancelled' ? 'It was cancelled' : 'Why it failed', classes: 'tall why', body: region('Why it has no file', this.#why(report))})}
        ${this.#timelineCard(report)}
      </div>
      <div class="stack">
        ${card({title: 'Request', note: this.#runAgain(), body: loaded(this.#request, (r) => this.#facts(r), nothing)})}
        ${moved && told ? html`<div class="two even">${this.#receiptCard(report)}${this.#webhookCard()}</div>`
          : moved ? this.#receiptCard(report) : told ? this.#webhookCard() : nothing}
      </div>`;
  }

  #why(report) {
    const {error, receipt} = report;
    return html`<p class=${report.outcome === 'cancelled' ? 'lead' : 'lead bad-text'}>${capital(error.message)}</p><dl class="facts">
      <dt>What to do</dt><dd>${error.advice}${this.#app.support && report.outcome !== 'cancelled' ? html` <a href=${this.#app.support} rel="noreferrer">Contact support</a>` : nothing}</dd>
      <dt>Credits</dt><dd>${returned(receipt)}</dd>
      <dt>Told</dt><dd>${this.#told()}</dd>
      <dt>Code</dt><dd>${copyable(error.code, {text: error.code})}</dd>
      <dt>Report</dt><dd>${copyable(this.#id, {text: this.#id})}</dd></dl>`;
  }

  /** Who has heard that it ended so: the newest event of each URL says. */
  #told() {
    if (this.#deliveries.error) {
      return 'Which webhooks were sent cannot be seen at the moment.';
    }
    const newest = new Map(this.#deliveries.value.deliveries.toSorted((a, b) => a.sequence - b.sequence).map((d) => [d.url, d]));
    return newest.size ? [...newest.values()].map((d) => html`<div>${d.url} <a href="#/webhooks/${d.id}">${TOLD[d.state] ?? d.state}</a></div>`)
      : this.#request.value?.webhook_url ? `${this.#request.value.webhook_url}${justNow(this.#status.value) ? ', as soon as the event is sent.' : '; what became of the event is not kept any more.'}`
        : 'Nobody: the request names no webhook URL.';
  }

  #timelineCard(report) {
    return card({title: 'Timeline', classes: 'tall', note: isOpen(report) ? 'live' : nothing, body: region('Timeline', loaded(this.#timeline, (t) => this.#events(t), skeletonRows(4, 2)))});
  }

  /** Of a report in parts. A status has all files if they are few. */
  #filesCard(report) {
    const table = ({files}) => html`<div class="preview" tabindex="0" role="region" aria-label="Files"><table>
      <thead><tr><th scope="col">File</th><th scope="col" class="n">Rows</th><th scope="col" class="n">Size</th><th scope="col">SHA-256</th><td></td></tr></thead>
      <tbody>${files.map((f) => html`<tr><td>${f.name}</td><td class="n">${whole(f.row_count)}</td><td class="n">${bytes(f.file_size)}</td>
        <td>${copyable(f.sha256, {text: f.sha256.slice(0, 12)})}</td><td>${download(f)}</td></tr>`)}</tbody>
    </table></div>`;
    return card({title: 'Files', note: `${plural(report.file_count, 'file')}, ${bytes(report.file_size)}`,
      body: report.files ? table(report) : loaded(this.#files, table, skeletonRows(4, 4))});
  }

  #receiptCard(report) {
    return card({title: 'Receipt', classes: 'tall low', body: region('Receipt', this.#receipt(report))});
  }

  #webhookCard() {
    return card({title: 'Webhook', classes: 'tall low', body: region('Webhook', loaded(this.#deliveries, (d) => this.#attempts(d.deliveries), skeletonRows(3, 4)))});
  }

  #runAgain() {
    return this.barred() ? nothing : html`<a href="#/new?from=${this.#id}">Run again</a>`;
  }

  #skeleton() {
    return html`<section class="tiles" aria-hidden="true">${[1, 2, 3, 4].map(() => html`<div class="card tile"><span>${bone('40%')}</span>
        <strong>${bone('60%')}</strong><em>${bone('70%')}</em></div>`)}</section>
      <div class="two even">${[1, 2].map(() => html`<div class="card tall"><div>${skeletonRows(6, 2)}</div></div>`)}</div>
      <div class="stack"><div class="card rows">${skeletonRows(8, 5)}</div></div>`;
  }

  #tiles(report) {
    const tile = (name, value, note) => html`<div class="card tile"><span>${name}</span><strong>${value}</strong><em>${note}</em></div>`;
    const elapsed = Date.parse(report.updated_at) - Date.parse(report.submitted_at);
    const open = isOpen(report);
    return html`
      ${tile('Status', html`<span class="status">${open ? progress(report) : pill(reportState(report))}</span>`,
        open ? `${report.phase ?? 'queued'}, ${Math.round((report.progress ?? 0) * 100)} %` : html`ended ${stamp(report.updated_at)}`)}
      ${tile(open ? 'Estimate' : 'Credits', whole(open ? report.estimated_credits : report.used_quota ?? 0),
        open ? 'credits at most' : `estimated ${whole(report.estimated_credits)}`)}
      ${tile('Rows', whole(report.row_count), failed(report) ? 'there is no file' : report.file_size === undefined ? 'known when complete' : bytes(report.file_size))}
      ${tile('Duration', open ? '–' : duration(elapsed), html`submitted ${stamp(report.submitted_at)}`)}`;
  }

  #events({events}) {
    const kind = {complete: 'good', completed: 'good', internal_error: 'bad'};
    return html`<ol class="timeline">${events.map((e, i) => html`<li class=${kind[e.status] ?? (i < events.length - 1 ? 'mild' : '')}>
      <span>${e.outcome === 'completed' ? 'complete' : e.outcome ?? e.phase ?? e.status}${e.attempt > 1 ? ` (attempt ${e.attempt})` : ''}${e.progress > 0 && e.progress < 1 ? `, ${Math.round(e.progress * 100)} %` : ''}</span>
      <span class="took" title="Since the previous event">${i ? changing(`+${duration(e.since_previous_millis)}`) : nothing}</span>
      <small>${exact(e.occurred_at)}${e.elapsed_millis ? `, ${duration(e.elapsed_millis)} after the request` : ''}</small>
      ${e.error ? html`<small class="bad-text">${e.error.message}</small>` : nothing}</li>`)}</ol>`;
  }

  #facts(request) {
    const {field, count} = request.entities;
    const names = request[field] ?? [];
    const skipped = ['dataset', 'tags', field, 'countries', 'metrics', 'start_date', 'end_date', 'granularity', 'entities', 'delivery_method'];
    const more = Object.entries(request).filter(([key, value]) => !skipped.includes(key) && value !== 'none' && value !== false);
    const text = (value) => (value.max_rows ? whole(value.max_rows) : Array.isArray(value) ? `${value.slice(0, NAMES).join(', ')}${value.length > NAMES ? ` and ${whole(value.length - NAMES)} more` : ''}` : String(value));
    const {warnings = [], data_version: version, data_published_at: published, query_sha256: hash} = this.#status.value;
    return html`${warnings.map((w) => html`<p class="warning">${inWords(w, REQUEST)}</p>`)}<dl class="facts">
      <dt>Dataset</dt><dd>${datasetName(request.dataset)}</dd>
      <dt>${plural(count, field.replace(/s$/, ''), field)}</dt><dd>${text(names)}</dd>
      <dt>Countries</dt><dd>${text(request.countries)}</dd>
      <dt>Periods</dt><dd>${range(request.start_date, request.end_date, request.granularity)}, ${request.granularity}</dd>
      <dt>Metrics</dt><dd>${request.metrics.map((m) => metricName(m, request.dataset)).join(', ')}</dd>
      ${Object.entries(request.tags ?? {}).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      ${version ? html`<dt>Data</dt><dd>version ${copyable(version, {text: version})}${published ? html`, current since ${exact(published)}` : nothing}</dd>` : nothing}
      ${more.map(([key, value]) => html`<dt>${REQUEST[key] ?? key.replaceAll('_', ' ')}</dt><dd>${text(value)}</dd>`)}
      ${hash ? html`<dt>Query SHA-256</dt><dd>${copyable(hash)}</dd>` : nothing}
    </dl>
    ${count <= NAMES ? html`<details><summary>As JSON</summary>${codeBlock(JSON.stringify({...request, entities: undefined, dataset: undefined}, null, 2), {label: 'The request as JSON'})}</details>` : nothing}`;
  }

  #shownRows() {
    const preview = this.#preview.value;
    return preview ? `first ${whole(preview.returned)} of ${plural(preview.row_count, 'row')}` : nothing;
  }

  #waiting(report) {
    if (isOpen(report)) {
      return html`<div class="later">${empty('Not ready yet', 'This fills in by itself when the report is complete.')}</div>`;
    }
    return this.#preview.error
      ? html`<div class="later">${empty('No preview', (this.#preview.error.errors ?? []).join(' '), download(report, 'button'))}</div>`
      : html`<div class="later">${skeletonRows(8, 5)}</div>`;
  }

  #rows(report) {
    const preview = this.#preview.value;
    if (!preview || !isComplete(report)) {
      return this.#waiting(report);
    }
    if (!preview.rows.length) {
      return html`<div class="later">${empty('No rows', 'No data matches the request, so the report was free.')}</div>`;
    }
    const numeric = preview.columns.map((_, i) => preview.rows.slice(0, TABLE_ROWS).some((r) => typeof r[i] === 'number'));
    return html`<div class="preview later" tabindex="0" role="region" aria-label="First rows"><table>
      <thead><tr>${preview.columns.map((c, i) => html`<th scope="col" class=${numeric[i] ? 'n' : ''}>${metricName(c, report.dataset)}</th>`)}</tr></thead>
      <tbody>${preview.rows.slice(0, TABLE_ROWS).map((row) => html`<tr>${row.map((cell, i) => html`<td class=${numeric[i] ? 'n' : ''} title=${typeof cell === 'string' ? cell : nothing}>${cell ?? html`<span class="faint">–</span>`}</td>`)}</tr>`)}</tbody>
    </table></div>`;
  }

  #overTime(report) {
    const preview = this.#preview.value;
    const table = this.#app.account.table(report.dataset);
    if (!preview || !table || !isComplete(report)) {
      return this.#waiting(report);
    }
    const view = plotted(preview, table, this.#chosen);
    if (!view.metrics.length || !view.dates.length) {
      return html`<div class="later">${empty('Nothing to plot', 'The rows have no metrics over time.')}</div>`;
    }
    const key = JSON.stringify(this.#chosen);
    if (this.#plots.of !== preview || this.#plots.key !== key) {
      this.#plots = {of: preview, key, list: view.metrics.map((m) => view.plot(m))};
    }
    const granularity = this.#request.value?.granularity;
    return html`
      <div class="filters">${view.dimensions.map((d) => html`<label>${d.name.replaceAll('_', ' ')}
        <select @change=${(e) => { this.#chosen = {...this.#chosen, [d.name]: e.target.value}; this.#app.update(); }}>
          ${d.values.map((v) => html`<option ?selected=${v === d.chosen}>${v}</option>`)}</select></label>`)}
        ${view.entities > PLOT_ENTITIES ? html`<span class="new-line faint">the first ${PLOT_ENTITIES} of ${whole(view.entities)}</span>` : nothing}</div>
      <div class="plots">${view.metrics.map((metric, i) => html`<div><h3>${metricName(metric.name, report.dataset)}</h3>
        <p class="help">${metric.meaning}</p>
        <m-plot .plot=${withNames(this.#plots.list[i], granularity)}></m-plot></div>`)}</div>`;
  }

  #receipt(report) {
    const {receipt} = report;
    const entries = this.#timeline.value?.entries ?? [];
    if (!receipt && !entries.length) {
      return this.#timeline.pending ? skeletonRows(3, 4) : empty('Nothing was charged', 'Credits are reserved when the report is accepted.');
    }
    return html`
      ${receipt ? html`<p class="soft receipt">${whole(receipt.reserved)} reserved, <strong>${whole(receipt.charged)} charged</strong>, ${whole(receipt.released)} released.
        Price: ${this.#app.account.table(report.dataset)?.price ?? receipt.price_rule}.</p>` : nothing}
      <div class="scroll"><table>
        <thead><tr><th scope="col">Entry</th><th scope="col" class="hide-s">When</th><th scope="col" class="n">Credits</th>
          <th scope="col" class="n">Balance after</th></tr></thead>
        <tbody>${entries.map((e) => html`<tr><td title=${e.entry_id}>${entryKind(e.kind)}</td>
          <td class="hide-s">${exact(e.occurred_at)}</td><td class="n">${whole(e.amount)}</td>
          <td class="n">${whole(e.remaining)}</td></tr>`)}</tbody>
      </table></div>
      ${report.sha256 ? html`<p class="help">SHA-256 of the file: <code class="wrap">${report.sha256}</code>${report.expires_at ? html`; the file is kept until ${stamp(report.expires_at)}` : nothing}.</p>` : nothing}`;
  }

  #attempts(deliveries) {
    if (!deliveries.length) {
      return this.#request.value?.webhook_url
        ? justNow(this.#status.value)
          ? empty('No events yet', 'The first one is sent when the status changes.')
          : empty('No events', 'Events are kept for some days; those of this report are not kept any more.')
        : empty('No webhook', 'The request names no webhook URL. With one, every status change is sent to it.');
    }
    return eventTable(deliveries, (d) => `#/webhooks/${d.id}`);
  }
}

/** Whether events of it may be on their way. */
const justNow = (report) => isOpen(report) || api.now() - Date.parse(report.updated_at) < MINUTE;

const failed = (report) => !isOpen(report) && !isComplete(report);

/** What became of the credits of a report without a file. */
function returned(receipt) {
  if (!receipt?.reserved) {
    return 'None were reserved, and nothing was charged.';
  }
  const {reserved, charged, released} = receipt;
  const all = reserved === 1 ? 'The credit that was reserved was returned' : `All ${whole(reserved)} credits that were reserved were returned`;
  return charged === 0 && released === reserved ? `${all}; nothing was charged.`
    : `Of ${plural(reserved, 'credit')} that were reserved, ${whole(released)} were returned and ${whole(charged)} charged.`;
}

function withNames(plot, granularity) {
  const name = granularity === 'monthly' ? month : granularity === 'daily' ? day : longDay;
  plot.x ??= name;
  return plot;
}

/**
 * A preview as lines: one for each entity, over the column `date`. Further key columns (country, age group, …) are dimensions,
 * of which one value is chosen.
 */
export function plotted(preview, table, chosen) {
  const {columns, rows} = preview;
  const metrics = table.table_metrics.filter((m) => columns.includes(m.name) && m.type !== 'text');
  const known = new Set(table.table_metrics.map((m) => m.name));
  const keys = columns.filter((c) => !known.has(c));
  const date = columns.indexOf('date');
  const [entity] = keys;
  const at = columns.indexOf(entity);
  const names = [...new Set(rows.map((r) => r[at]))];
  const shownNames = names.slice(0, PLOT_ENTITIES);
  let left = rows.filter((r) => shownNames.includes(r[at]));
  const dimensions = keys.filter((k) => k !== entity && k !== 'date').map((name) => {
    const column = columns.indexOf(name);
    // Of what the choices before leave: a keyword of another country would have no line.
    const values = [...new Set(left.map((r) => String(r[column] ?? '')))];
    const value = values.includes(chosen[name]) ? chosen[name] : values[0];
    left = left.filter((r) => String(r[column] ?? '') === value);
    return {name, values, chosen: value};
  }).filter((d) => d.values.length > 1);
  const dates = date < 0 ? [] : [...new Set(left.map((r) => r[date]))].sort();
  const place = new Map(dates.map((d, i) => [d, i]));
  return {
    metrics, dimensions, dates, entities: names.length,
    plot(metric) {
      const column = columns.indexOf(metric.name);
      const series = shownNames.map((name, i) => ({name: String(name), colour: i + 1, values: new Array(dates.length).fill(null)}));
      for (const row of left) {
        series[shownNames.indexOf(row[at])].values[place.get(row[date])] = typeof row[column] === 'number' ? row[column] : null;
      }
      return {
        kind: 'lines', label: `${metric.meaning} of ${plural(series.length, entity)}, over time.`,
        unit: metric.unit, xs: dates.map((d) => Date.parse(d)), series, height: 200,
      };
    },
  };
}
