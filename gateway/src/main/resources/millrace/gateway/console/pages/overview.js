import '../lib/plot.js';
import {api} from '../lib/api.js';
import {outline} from '../lib/account.js';
import {hostOf} from '../lib/deliveries.js';
import {addDays, askedFor, compact, duration, percent, plural, utcDay, whole} from '../lib/format.js';
import {newReport, watchOpen} from '../lib/reports.js';
import {Resource, throttled} from '../lib/resource.js';
import {
  card, changing, colour, empty, endpointPill, html, isOpen, loaded, nothing, progress, reportLink, repeat, shown, skeletonRows, swatch,
} from '../lib/view.js';

const OPEN_SHOWN = 8;
const ENDPOINTS_SHOWN = 4;
const DAYS = 30;

export class Overview {
  title = 'Overview';
  #app;
  #resources;
  #outlines = new Map();
  #plot = null;
  #plotOf = null;
  #timer;
  #watch;
  #figures = throttled(5_000, () => this.#reload(['credits', 'usage', 'statistics']));
  #endpoints = throttled(5_000, () => this.#reload(['endpoints']));
  #open = throttled(1_000, () => this.#reload(['open']));

  constructor(app) {
    this.#app = app;
    const load = (run) => new Resource(run, () => app.update());
    const today = utcDay(api.now());
    this.#resources = {
      credits: load((signal) => this.#credits(signal)),
      usage: load((signal) => api.get('/v3/batch/credits/usage', {
        query: {from: addDays(today, 1 - 2 * DAYS), to: today, group_by: 'day,dataset'}, signal,
      })),
      statistics: load((signal) => api.get('/v3/batch/statistics', {query: {from: addDays(today, -6), to: today}, signal})),
      open: load((signal) => this.#openNow(signal)),
      endpoints: load((signal) => this.#webhooks(signal)),
    };
    this.#reload(Object.keys(this.#resources));
    // What is left of a report is counted down between its events.
    const open = () => this.#resources.open.value?.some(isOpen);
    this.#timer = setInterval(() => open() && app.update(), 1_000);
    this.#watch = watchOpen(open, (report) => {
      this.#change(report);
      app.update();
    });
  }

