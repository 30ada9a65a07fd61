import {api} from '../lib/api.js';
import {datasetName, duration, percent, plural, shortId, whole} from '../lib/format.js';
import {NO_ID, idPrefix} from '../lib/reports.js';
import {Pages, Poll} from '../lib/resource.js';
import {ref} from '../lit-html/directives/ref.js';
import {
  ScrollEnd, card, changing, empty, failure, html, nothing, options, pill, repeat, reportLink, reportState, sentence, skeletonRows, stamp,
} from '../lib/view.js';

const EVERY = 3_000;
const PAGE = 100;
const OPEN = 'open';
const ANY = 'any';
const STATES = [[OPEN, 'running'], ['failed', 'failed'], ['cancelled', 'cancelled'], ['completed', 'complete'], [ANY, 'any']];
const NONE = {state: OPEN, account: '', id_prefix: '', from: '', to: ''};

/** How far a report is, in words that say who has it. */
export function phase(report) {
  if (!report.decided) {
    return html`<span class="bad-text" title="It waits in Kafka for a processor">not decided yet</span>`;
  }
  if (report.status !== 'processing') {
    return pill(reportState(report));
  }
  if (report.phase === 'queued') {
    return html`<span class="faint">queued</span>`;
  }
  const part = Math.round((report.progress ?? 0) * 100);
  return html`<span class="progress" role="progressbar" aria-label="Report ${shortId(report.report_id)}" aria-valuemin="0" aria-valuemax="100"
    aria-valuenow=${part} title=${`${report.phase}, ${percent(report.progress ?? 0)}`}><i .style=${`width:${part}%`}></i></span>`;
}

export const age = (report) => duration(api.now() - Date.parse(report.submitted_at));

/** Reports by how they are, account, day and id: those that run by themselves, the others as they are asked for. */
export class Reports {
  title = 'Reports';
  #app;
  #filter;
  #list;
  #wrong = false;

  constructor(app, [id], query) {
    this.#app = app;
    this.#filter = {...NONE, ...Object.fromEntries(query), ...(id ? {state: ANY, id_prefix: id} : {})};
    // The report takes the place of this page: the way back does not lead here again.
    this.#show((to) => location.replace(`#${to}`));
  }

  leave() {
    this.#list.leave();
  }

  missed() {
    this.#list.missed();
  }

  /** Of a report that is the only one whose id begins so, open shows the page. */
  async #show(open) {
    const {state, ...rest} = this.#filter;
    this.#list?.leave();
    const list = state === OPEN ? new Running(this.#app, rest) : new Found(this.#app, this.#filter);
    this.#list = list;
    this.#app.update();
    const only = await list.first;
    if (only && rest.id_prefix && this.#list === list) {
      open(`/reports/${only.report_id}`);
    }
  }

