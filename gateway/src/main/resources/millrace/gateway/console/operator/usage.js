import {api} from '../lib/api.js';
import {datasetName, month as monthName, plural, utcDay, whole} from '../lib/format.js';
import {Pages} from '../lib/resource.js';
import {ref} from '../lit-html/directives/ref.js';
import {ScrollEnd, card, empty, failure, html, options, save, sentence, skeletonRows, toast} from '../lib/view.js';

const PAGE = 100;
/** Whole or in part, as long as the ledger is kept. */
const MONTHS = 13;
const FILES = [['1', 'this month'], ['3', '3 months'], ['12', '12 months']];

/** What all accounts have used in a month; invoices are made from it. */
export class Usage {
  title = 'Usage';
  #app;
  #months;
  #month;
  #file = '1';
  #saving = null;
  #pages;
  #end;

  constructor(app, parameters, query) {
    this.#app = app;
    const [year, now] = utcDay(api.now()).split('-').map(Number);
    this.#months = Array.from({length: MONTHS}, (_, back) => new Date(Date.UTC(year, now - 1 - back, 1)).toISOString().slice(0, 7));
    this.#month = this.#months.includes(query.get('month')) ? query.get('month') : this.#months[0];
    this.#pages = new Pages(async (cursor, signal) => {
      const page = await api.get('/admin/v1/usage', {query: {month: this.#month, limit: PAGE, cursor}, signal});
      return {items: page.usage, next: page.next_cursor};
    }, () => app.update());
    this.#end = new ScrollEnd(() => this.#pages.more());
    this.#pages.restart();
  }

  leave() {
    this.#pages.stop();
    this.#end.stop();
    this.#saving?.abort();
  }

  missed() {
    if (this.#pages.error) {
      this.#pages.restart();
    }
  }

  #choose(month) {
    this.#month = month;
    history.replaceState(null, '', `#/usage?month=${month}`);
    this.#pages.pending = true;
    this.#pages.items = [];
    this.#pages.restart();
  }

  /** Fetched, since a link could not carry the key. */
  async #save() {
    const saving = new AbortController();
    this.#saving = saving;
    this.#app.update();
    const at = this.#months.indexOf(this.#month);
    const from = this.#months[Math.min(this.#months.length - 1, at + Number(this.#file) - 1)];
    try {
      const answer = await api.open('/admin/v1/usage.csv', {query: {from, to: this.#month}, signal: saving.signal});
      const file = await answer.blob();
      save(from === this.#month ? `usage-${from}.csv` : `usage-${from}-to-${this.#month}.csv`, 'text/csv', [file]);
    } catch (e) {
      if (!saving.signal.aborted) {
        toast(`The file was not written: ${sentence(e)}`, 'bad');
      }
    }
    this.#saving = null;
    this.#app.update();
  }

  view() {
    return html`
      <div class="filters">
        <label>Month <select @change=${(e) => this.#choose(e.target.value)}>${options(this.#months.map((m) => [m, monthName(`${m}-01`)]), this.#month)}</select></label>
        <label>File of <select @change=${(e) => { this.#file = e.target.value; }}>${options(FILES, this.#file)}</select></label>
        <button class="primary" ?disabled=${this.#saving !== null} aria-busy=${this.#saving ? 'true' : 'false'} @click=${() => this.#save()}>Save as CSV</button>
      </div>
      ${card({title: monthName(`${this.#month}-01`), note: 'of complete reports; days are UTC', body: this.#body()})}`;
  }

  #body() {
    const pages = this.#pages;
    if (pages.pending) {
      return skeletonRows(10, 4);
    }
    if (!pages.items.length) {
      return pages.error ? failure(pages.error, () => pages.restart())
        : empty('Nothing used', 'No report of any account was completed in this month.');
    }
    return html`<table class="fixed">
      <colgroup><col><col class="hide-s"><col><col class="c-n hide-s"><col class="c-n"></colgroup>
      <thead><tr><th scope="col">Account</th><th scope="col" class="hide-s">Name</th><th scope="col">Dataset</th>
        <th scope="col" class="n hide-s">Reports</th><th scope="col" class="n">Credits</th></tr></thead>
      <tbody>${pages.items.map((u) => html`<tr>
        <td><a href="#/accounts/${u.account_id}">${u.account_id}</a></td><td class="hide-s">${u.name ?? html`<span class="faint">–</span>`}</td>
        <td>${u.dataset ? datasetName(u.dataset) : html`<span class="faint" title="Kafka does not know the reports any more">forgotten</span>`}</td>
        <td class="n hide-s">${whole(u.reports)}</td><td class="n">${whole(u.credits)}</td></tr>`)}</tbody>
    </table>
    ${pages.complete ? html`<p class="scroll-end">That is all: ${plural(pages.items.length, 'row')}.</p>`
      : html`<div class="scroll-end" ${ref(this.#end.at)}>${pages.error
        ? html`<span>${pages.error.errors?.[0]} <button class="quiet" @click=${() => pages.more()}>Try again</button></span>`
        : html`<button class="quiet" @click=${() => pages.more()}>${pages.loading ? 'Loading more…' : 'More accounts'}</button>`}</div>`}`;
  }
}