  /** The newest ledger entry tells what is reserved; a new account has none. */
  async #credits(signal) {
    const [balance, newest] = await Promise.all([
      api.get('/v3/batch/credits', {signal}),
      api.get('/v3/batch/credits/entries', {query: {limit: 1}, signal}).catch(() => ({entries: []})),
    ]);
    return {remaining: balance.remaining_credits, reserved: newest.entries[0]?.reserved ?? null};
  }

  /** The subscriptions are asked for only if nothing was sent: the card names them then. */
  async #webhooks(signal) {
    const {endpoints} = await api.get('/v3/batch/webhooks/endpoints', {query: {limit: 100}, signal});
    const {subscriptions} = endpoints.length ? {subscriptions: []} : await api.get('/v3/batch/webhooks/subscriptions', {signal});
    return {endpoints, subscriptions};
  }

  #reload(names) {
    names.forEach((name) => this.#resources[name].reload());
  }

  missed() {
    this.#figures();
    this.#endpoints();
    this.#open();
  }

  event(event) {
    if (event.type === 'report') {
      this.#change(event.report);
    } else if (event.type === 'credits' && this.#resources.credits.value) {
      this.#resources.credits.value = {remaining: event.entry.remaining, reserved: event.entry.reserved};
    } else if (event.type === 'delivery') {
      this.#endpoints();
    }
    this.#app.update();
  }

  /**
   * What is open, in the places where it is shown already. What has ended since keeps its row, with how it ended: rows do not
   * move while one looks at them.
   */
  async #openNow(signal) {
    const {reports} = await api.get('/v3/batch/report-history', {query: {status: 'processing', limit: 50}, signal});
    const now = new Map(reports.map((r) => [r.report_id, r]));
    const shownRows = this.#resources?.open.value ?? [];
    const known = await Promise.all(shownRows.map((r) => now.get(r.report_id) ?? (isOpen(r)
      ? api.get(`/v3/batch/request-status/${r.report_id}`, {signal}).catch(() => r) : r)));
    const ids = new Set(known.map((r) => r.report_id));
    return reports.filter((r) => !ids.has(r.report_id)).reduce(placed, known);
  }

  #change(report) {
    const open = this.#resources.open;
    if (!open.value) {
      return;
    }
    if (open.value.some((r) => r.report_id === report.report_id)) {
      open.value = open.value.map((r) => (r.report_id === report.report_id && r.sequence <= report.sequence ? report : r));
    } else if (isOpen(report)) {
      open.value = placed(open.value, report);
    }
    if (!isOpen(report)) {
      this.#figures();
    }
  }

  leave() {
    clearInterval(this.#timer);
    this.#watch.stop();
    [this.#figures, this.#endpoints, this.#open].forEach((t) => t.stop());
    Object.values(this.#resources).forEach((r) => r.stop());
  }

  actions() {
    return newReport(this.#app);
  }

  view() {
    const {usage, endpoints, open} = this.#resources;
    return html`
      <section class="tiles" aria-label="At a glance">${this.#tiles()}</section>
      <div class="two">
        ${card({
          title: 'Credits spent per day', note: `last ${DAYS} days, UTC`, classes: 'plot-card',
          body: loaded(usage, () => this.#spent(), html`<div class="plot-bone bone-block" role="status" aria-label="Loading"></div>`),
        })}
        ${card({
          title: 'Webhooks', note: html`<a href="#/webhooks">All webhooks</a>`, classes: 'health',
          body: loaded(endpoints, (value) => this.#health(value), skeletonRows(4, 2)),
        })}
      </div>
      ${card({
        title: 'Open reports', note: html`<a href="#/reports">All reports</a>`,
        body: loaded(open, (value) => this.#openReports(value), skeletonRows(3, 4)),
      })}`;
  }

  #tiles() {
    const {credits, usage, statistics, open} = this.#resources;
    const tile = (name, value, note) => html`<div class="card tile"><span>${name}</span><strong>${value}</strong><em>${note}</em></div>`;
    const count = open.value?.filter(isOpen).length ?? 0;
    const total = (s) => s.total ?? {};
    return html`
      ${tile('Credits left', shown(credits, (c) => whole(c.remaining), '70%'),
        shown(credits, (c) => (c.reserved ? `${whole(c.reserved)} reserved by ${plural(count, 'open report')}` : 'none reserved')))}
      ${tile(`Spent, last ${DAYS} days`, shown(usage, () => whole(this.#spentIn(0)), '60%'), shown(usage, () => this.#compared()))}
      ${tile('Completed, last 7 days', shown(statistics, (s) => {
        const ended = (total(s).complete ?? 0) + (total(s).failed ?? 0);
        return ended ? html`${whole(total(s).complete)} <small>of ${whole(ended)}</small>` : '0';
      }, '50%'), shown(statistics, (s) => {
        const {complete = 0, failed = 0, cancelled = 0} = total(s);
        const part = complete + failed ? percent(complete / (complete + failed)) : null;
        return failed
          ? html`<a href="#/reports?status=failed">${whole(failed)} failed</a>; ${part} succeeded`
          : cancelled ? `none failed, ${whole(cancelled)} cancelled` : 'none failed';
      }))}
      ${tile('Time to complete, p95', shown(statistics, (s) => duration(total(s).p95_millis), '40%'),
        shown(statistics, (s) => (total(s).p50_millis === undefined || total(s).p50_millis === null
          ? 'no report in 7 days' : `median ${duration(total(s).p50_millis)}`)))}`;
  }

  /** Credits of the 30 days before those that ended so many days ago. */
  #spentIn(ago) {
    const today = utcDay(api.now());
    const from = addDays(today, 1 - DAYS - ago);
    const to = addDays(today, -ago);
    return this.#resources.usage.value.usage
      .filter((u) => u.day >= from && u.day <= to)
      .reduce((sum, u) => sum + u.credits, 0);
  }

  #compared() {
    const now = this.#spentIn(0);
    const before = this.#spentIn(DAYS);
    if (!before) {
      return now ? `none in the previous ${DAYS} days` : 'nothing yet';
    }
    const part = Math.abs(now - before) / before;
    return part < 0.005
      ? `same as the previous ${DAYS} days`
      : `${part > 9.995 ? `${compact(now / before)} times` : percent(part)} ${now > before ? 'more' : 'less'} than the previous ${DAYS} days`;
  }

  #spent() {
    const {usage} = this.#resources;
    const names = this.#app.account.datasets;
    if (this.#app.account.tables.pending) {
      // The datasets' order is that of the bars and their colours.
      return html`<div class="plot-bone bone-block"></div>`;
    }
    if (this.#plotOf !== usage.value || this.#plot.known !== names.length) {
      this.#plotOf = usage.value;
      this.#plot = usagePlot(usage.value.usage, utcDay(api.now()), DAYS, names);
    }
    return this.#plot.series.length
      ? html`<m-plot .plot=${this.#plot}></m-plot>`
      : html`<div class="plot-bone">${empty('Nothing spent yet', 'Days with completed reports show up here.',
        html`<a class="button" href="#/new">Request your first report</a>`)}</div>`;
  }

  #health({endpoints, subscriptions}) {
    if (!endpoints.length) {
      return subscriptions.length
        ? empty('Nothing sent lately', `${plural(subscriptions.length, 'URL is', 'URLs are')} told when there are new data. To be told of a report, name a webhook URL in its request.`,
          html`<a class="button" href="#/webhooks">Test a receiver</a>`)
        : empty('Nothing sent lately', 'Name a webhook URL when you request a report, and each change of its status is sent there. Or subscribe a URL to new data.',
          html`<a class="button" href="#/webhooks">Set up a webhook</a>`);
    }
    // What needs a look comes first.
    const order = {parked: 0, recovering: 1, stopped: 2, active: 3};
    const sorted = endpoints.toSorted((a, b) => order[a.state] - order[b.state] || b.waiting - a.waiting);
    const rest = sorted.length - ENDPOINTS_SHOWN;
    const parked = sorted.find((e) => e.state !== 'active' && e.waiting);
    return html`<table>
      <thead><tr><th scope="col">Endpoint</th><th scope="col" class="n">Waiting</th>
        <th scope="col" class="n">State</th></tr></thead>
      <tbody>${sorted.slice(0, ENDPOINTS_SHOWN).map((e) => html`<tr>
        <td class="cut" title=${e.origin}>${hostOf(e.origin)}</td><td class="n">${changing(whole(e.waiting))}</td>
        <td class="n">${endpointPill(e)}</td></tr>`)}</tbody>
    </table>
    <p class="note-line">${parked
      ? html`${plural(parked.waiting, 'event waits', 'events wait')} for ${hostOf(parked.origin)}. <a href="#/webhooks?endpoint=${parked.endpoint}">See deliveries</a>`
      : rest > 0 ? html`and ${whole(rest)} more` : nothing}</p>`;
  }

  #openReports(reports) {
    if (!reports.length) {
      return empty('No open reports', 'Reports in progress show up here.',
        html`<a class="button" href="#/new">New report</a>`);
    }
    const rest = reports.length - OPEN_SHOWN;
    return html`<table class="fixed">
      <colgroup><col class="c-report"><col class="c-name hide-s"><col class="hide"><col class="c-progress"><col class="c-n hide-s">
        <col class="c-n hide"></colgroup>
      <thead><tr><th scope="col">Report</th><th scope="col" class="hide-s">Dataset</th><th scope="col" class="hide">Request</th>
        <th scope="col">Progress</th>
        <th scope="col" class="n hide-s">Estimate</th><th scope="col" class="n hide">Time left</th></tr></thead>
      <tbody>${repeat(reports.slice(0, OPEN_SHOWN), (r) => r.report_id, (r) => html`<tr>
        <td>${reportLink(r)}</td>
        <td class="cut hide-s">${swatch(r.dataset, this.#app.account.datasets)}</td>
        <td class="hide cut">${this.#outline(r.report_id)}</td>
        <td>${progress(r)}</td>
        <td class="n hide-s">${whole(r.estimated_credits)}</td>
        <td class="n hide">${changing(left(r))}</td></tr>`)}</tbody>
    </table>
    ${rest > 0 ? html`<p class="note-line"><a href="#/reports?status=processing">and ${whole(rest)} more</a></p>` : nothing}`;
  }

  #outline(id) {
    if (!this.#outlines.has(id)) {
      this.#outlines.set(id, '');
      outline(id).then((request) => {
        this.#outlines.set(id, askedFor(request));
        this.#app.update();
      }, () => {});
    }
    return this.#outlines.get(id);
  }
}