  #choose(fields) {
    const values = Object.fromEntries(Object.keys(NONE).map((name) => [name, fields[name].value.trim()]));
    const id = idPrefix(values.id_prefix);
    this.#wrong = values.id_prefix !== '' && id === null;
    if (this.#wrong) {
      this.#app.update();
      return;
    }
    // Whoever has an id looks for the report, however it is.
    this.#filter = {...values, id_prefix: id ?? '', state: id && values.state === OPEN ? ANY : values.state};
    const query = new URLSearchParams(Object.entries(this.#filter).filter(([name, value]) => value !== NONE[name]));
    history.replaceState(null, '', `#/reports${query.size ? `?${query}` : ''}`);
    this.#show(this.#app.go);
  }

  view() {
    const {state, account, id_prefix: id, from, to} = this.#filter;
    return html`
      <form class="filters" @submit=${(e) => {
        e.preventDefault();
        this.#choose(e.target.elements);
      }}>
        <label>State <select name="state" .value=${state}>${options(STATES, state)}</select></label>
        <label>Account <input name="account" type="search" .value=${account} placeholder="all" autocomplete="off"></label>
        <label>Report id <input name="id_prefix" type="search" .value=${id} placeholder="8 characters" autocomplete="off" spellcheck="false"
          aria-invalid=${this.#wrong ? 'true' : 'false'} aria-describedby=${this.#wrong ? 'no-id' : nothing}></label>
        <label>From <input name="from" type="date" .value=${from}></label>
        <label>To <input name="to" type="date" .value=${to}></label>
        <button>Show</button>
        <span class="new-line" role="status">${this.#wrong ? html`<span class="bad-text" id="no-id">${NO_ID}</span>` : this.#list.note()}</span>
      </form>
      ${this.#list.view()}`;
  }
}

/** What was thrown, without the package of its class; the whole of it is on the report's page. */
const cause = (error) => error.cause?.replace(/^(?:[a-z]\w*\.)+/, '') ?? error.message;

const table = (columns, head, rows) => html`<table class="fixed">
  <colgroup><col class="c-report with-account"><col>${columns}</colgroup>
  <thead><tr><th scope="col">Report</th><th scope="col">Account</th>${head}</tr></thead>
  <tbody>${repeat(rows, ([report]) => report.report_id, ([r, cells]) => html`<tr>
    <td>${reportLink(r)}</td><td><a href="#/accounts/${r.account_id}">${r.account_id}</a></td>${cells}</tr>`)}</tbody>
</table>`;

/** Those that have ended, or all of them, the newest first, with the cause of a failure. */
class Found {
  #filter;
  #pages;
  #end;
  #whole = true;

  constructor(app, filter) {
    this.#filter = filter;
    this.#pages = new Pages(async (cursor, signal) => {
      const page = await api.get('/admin/v1/reports', {query: {...filter, limit: PAGE, cursor}, signal});
      this.#whole = page.whole;
      return {items: page.reports, next: page.next_cursor};
    }, () => app.update());
    this.#end = new ScrollEnd(() => this.#pages.more());
    this.first = this.#pages.restart().then(() => (this.#pages.complete && this.#pages.items.length === 1 ? this.#pages.items[0] : null));
  }

  leave() {
    this.#pages.stop();
    this.#end.stop();
  }

  missed() {
    if (this.#pages.error) {
      this.#pages.restart();
    }
  }

  note() {
    return this.#whole ? nothing : 'Only the newest reports were looked at: name an account, or a later day.';
  }

  view() {
    const {id_prefix: id} = this.#filter;
    const count = this.#pages.items.length;
    return card({
      title: 'Newest first', body: this.#body(),
      note: id && count > 1 ? html`${plural(count, 'report')} have ids that begin with <code>${id}</code>` : nothing,
    });
  }

  #body() {
    const pages = this.#pages;
    if (pages.pending) {
      return skeletonRows(8, 5);
    }
    if (!pages.items.length) {
      return pages.error ? failure(pages.error, () => pages.restart())
        : empty('No such report', 'None is so, of this account, at this time and with this id; reports are forgotten some time after they end.');
    }
    const head = html`<th scope="col">State</th><th scope="col" class="hide">Cause</th><th scope="col" class="hide">Submitted</th><th scope="col" class="hide-s">Last change</th>`;
    return html`${table(html`<col class="c-state"><col class="hide c-cause"><col class="c-time hide"><col class="c-time hide-s">`, head, pages.items.map((r) => [r, html`
      <td>${phase(r)}</td>
      <td class="hide" title=${r.error ? `${r.error.message} ${r.error.cause ?? ''}` : nothing}>${r.error ? cause(r.error) : html`<span class="faint">–</span>`}</td>
      <td class="hide">${stamp(r.submitted_at)}</td>
      <td class="hide-s">${stamp(r.updated_at)}</td>`]))}
      ${pages.complete ? html`<p class="scroll-end">${plural(pages.items.length, 'report')} in total.</p>`
        : html`<div class="scroll-end" ${ref(this.#end.at)}>${pages.error ? html`<span>${sentence(pages.error)}</span>` : nothing}
          <button class="quiet" @click=${() => pages.more()}>${pages.loading ? 'Loading older reports…' : 'Older reports'}</button></div>`}`;
  }
}

