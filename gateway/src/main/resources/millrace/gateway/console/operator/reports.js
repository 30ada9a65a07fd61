import {api} from '../lib/api.js';
import {datasetName, duration, percent, plural, shortId, whole} from '../lib/format.js';
import {Poll} from '../lib/resource.js';
import {card, changing, empty, failure, html, nothing, pill, repeat, skeletonRows, stamp} from '../lib/view.js';

const EVERY = 3_000;
const PAGE = 100;

/** How far a report is, in words that say who has it. */
export function phase(report) {
  if (!report.decided) {
    return html`<span class="bad-text" title="It waits in Kafka for a processor">not decided yet</span>`;
  }
  if (report.status !== 'processing') {
    return pill(report.status);
  }
  if (report.phase === 'queued') {
    return html`<span class="faint">queued</span>`;
  }
  const part = Math.round((report.progress ?? 0) * 100);
  return html`<span class="progress" role="progressbar" aria-label="Report ${shortId(report.report_id)}" aria-valuemin="0" aria-valuemax="100"
    aria-valuenow=${part} title=${`${report.phase}, ${percent(report.progress ?? 0)}`}><i .style=${`width:${part}%`}></i></span>`;
}

export const age = (report) => duration(api.now() - Date.parse(report.submitted_at));

/**
 * The oldest come first: what hangs is at the top, and new reports come last, so that no row moves. A report that ends keeps
 * its row until the list is asked for again.
 */
export class Reports {
  title = 'Running reports';
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

  constructor(app, parameters, query) {
    this.#app = app;
    this.#filter = {account: query.get('account') ?? ''};
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

  #choose(account) {
    this.#filter = {account: account.trim()};
    history.replaceState(null, '', `#/reports${this.#filter.account ? `?${new URLSearchParams(this.#filter)}` : ''}`);
    this.#again();
  }

  view() {
    return html`
      <form class="filters" @submit=${(e) => {
        e.preventDefault();
        this.#choose(e.target.elements.account.value);
      }}>
        <label>Account <input name="account" type="search" .value=${this.#filter.account} placeholder="all" autocomplete="off"></label>
        <button>Show</button>
        <span class="new-line" role="status">${this.#ended.size ? html`<button type="button" class="quiet" @click=${() => this.#again()}>Remove ${plural(this.#ended.size, 'report')} that ended</button>` : nothing}</span>
      </form>
      ${card({title: 'Oldest first', note: this.#reports ? html`${changing(whole(this.#open))} open of all accounts` : nothing, body: this.#body()})}`;
  }

  #body() {
    if (!this.#reports) {
      return this.#error ? failure(this.#error, () => this.#load()) : skeletonRows(8, 5);
    }
    if (!this.#reports.length) {
      return empty('No report is open', this.#filter.account ? `Account ${this.#filter.account} waits for nothing.` : 'Nobody waits for anything.');
    }
    return html`<table class="fixed">
      <colgroup><col class="c-id"><col><col class="c-name hide"><col class="c-progress"><col class="c-n"><col class="c-n hide"><col class="c-time hide"></colgroup>
      <thead><tr><th scope="col">Report</th><th scope="col">Account</th><th scope="col" class="hide">Dataset</th><th scope="col">Progress</th>
        <th scope="col" class="n">Open for</th><th scope="col" class="n hide">Attempt</th><th scope="col" class="hide">Submitted</th></tr></thead>
      <tbody>${repeat(this.#reports, (r) => r.report_id, (r) => html`<tr>
        <td><a class="id" href="#/reports/${r.report_id}" title=${r.report_id}>${shortId(r.report_id)}</a></td>
        <td><a href="#/accounts/${r.account_id}">${r.account_id}</a></td>
        <td class="hide">${datasetName(r.dataset)}</td>
        <td>${this.#ended.has(r.report_id) ? html`<span class="faint">ended</span>` : phase(r)}</td>
        <td class="n">${this.#ended.has(r.report_id) ? html`<span class="faint">–</span>` : changing(age(r))}</td>
        <td class="n hide">${whole(r.attempt)}</td>
        <td class="hide">${stamp(r.submitted_at)}</td></tr>`)}</tbody>
    </table>
    ${this.#cursor ? html`<div class="scroll-end"><button class="quiet" @click=${() => {
      this.#pages++;
      this.#load();
    }}>More of them</button></div>` : nothing}`;
  }
}