/** With one more: in the place of one that has ended, else at the end. */
function placed(reports, report) {
  const at = reports.findIndex((r) => !isOpen(r));
  return at < 0 ? [...reports, report] : reports.with(at, report);
}

/** From its progress so far; nothing while that says little. */
function left(report) {
  if (!isOpen(report)) {
    return '–';
  }
  const part = report.progress ?? 0;
  const elapsed = api.now() - Date.parse(report.submitted_at);
  return part < 0.05 || elapsed < 1_000 ? '–' : `about ${duration(Math.max(1_000, (elapsed * (1 - part)) / part))}`;
}

/** The dataset of reports that are not known any more. */
export const FORGOTTEN = 'reports no longer kept';

/** Usage per day and dataset as a plot of so many days that end with `last`. */
export function usagePlot(usage, last, days, names) {
  const xs = Array.from({length: days}, (_, i) => addDays(last, i - days + 1));
  const at = new Map(xs.map((x, i) => [x, i]));
  const values = new Map();
  for (const {day, dataset = FORGOTTEN, credits} of usage) {
    if (at.has(day)) {
      if (!values.has(dataset)) {
        values.set(dataset, new Array(days).fill(0));
      }
      values.get(dataset)[at.get(day)] += credits;
    }
  }
  const place = (name) => (names.includes(name) ? names.indexOf(name) : names.length);
  const order = [...values.keys()].sort((a, b) => place(a) - place(b));
  return {
    kind: 'bars',
    known: names.length,
    label: `Credits spent on each of ${days} days by dataset.`,
    unit: 'credits per day',
    xs,
    series: order.map((name) => ({name: name.replaceAll('_', ' '), colour: colour(name, names), values: values.get(name)})),
  };
}