/**
 * The oldest come first: what hangs is at the top, and new reports come last, so that no row moves. A report that ends keeps
 * its row until the list is asked for again.
 */
class Running {
  first = null;
  #app;
  #filter;
  #reports = null;
  #ended = new Set();
  #open = 0;
  #cursor = null;
  #pages = 1;
  #error = null;
  #loading = null;
  #poll;

  constructor(app, filter) {
    this.#app = app;
    this.#filter = filter;
    this.#load();
    this.#poll = new Poll(EVERY, () => this.#load());
  }

  leave() {
    this.#poll.stop();
    this.#loading?.abort();
  }

  missed() {
    this.#load();
  }

  async #load() {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      const found = new Map();
      let cursor = null;
      let open = 0;
      for (let page = 0; page < this.#pages; page++) {
        const answer = await api.get('/admin/v1/reports', {query: {...this.#filter, limit: PAGE, cursor}, signal: loading.signal});
        answer.reports.forEach((report) => found.set(report.report_id, report));
        ({open} = answer);
        cursor = answer.next_cursor;
        if (!cursor) {
          break;
        }
      }
      this.#take(found, cursor, open);
      this.#error = null;
    } catch (e) {
      if (loading.signal.aborted) {
        return;
      }
      this.#error = e;
    }
    this.#app.update();
  }

  #take(found, cursor, open) {
    const before = this.#reports ?? [];
    const known = new Set(before.map((r) => r.report_id));
    const last = [...found.values()].at(-1);
    before.forEach((r) => {
      // Beyond the pages that were asked for nobody knows.
      if (!found.has(r.report_id) && (!cursor || !last || r.submitted_at <= last.submitted_at)) {
        this.#ended.add(r.report_id);
      } else {
        this.#ended.delete(r.report_id);
      }
    });
    this.#reports = [...before.map((r) => found.get(r.report_id) ?? r), ...[...found.values()].filter((r) => !known.has(r.report_id))];
    this.#cursor = cursor;
    this.#open = open;
  }

  #again() {
    this.#reports = null;
    this.#ended.clear();
    this.#pages = 1;
    this.#load();
    this.#app.update();
  }

  note() {
    return this.#ended.size ? html`<button type="button" class="quiet" @click=${() => this.#again()}>Remove ${plural(this.#ended.size, 'report')} that ended</button>` : nothing;
  }

  view() {
    return card({title: 'Oldest first', note: this.#reports ? html`${changing(whole(this.#open))} open of all accounts` : nothing, body: this.#body()});
  }

  #body() {
    if (!this.#reports) {
      return this.#error ? failure(this.#error, () => this.#load()) : skeletonRows(8, 5);
    }
    if (!this.#reports.length) {
      return empty('No report is open', Object.values(this.#filter).some(Boolean) ? 'None of this account and time waits for anything.' : 'Nobody waits for anything.');
    }
    const head = html`<th scope="col" class="hide">Dataset</th><th scope="col">Progress</th>
      <th scope="col" class="n">Open for</th><th scope="col" class="n hide">Attempt</th><th scope="col" class="hide">Submitted</th>`;
    const columns = html`<col class="c-name hide"><col class="c-progress"><col class="c-n"><col class="c-n hide"><col class="c-time hide">`;
    return html`${table(columns, head, this.#reports.map((r) => [r, html`
      <td class="hide">${datasetName(r.dataset)}</td>
      <td>${this.#ended.has(r.report_id) ? html`<span class="faint">ended</span>` : phase(r)}</td>
      <td class="n">${this.#ended.has(r.report_id) ? html`<span class="faint">–</span>` : changing(age(r))}</td>
      <td class="n hide">${whole(r.attempt)}</td>
      <td class="hide">${stamp(r.submitted_at)}</td>`]))}
    ${this.#cursor ? html`<div class="scroll-end"><button class="quiet" @click=${() => {
      this.#pages++;
      this.#load();
    }}>More of them</button></div>` : nothing}`;
  }
}
