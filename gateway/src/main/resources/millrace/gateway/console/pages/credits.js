import '../lib/plot.js';
import {api} from '../lib/api.js';
import {addDays, datasetName, day, entryKind, exact, longDay, plural, time, utcDay, whole} from '../lib/format.js';
import {Pages, Resource, throttled} from '../lib/resource.js';
import {ref} from '../lit-html/directives/ref.js';
import {
  ScrollEnd, card, csv, empty, failure, html, loaded, reportLink, save, sentence, shown, skeletonRows, swatch, toast,
} from '../lib/view.js';
import {FORGOTTEN, usagePlot} from './overview.js';

const RANGES = [7, 30, 90];
/** So many entries are one answer of the gateway, and a line through each of them. */
const EXACT = 1_000;
/** Of more, the balance is asked for at so many times. */
const SAMPLES = 30;
const PAGE = 100;
const SIGNS = {opening: '+', grant: '+', release: '+', reservation: '−', expiry: '−', settlement: ''};

export class Credits {
  title = 'Credits';
  #app;
  #days = 30;
  #balance;
  #usage;
  #line;
  #entries;
  #statements;
  #end;
  #saving = null;
  #usagePlot = {of: null, plot: null};
  #refresh = throttled(3_000, () => {
    this.#balance.reload();
    this.#usage.reload();
  });

  constructor(app) {
    this.#app = app;
    const load = (run) => new Resource(run, () => app.update());
    this.#balance = load(async (signal) => {
      const [{remaining_credits: remaining}, {entries}] = await Promise.all([
        api.get('/v3/batch/credits', {signal}),
        api.get('/v3/batch/credits/entries', {query: {limit: 1}, signal}),
      ]);
      return {remaining, newest: entries[0]};
    });
    this.#usage = load((signal) => api.get('/v3/batch/credits/usage', {query: {...this.#range, group_by: 'day,dataset'}, signal}));
    this.#line = load((signal) => this.#balanceLine(signal));
    this.#entries = new Pages(async (cursor, signal) => {
      const page = await api.get('/v3/batch/credits/entries', {query: {...this.#range, limit: PAGE, cursor}, signal});
      return {items: page.entries, next: page.next_cursor};
    }, () => app.update());
    this.#statements = load((signal) => api.get('/v3/batch/credits/statements', {signal}));
    this.#end = new ScrollEnd(() => this.#entries.more());
    this.#load();
    this.#statements.reload();
  }

  get #range() {
    const to = utcDay(api.now());
    return {from: addDays(to, 1 - this.#days), to};
  }

  #load() {
    [this.#balance, this.#usage, this.#line].forEach((r) => r.reload());
    this.#entries.restart();
  }

  leave() {
    this.#refresh.stop();
    this.#saving?.abort();
    this.#end.stop();
    [this.#balance, this.#usage, this.#line, this.#statements, this.#entries].forEach((r) => r.stop());
  }

  missed() {
    this.#refresh();
    if (this.#entries.error) {
      this.#entries.restart();
    }
    if (this.#line.error) {
      this.#line.reload();
    }
  }

  event(event) {
    if (event.type === 'credits') {
      this.#balance.value = {remaining: event.entry.remaining, newest: event.entry};
      this.#goOn(event.entry);
      this.#refresh();
      this.#app.update();
    }
  }

  /** The line ends where the balance is. Its last point so far is that of the time when it was loaded. */
  #goOn({occurred_at: at, remaining}) {
    const points = this.#line.value?.points;
    if (points?.length) {
      this.#line.value = {points: [...points.slice(0, -1), [Math.max(Date.parse(at), points.at(-2)?.[0] ?? 0), remaining], [api.now(), remaining]]};
    }
  }

  /** Of the range: each entry where they are few, else what the newest entry before each of some times says. */
  async #balanceLine(signal) {
    const {from} = this.#range;
    const page = await api.get('/v3/batch/credits/entries', {query: {from, limit: EXACT}, signal});
    const start = Date.parse(from);
    const now = api.now();
    const before = await this.#newestBefore(start, signal);
    if (!page.next_cursor) {
      const points = page.entries.toReversed().map((e) => [Date.parse(e.occurred_at), e.remaining]);
      const first = before ?? points[0]?.[1];
      const last = points.at(-1)?.[1] ?? before;
      return {points: first === undefined ? [] : [[start, before ?? first], ...points, [now, last]]};
    }
    const times = Array.from({length: SAMPLES}, (_, i) => start + ((now - start) * (i + 1)) / SAMPLES);
    const values = [];
    for (let i = 0; i < times.length; i += 6) {
      values.push(...(await Promise.all(times.slice(i, i + 6).map((t) => this.#newestBefore(t, signal)))));
    }
    return {points: [[start, before], ...times.map((t, i) => [t, values[i]])].filter(([, v]) => v !== null)};
  }

  async #newestBefore(millis, signal) {
    const {entries} = await api.get('/v3/batch/credits/entries', {query: {to: new Date(millis).toISOString(), limit: 1}, signal});
    return entries[0]?.remaining ?? null;
  }

  #choose(days) {
    this.#days = days;
    this.#load();
    this.#app.update();
  }

  actions() {
    return html`<label class="filters range"><span class="visually-hidden">Days</span><select @change=${(e) => this.#choose(Number(e.target.value))}>
      ${RANGES.map((n) => html`<option value=${n} ?selected=${n === this.#days}>Last ${n} days</option>`)}</select></label>`;
  }

  view() {
    const plotBone = html`<div class="plot-bone bone-block" role="status" aria-label="Loading"></div>`;
    return html`
      <section class="tiles" aria-label="Balance">${this.#tiles()}</section>
      <div class="two even">
        ${card({title: 'Balance over time', body: loaded(this.#line, (l) => this.#over(l.points), plotBone)})}
        ${card({
          title: 'Usage', note: html`<button class="quiet" @click=${() => this.#saveUsage()} ?disabled=${!this.#usage.value}>Download CSV</button>`,
          body: loaded(this.#usage, (u) => this.#used(u.usage), plotBone),
        })}
      </div>
      ${this.#usage.pending ? html`<div class="card">${skeletonRows(12, 5)}</div>` : this.#below()}`;
  }

  /** Once it is known how long the first table is: the second would move. */
  #below() {
    return html`
      ${card({title: 'By dataset', note: `last ${this.#days} days, UTC`, classes: 'by-dataset', body: loaded(this.#usage, (u) => this.#byDataset(u.usage), skeletonRows(5, 3))})}
      ${card({title: 'Statements', note: 'of months that have ended, UTC', body: loaded(this.#statements, (s) => this.#months(s.statements), skeletonRows(3, 4))})}
      ${card({
        title: 'Ledger entries', note: this.#saving
          ? html`<button class="quiet" @click=${() => this.#saving.abort()}>Stop (${whole(this.#saving.count)} read)</button>`
          : html`<button class="quiet" @click=${() => this.#saveEntries()}>Download CSV</button>`,
        body: this.#list(),
      })}`;
  }

  #tiles() {
    const tile = (name, value, note) => html`<div class="card tile"><span>${name}</span><strong>${value}</strong><em>${note}</em></div>`;
    const newest = (field) => shown(this.#balance, ({newest: e}) => whole(e?.[field]), '60%');
    return html`
      ${tile('Credits left', shown(this.#balance, (b) => whole(b.remaining), '70%'), 'available for new reports')}
      ${tile('Reserved', newest('reserved'), 'for open reports')}
      ${tile('Used', newest('used'), 'charged for completed reports')}
      ${tile('Granted', newest('granted'), 'left + reserved + used')}`;
  }

  #over(points) {
    if (points.length < 2) {
      return html`<div class="plot-bone">${empty('No entries yet', 'The balance is drawn once something was granted or spent.')}</div>`;
    }
    this.#linePlot = this.#linePlot?.of === points ? this.#linePlot : {
      of: points,
      plot: {
        kind: 'steps', label: `Credits left over ${this.#days} days.`, unit: 'credits left', xs: points.map(([t]) => t),
        x: this.#days > 7 ? (t) => day(t) : (t) => time(t), series: [{name: 'left', colour: 1, values: points.map(([, v]) => v)}],
      },
    };
    return html`<m-plot .plot=${this.#linePlot.plot}></m-plot>`;
  }

  #linePlot = null;

  #used(usage) {
    const names = this.#app.account.datasets;
    if (this.#app.account.tables.pending) {
      return html`<div class="plot-bone bone-block"></div>`;
    }
    if (this.#usagePlot.of !== usage || this.#usagePlot.plot.known !== names.length) {
      this.#usagePlot = {of: usage, plot: usagePlot(usage, utcDay(api.now()), this.#days, names)};
    }
    return this.#usagePlot.plot.series.length
      ? html`<m-plot .plot=${this.#usagePlot.plot}></m-plot>`
      : html`<div class="plot-bone">${empty('Nothing spent', `No report completed in these ${this.#days} days.`)}</div>`;
  }

  #byDataset(usage) {
    const sums = new Map();
    for (const {dataset = FORGOTTEN, ...u} of usage) {
      const sum = sums.get(dataset) ?? {credits: 0, reports: 0};
      sums.set(dataset, {credits: sum.credits + u.credits, reports: sum.reports + u.reports});
    }
    const total = [...sums.values()].reduce((n, s) => n + s.credits, 0);
    if (!sums.size) {
      return empty('Nothing spent', 'Datasets show up here once a report completes.');
    }
    return html`<table>
      <thead><tr><th scope="col">Dataset</th><th scope="col" class="n">Reports</th><th scope="col" class="n">Credits</th>
        <th scope="col" class="n">Share</th></tr></thead>
      <tbody>${[...sums].sort((a, b) => b[1].credits - a[1].credits).map(([dataset, s]) => html`<tr>
        <td>${swatch(dataset, this.#app.account.datasets)}</td>
        <td class="n">${whole(s.reports)}</td><td class="n">${whole(s.credits)}</td>
          <td class="n">${total ? `${((s.credits / total) * 100).toFixed(1)} %` : '–'}</td></tr>`)}</tbody>
    </table>`;
  }

  #months(statements) {
    if (!statements.length) {
      return empty('No statements yet', 'The first one is made when a month with entries has ended.');
    }
    return html`<table>
      <thead><tr><th scope="col">Month</th><th scope="col" class="n hide-s">Entries</th><th scope="col" class="n">Used</th>
        <th scope="col" class="n">Left at its end</th></tr></thead>
      <tbody>${statements.map((s) => html`<tr>
        <td><a href="#/credits/${s.month}">${s.month}</a></td><td class="n hide-s">${whole(s.entries)}</td>
        <td class="n">${whole(s.closing.used - s.opening.used)}</td><td class="n">${whole(s.closing.remaining)}</td></tr>`)}</tbody>
    </table>`;
  }

  #list() {
    const entries = this.#entries;
    if (entries.pending) {
      return skeletonRows(10, 5);
    }
    if (!entries.items.length) {
      return entries.error ? failure(entries.error, () => entries.restart())
        : empty('No entries', `Nothing was granted, reserved or charged in these ${this.#days} days.`);
    }
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Ledger entries"><table class="whole">
      <thead><tr><th scope="col">When</th><th scope="col">Entry</th><th scope="col" class="hide">Report</th>
        <th scope="col" class="hide">Dataset</th>
        <th scope="col" class="n">Credits</th><th scope="col" class="n hide-s">Reserved</th>
          <th scope="col" class="n hide-s">Balance</th></tr></thead>
      <tbody>${entries.items.map((e) => html`<tr title=${e.entry_id}>
        <td title=${exact(e.occurred_at)}>${time(e.occurred_at)}</td><td>${entryKind(e.kind)}</td>
        <td class="hide">${e.report_id ? reportLink(e) : '–'}</td>
        <td class="hide">${e.dataset ? datasetName(e.dataset) : '–'}</td>
        <td class="n">${SIGNS[e.kind] ?? ''}${whole(Math.abs(e.amount))}</td><td class="n hide-s">${whole(e.reserved)}</td>
          <td class="n hide-s">${whole(e.remaining)}</td></tr>`)}</tbody>
    </table></div>
    ${entries.complete ? html`<p class="scroll-end">${plural(entries.items.length, 'entry', 'entries')} since ${longDay(this.#range.from)}.</p>`
      : html`<div class="scroll-end" ${ref(this.#end.at)}><button class="quiet" @click=${() => entries.more()}>${entries.loading ? 'Loading older entries…' : 'Older entries'}</button></div>`}`;
  }

  #saveUsage() {
    const {from, to} = this.#range;
    const rows = this.#usage.value.usage.toSorted((a, b) => (a.day < b.day ? -1 : 1)).map((u) => [u.day, u.dataset, u.credits, u.reports]);
    save(`usage-${from}-${to}.csv`, 'text/csv', [csv([['day', 'dataset', 'credits', 'reports'], ...rows])]);
  }

  /** All of the range, page by page, however many there are. */
  async #saveEntries() {
    const saving = new AbortController();
    saving.count = 0;
    this.#saving = saving;
    const columns = ['entry_id', 'sequence', 'occurred_at', 'kind', 'report_id', 'dataset', 'amount', 'granted', 'reserved', 'used', 'remaining'];
    const parts = [csv([columns])];
    const {from, to} = this.#range;
    try {
      let cursor;
      do {
        const page = await api.get('/v3/batch/credits/entries', {query: {from, to, limit: EXACT, cursor}, signal: saving.signal});
        parts.push(csv(page.entries.map((e) => columns.map((c) => e[c]))));
        saving.count += page.entries.length;
        cursor = page.next_cursor;
        this.#app.update();
      } while (cursor);
      save(`entries-${from}-${to}.csv`, 'text/csv', parts);
    } catch (e) {
      if (!saving.signal.aborted) {
        toast(`The file was not written: ${sentence(e)}`, 'bad');
      }
    }
    this.#saving = null;
    this.#app.update();
  }
}
