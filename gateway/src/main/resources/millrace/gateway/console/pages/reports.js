import {api} from '../lib/api.js';
import {NO_ID, actions, finder, idPrefix, newReport, watchOpen} from '../lib/reports.js';
import {bytes, duration, plural, whole} from '../lib/format.js';
import {Pages, throttled} from '../lib/resource.js';
import {ref} from '../lit-html/directives/ref.js';
import {
  ScrollEnd, card, changing, empty, failure, html, isComplete, isOpen, nothing, options, progress, repeat, reportLink, skeletonRows,
  stamp, swatch,
} from '../lib/view.js';

const PAGE = 50;
const STATUSES = [['', 'All'], ['processing', 'Open'], ['complete', 'Complete'], ['failed', 'Failed'], ['cancelled', 'Cancelled']];
/** Both have the status internal_error. */
const OUTCOMES = ['failed', 'cancelled'];
const asked = ({status, dataset, id}) => ({[OUTCOMES.includes(status) ? 'outcome' : 'status']: status, dataset, id_prefix: id});
const ALL = {status: '', dataset: '', id: ''};

export class Reports {
  title = 'Reports';
  #app;
  #filter;
  #pages;
  #newer = new Map();
  #end;
  #watch;
  #wrong = false;
  #refresh = throttled(2_000, () => this.#fresh());

  /** @param parameters of an address that has the beginning of an id, that */
  constructor(app, [id], query) {
    this.#app = app;
    this.#filter = {...ALL, ...Object.fromEntries(query)};
    this.#pages = new Pages(async (cursor, signal) => {
      const page = await api.get('/v3/batch/report-history', {query: {...asked(this.#filter), limit: PAGE, cursor}, signal});
      return {items: page.reports, next: page.next_cursor};
    }, () => app.update());
    this.#end = new ScrollEnd(() => this.#pages.more());
    const wanted = id ?? this.#filter.id;
    if (idPrefix(wanted)) {
      // The report takes the place of this page: the way back does not lead here again.
      this.#find(wanted, (to) => location.replace(`#${to}`));
    } else {
      this.#filter.id = '';
      this.#pages.restart();
    }
    this.#watch = watchOpen(() => this.#pages.items.some(isOpen), (report) => {
      this.#take(report);
      app.update();
    });
  }

  leave() {
    this.#watch.stop();
    this.#pages.stop();
    this.#end.stop();
    this.#refresh.stop();
  }

