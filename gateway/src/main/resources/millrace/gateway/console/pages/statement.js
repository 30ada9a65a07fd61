import {api} from '../lib/api.js';
import {datasetName, entryKind, whole} from '../lib/format.js';
import {Resource} from '../lib/resource.js';
import {card, html, loaded, nothing, save, sentence, skeletonRows, toast} from '../lib/view.js';

const BALANCE = [['granted', 'Granted'], ['remaining', 'Left'], ['reserved', 'Reserved'], ['used', 'Used']];

/** The statement of a month, also on paper. */
export class Statement {
  #app;
  #month;
  #signed;

  constructor(app, [month]) {
    this.#app = app;
    this.#month = month;
    this.title = `Statement of ${month}`;
    this.#signed = new Resource((signal) => api.get(this.#path, {signal}), () => app.update());
    this.#signed.reload();
  }

  get #path() {
    return `/v3/batch/credits/statements/${this.#month}`;
  }

  leave() {
    this.#signed.stop();
  }

  missed() {
    if (this.#signed.error) {
      this.#signed.reload();
    }
  }

  actions() {
    const off = this.#signed.value === undefined;
    return html`<div class="bar">
      <button class="quiet" ?disabled=${off} @click=${() => this.#save('json', 'application/json')}>Download JSON</button>
      <button class="quiet" ?disabled=${off} @click=${() => this.#save('csv', 'text/csv')}>Download CSV</button>
      <button class="quiet" ?disabled=${off} @click=${() => print()}>Print</button></div>`;
  }

  /** As the service answers it: what was signed must stay as it is. */
  async #save(format, type) {
    try {
      const answer = await api.open(this.#path, {query: {format}});
      save(`statement-${this.#month}.${format}`, type, [await answer.text()]);
    } catch (e) {
      toast(`The file was not written: ${sentence(e)}`, 'bad');
    }
  }

  view() {
    return loaded(this.#signed, (s) => this.#shown(s.statement, s.signature), html`<div class="card">${skeletonRows(12, 3)}</div>`);
  }

  #shown(statement, signature) {
    const rows = (list, name, count) => list.map((r) => html`<tr><td>${name(r)}</td><td class="n">${whole(r[count])}</td>
      <td class="n">${whole(r.credits)}</td></tr>`);
    const sums = (title, first, count, list, name) => list.length
      ? card({title, body: html`<table><thead><tr><th scope="col">${first}</th><th scope="col" class="n">${count}</th>
          <th scope="col" class="n">Credits</th></tr></thead><tbody>${rows(list, name, count.toLowerCase())}</tbody></table>`})
      : nothing;
    return html`
      ${card({
        title: `Credits of ${statement.account_id} in ${statement.month}`,
        note: `entries ${whole(statement.first_sequence)} to ${whole(statement.last_sequence)}, UTC`,
        body: html`<table><thead><tr><th scope="col"></th><th scope="col" class="n">Before</th><th scope="col" class="n">After</th></tr></thead>
          <tbody>${BALANCE.map(([field, name]) => html`<tr><td>${name}</td><td class="n">${whole(statement.opening[field])}</td>
            <td class="n">${whole(statement.closing[field])}</td></tr>`)}</tbody></table>`,
      })}
      ${sums('Entries', 'Entry', 'Entries', statement.by_kind, (r) => entryKind(r.kind))}
      ${sums('By dataset', 'Dataset', 'Reports', statement.by_dataset, (r) => (r.dataset ? datasetName(r.dataset) : 'forgotten reports'))}
      ${sums('By tag', 'Tag', 'Reports', statement.by_tag, (r) => `${r.tag} = ${r.value}`)}
      ${card({
        title: 'Proof',
        body: html`<dl class="facts proof"><dt>SHA-256 of the entries</dt><dd>${statement.entries_sha256}</dd>
          <dt>Statement before</dt><dd>${statement.previous ?? 'none'}</dd><dt>Signature</dt><dd>${signature}</dd></dl>
          <p class="help">millrace credits verify checks the ledger against this statement; keep the JSON.</p>`,
      })}`;
  }
}
