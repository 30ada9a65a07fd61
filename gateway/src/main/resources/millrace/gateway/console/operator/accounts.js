import {api} from '../lib/api.js';
import {formDialog, reasonField, reasonOf} from '../lib/dialog.js';
import {longDay, plural, whole} from '../lib/format.js';
import {showOnce} from '../lib/keys.js';
import {Pages, throttled} from '../lib/resource.js';
import {ref} from '../lit-html/directives/ref.js';
import {ScrollEnd, card, empty, failure, html, pill, repeat, skeletonRows} from '../lib/view.js';

const PAGE = 50;
const CATEGORIES = ['web_desktop_data', 'web_mobile_data', 'app_data', 'app_engagement_data'];

export const accountState = (account) => (account.status === 'active' ? pill('good', 'active') : pill('warn', account.status));
export const keysActive = (account) => account.keys.filter((key) => key.status === 'active').length;

export class Accounts {
  title = 'Accounts';
  #app;
  #search;
  #pages;
  #end;
  #find = throttled(300, () => this.#restart());

  constructor(app, parameters, query) {
    this.#app = app;
    this.#search = query.get('search') ?? '';
    this.#pages = new Pages(async (cursor, signal) => {
      const page = await api.get('/admin/v1/accounts', {query: {search: this.#search.trim(), limit: PAGE, cursor}, signal});
      return {items: page.accounts, next: page.next_cursor};
    }, () => app.update());
    this.#end = new ScrollEnd(() => this.#pages.more());
    this.#pages.restart();
  }

  leave() {
    this.#pages.stop();
    this.#end.stop();
    this.#find.stop();
  }

  missed() {
    if (this.#pages.error) {
      this.#pages.restart();
    }
  }

  #restart() {
    const search = this.#search.trim();
    history.replaceState(null, '', `#/accounts${search ? `?${new URLSearchParams({search})}` : ''}`);
    this.#pages.restart();
  }

  async #create() {
    const created = await formDialog({
      title: 'New account',
      action: 'Create the account',
      body: html`
        <label class="field"><span>Id</span><input name="id" required pattern="[A-Za-z0-9_\\-]{1,64}" maxlength="64" autocomplete="off"
          title="1 to 64 letters, digits, - and _" placeholder="acme"></label>
        <label class="field"><span>Name</span><input name="name" required maxlength="200" autocomplete="off" placeholder="Acme Ltd"></label>
        <div class="inline">
          <label class="field"><span>Opening credits</span><input name="credits" type="number" min="0" step="1" value="0"></label>
          <label class="field"><span>Credits each month</span><input name="monthly_credits" type="number" min="1" step="1" placeholder="none"></label>
        </div>
        <label class="field"><span>Countries</span><input name="countries" autocomplete="off" placeholder="US, GB, WW; none: nothing may be asked for yet"></label>
        <div class="inline">
          <label class="field"><span>First day</span><input name="from" type="date"></label>
          <label class="field"><span>Last day</span><input name="to" type="date"></label>
        </div>
        ${reasonField}`,
      submit: (fields) => api.post('/admin/v1/accounts', {
        id: fields.id.value.trim(),
        name: fields.name.value.trim(),
        credits: Number(fields.credits.value || 0),
        ...(fields.monthly_credits.value ? {monthly_credits: Number(fields.monthly_credits.value)} : {}),
        ...(fields.countries.value.trim() ? {entitlements: entitlements(fields)} : {}),
        ...reasonOf(fields),
      }),
    });
    if (created) {
      await showOnce('The webhook secret, shown this once', created.webhook_secret);
      this.#app.go(`#/accounts/${created.account.id}`);
    }
  }

  actions() {
    return html`<button class="primary" @click=${() => this.#create()}>New account</button>`;
  }

  view() {
    return html`
      <div class="filters">
        <label>Search <input type="search" .value=${this.#search} placeholder="id or name" @input=${(e) => {
          this.#search = e.target.value;
          this.#find();
        }}></label>
      </div>
      ${card({title: html`<span class="visually-hidden">Accounts</span>`, classes: 'bare', body: this.#body()})}`;
  }

  #body() {
    const pages = this.#pages;
    if (pages.pending) {
      return skeletonRows(10, 5);
    }
    if (!pages.items.length) {
      if (pages.error) {
        return failure(pages.error, () => pages.restart());
      }
      return this.#search.trim()
        ? empty('No account like that', 'Neither an id nor a name has these letters in it.')
        : empty('No accounts yet', 'Somebody who is to use the API needs an account and a key.', html`<button class="primary" @click=${() => this.#create()}>New account</button>`);
    }
    return html`<table class="fixed">
      <colgroup><col><col class="hide-s"><col class="c-state"><col class="c-n"><col class="c-n hide"><col class="c-n hide"><col class="c-time hide"></colgroup>
      <thead><tr><th scope="col">Account</th><th scope="col" class="hide-s">Name</th><th scope="col">State</th><th scope="col" class="n">Credits left</th>
        <th scope="col" class="n hide">Each month</th><th scope="col" class="n hide">Valid keys</th><th scope="col" class="hide">Changed</th></tr></thead>
      <tbody>${repeat(pages.items, (a) => a.id, (a) => html`<tr>
        <td><a href="#/accounts/${a.id}">${a.id}</a></td>
        <td class="hide-s" title=${a.name}>${a.name}</td>
        <td>${accountState(a)}</td>
        <td class="n">${whole(a.remaining_credits)}</td>
        <td class="n hide">${whole(a.monthly_credits)}</td>
        <td class="n hide">${whole(keysActive(a))}</td>
        <td class="hide" title=${a.updated_at}>${longDay(a.updated_at)}</td></tr>`)}</tbody>
    </table>
    ${pages.complete ? html`<p class="scroll-end">That is all: ${plural(pages.items.length, 'account')}.</p>`
      : html`<div class="scroll-end" ${ref(this.#end.at)}>${pages.error
        ? html`<span>${pages.error.errors?.[0]} <button class="quiet" @click=${() => pages.more()}>Try again</button></span>`
        : html`<button class="quiet" @click=${() => pages.more()}>${pages.loading ? 'Loading more accounts…' : 'More accounts'}</button>`}</div>`}`;
  }
}

/** The same countries and days in each category. */
export function entitlements({countries, from, to}) {
  const one = {
    countries: countries.value.toUpperCase().split(/[\s,;]+/).filter(Boolean),
    start_date: from.value,
    end_date: to.value,
  };
  return Object.fromEntries(CATEGORIES.map((category) => [category, one]));
}