  actions() {
    return newReport(this.#app);
  }

  barred() {
    return this.#app.account.barred('request');
  }

  missed() {
    this.#refresh();
  }

  /** The newest page is compared with what is shown: rows change in their places. */
  async #fresh() {
    if (this.#pages.error || this.#pages.pending) {
      this.#pages.restart();
      return;
    }
    try {
      const page = await api.get('/v3/batch/report-history', {query: {...asked(this.#filter), limit: PAGE}});
      page.reports.forEach((report) => this.#take(report));
      // What is open further down has ended or goes on; both are worth a look.
      const seen = new Set(page.reports.map((r) => r.report_id));
      const older = this.#pages.items.filter((r) => isOpen(r) && !seen.has(r.report_id)).slice(0, PAGE);
      (await Promise.all(older.map((r) => api.get(`/v3/batch/request-status/${r.report_id}`)))).forEach((r) => this.#take(r));
      this.#app.update();
    } catch {
      // The next event or turn asks again.
    }
  }

  event(event) {
    if (event.type === 'report') {
      this.#take(event.report);
      this.#app.update();
    }
  }

  #take(report) {
    const at = this.#pages.items.findIndex((r) => r.report_id === report.report_id);
    if (at >= 0) {
      if ((report.sequence ?? 0) >= (this.#pages.items[at].sequence ?? 0)) {
        this.#pages.items[at] = report;
      }
    } else if (this.#matches(report) && this.#isNewer(report)) {
      this.#newer.set(report.report_id, report);
    }
  }

  #isNewer(report) {
    const first = this.#pages.items[0];
    return !first || report.submitted_at > first.submitted_at;
  }

  #matches(report) {
    const {status, dataset, id} = this.#filter;
    const same = !status || [report.status, report.outcome].includes(status) || (status === 'processing' && isOpen(report)) || (status === 'complete' && isComplete(report));
    return same && (!dataset || report.dataset === dataset) && report.report_id.startsWith(id);
  }

  /** Rows are put in when the reader asks: what one is about to click does not move. */
  #showNewer() {
    this.#pages.items = [...[...this.#newer.values()].sort((a, b) => (a.submitted_at < b.submitted_at ? 1 : -1)), ...this.#pages.items];
    this.#newer.clear();
    this.#app.update();
  }

  /** Of a report that is the only one whose id begins so, open shows the page. */
  async #find(text, open) {
    const id = idPrefix(text);
    this.#wrong = id === null && text.trim() !== '';
    if (this.#wrong) {
      this.#app.update();
      return;
    }
    await this.#choose(ALL, {id: id ?? ''});
    const {items, complete} = this.#pages;
    if (id && complete && items.length === 1 && this.#filter.id === id) {
      open(`/reports/${items[0].report_id}`);
    }
  }

  #choose(before, chosen) {
    this.#filter = {...before, ...chosen};
    const query = new URLSearchParams(Object.entries(this.#filter).filter(([, v]) => v));
    history.replaceState(null, '', `#/reports${query.size ? `?${query}` : ''}`);
    this.#newer.clear();
    this.#pages.pending = true;
    this.#pages.items = [];
    return this.#pages.restart();
  }

  view() {
    const {datasets} = this.#app.account;
    return html`
      <div class="filters">
        <label>Status <select @change=${(e) => this.#choose(this.#filter, {status: e.target.value})}>
          ${options(STATUSES, this.#filter.status)}</select></label>
        <label>Dataset <select class="datasets" @change=${(e) => this.#choose(this.#filter, {dataset: e.target.value})}>
          <option value="">All</option>
          ${datasets.map((d) => html`<option value=${d} ?selected=${d === this.#filter.dataset}>${d.replaceAll('_', ' ')}</option>`)}</select></label>
        ${finder(this.#filter.id, this.#wrong, (text) => this.#find(text, this.#app.go))}
        <span class="new-line" role="status">${this.#wrong ? html`<span class="bad-text" id="no-id">${NO_ID}</span>` : this.#newer.size
          ? html`<button class="quiet" @click=${() => this.#showNewer()}>Show ${plural(this.#newer.size, 'newer report')}</button>` : nothing}</span>
      </div>
      ${card({title: html`<span class="visually-hidden">Reports</span>`, classes: 'bare', body: this.#body()})}`;
  }

  #body() {
    const pages = this.#pages;
    if (pages.pending) {
      return skeletonRows(12, 6);
    }
    if (!pages.items.length && (pages.error || pages.complete)) {
      if (pages.error) {
        return failure(pages.error, () => pages.restart());
      }
      const {status, dataset, id} = this.#filter;
      return status || dataset || id
        ? empty('No matching reports', `No report of this account has ${id ? `an id that begins with ${id}` : 'this status and dataset'}${id && (status || dataset) ? ', this status and dataset' : ''}.`,
          html`<button @click=${() => this.#choose(ALL, {})}>Show all reports</button>`)
        : empty('No reports yet', 'Request one here or through the API; all of them are listed here.', html`<a class="button primary" href="#/new">New report</a>`);
    }
    const barred = this.barred() !== null;
    return html`${this.#filter.id ? html`<p class="note-line found">${pages.items.length === 1 ? 'One report has an id that begins'
      : `${plural(pages.items.length, 'report')} have ids that begin`} with <code>${this.#filter.id}</code>. <button class="quiet" @click=${() => this.#choose(ALL, {})}>Show all reports</button></p>` : nothing}<table class="fixed">
      <colgroup><col class="c-report"><col class="c-name hide-s"><col class="c-progress"><col class="c-time hide"><col class="c-n hide">
        <col class="c-n hide"><col class="c-n hide-s"><col class="c-actions hide"></colgroup>
      <thead><tr><th scope="col">Report</th><th scope="col" class="hide-s">Dataset</th><th scope="col">Status</th>
        <th scope="col" class="hide">Submitted</th>
        <th scope="col" class="n hide">Duration</th><th scope="col" class="n hide">Rows</th>
          <th scope="col" class="n hide-s">Credits</th><th scope="col" class="n hide">Actions</th></tr></thead>
      <tbody>${repeat(pages.items, (r) => r.report_id, (r) => html`<tr>
        <td>${reportLink(r)}</td>
        <td class="hide-s">${swatch(r.dataset, this.#app.account.datasets)}</td>
        <td>${progress(r)}</td>
        <td class="hide">${stamp(r.submitted_at)}</td>
        <td class="n hide">${changing(isOpen(r) ? '–' : duration(Date.parse(r.updated_at) - Date.parse(r.submitted_at)))}</td>
        <td class="n hide" title=${r.file_size ? bytes(r.file_size) : nothing}>${changing(whole(r.row_count))}</td>
        <td class="n hide-s">${isOpen(r) ? html`<span class="faint" title="Estimate">${whole(r.estimated_credits)}</span>` : changing(whole(r.used_quota ?? 0))}</td>
        <td class="hide"><div class="rows-actions">${actions(r, () => this.#fresh(), barred)}</div></td></tr>`)}</tbody>
    </table>
    ${pages.complete ? html`<p class="scroll-end">${plural(pages.items.length, 'report')} in total.</p>`
      : html`<div class="scroll-end" ${ref(this.#end.at)}>${pages.error
        ? html`<span>${pages.error.errors?.[0]} <button class="quiet" @click=${() => pages.more()}>Try again</button></span>`
        : html`<button class="quiet" @click=${() => pages.more()}>${pages.loading ? 'Loading older reports…' : 'Older reports'}</button>`}</div>`}`;
  }
}
