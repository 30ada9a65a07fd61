import {api, wait} from '../lib/api.js';
import {formDialog, reasonField, reasonOf} from '../lib/dialog.js';
import {datasetName, exact, longDay, time, whole} from '../lib/format.js';
import {
  ALL_SCOPES, EXPIRIES, editKey, expiring, keyState, lastUsed, opened, scopeFields, scoped, scopesOf, showOnce,
} from '../lib/keys.js';
import {Resource} from '../lib/resource.js';
import {
  card, copyable, empty, html, loaded, nothing, options, region, reportLink, shown, skeletonRows, toast,
} from '../lib/view.js';
import {accountState, entitlements} from './accounts.js';

const SHOWN = 50;
const KINDS = {
  opening: 'opening', grant: 'grant', reservation: 'reserved', settlement: 'charged', release: 'released', expiry: 'expired',
};
const SIGNS = {opening: '+', grant: '+', release: '+', reservation: '−', expiry: '−', settlement: ''};
const OVERLAPS = [['0s', 'at once'], ['1h', 'after an hour'], ['24h', 'after a day'], ['7d', 'after a week'], ['30d', 'after 30 days']];
const TURNS = 8;
const TURN = 500;

export class Account {
  #app;
  #id;
  #account;
  #credits;
  #audit;

  constructor(app, [id]) {
    this.#app = app;
    this.#id = id;
    this.title = id;
    const load = (path) => new Resource((signal) => api.get(`/admin/v1/accounts/${id}${path}`, {query: path ? {limit: SHOWN} : {}, signal}), () => app.update());
    this.#account = load('');
    this.#credits = load('/credits');
    this.#audit = load('/audit');
    this.#all.forEach((r) => r.reload());
  }

  get #all() {
    return [this.#account, this.#credits, this.#audit];
  }

  leave() {
    this.#all.forEach((r) => r.stop());
  }

  missed() {
    this.#all.filter((r) => r.error).forEach((r) => r.reload());
  }

  #path(rest = '') {
    return `/admin/v1/accounts/${this.#id}${rest}`;
  }

  /** After a change: the account is as the answer says, and the rest is asked for. */
  #changed(text, account) {
    toast(text);
    if (account?.revision) {
      this.#account.value = account;
    } else {
      this.#account.reload();
    }
    this.#audit.reload();
    this.#app.update();
  }

  async #ask(dialog, done) {
    const result = await formDialog(dialog);
    if (result) {
      this.#changed(done, result);
    }
    return result;
  }

  #suspend(account) {
    const suspended = account.status !== 'active';
    this.#ask(suspended ? {
      title: `Resume ${account.id}?`,
      text: 'Its keys work again at once.',
      action: 'Resume the account',
      body: reasonField,
      submit: (fields) => api.post(this.#path('/resume'), reasonOf(fields)),
    } : {
      title: `Suspend ${account.id}?`,
      text: 'Every call with one of its keys is answered 403 from now on. Accepted reports end and are charged, their webhooks are sent, and download links go on to work.',
      action: 'Suspend the account',
      danger: true,
      body: reasonField,
      submit: (fields) => api.post(this.#path('/suspend'), reasonOf(fields)),
    }, suspended ? 'The account works again.' : 'The account is suspended.');
  }

  #rename(account) {
    this.#ask({
      title: 'Another name',
      action: 'Save',
      body: html`<label class="field"><span>Name</span><input name="name" required maxlength="200" .value=${account.name}></label>${reasonField}`,
      submit: (fields) => api.put(this.#path('/name'), {name: fields.name.value.trim(), ...reasonOf(fields)}),
    }, 'The account has another name.');
  }

  async #move(expiry) {
    const id = expiry ? 'expiry_id' : 'grant_id';
    const moved = await this.#ask({
      title: expiry ? 'Take credits back' : 'Grant credits',
      text: expiry ? 'At most what remains is taken; what is reserved for open reports stays.' : 'They can be spent at once.',
      action: expiry ? 'Take them back' : 'Grant them',
      danger: expiry,
      body: html`
        <label class="field"><span>Credits</span><input name="amount" required inputmode="numeric" autocomplete="off"
          pattern=${expiry ? '[1-9][0-9]{0,14}|all' : '[1-9][0-9]{0,14}'} title=${expiry ? 'a whole number, or all' : 'a whole number'}
          placeholder=${expiry ? '500, or all' : '5000'}></label>
        <label class="field"><span>Id <small class="faint">(the same id counts once)</small></span><input name=${id} maxlength="128"
          pattern="[A-Za-z0-9_\\-]{1,128}" title="letters, digits, - and _" autocomplete="off" placeholder=${expiry ? 'contract-2026' : 'invoice-1042'}></label>
        ${reasonField}`,
      submit: ({amount, [id]: move, ...fields}) => api.post(this.#path(`/credits/${expiry ? 'expiries' : 'grants'}`), {
        amount: amount.value === 'all' ? 'all' : Number(amount.value),
        ...(move.value.trim() ? {[id]: move.value.trim()} : {}),
        ...reasonOf(fields),
      }),
    }, expiry ? 'The ledger takes them back.' : 'The credits are granted.');
    if (moved) {
      await this.#decided(this.#credits.value?.granted);
    }
  }

  /** The ledger decides a moment after the gateway was told. */
  async #decided(granted) {
    for (let turn = 0; turn < TURNS; turn++) {
      const credits = await this.#credits.reload();
      if (credits?.granted !== granted) {
        return;
      }
      await wait(TURN);
    }
  }

  #monthly(account) {
    this.#ask({
      title: 'Credits each month',
      text: 'Granted once in each calendar month, UTC, from this one on. Empty ends it.',
      action: 'Save',
      body: html`<label class="field"><span>Credits</span><input name="amount" type="number" min="1" step="1" .value=${account.monthly_credits ?? ''}></label>${reasonField}`,
      submit: ({amount, ...fields}) => (amount.value
        ? api.put(this.#path('/monthly-credits'), {amount: Number(amount.value), ...reasonOf(fields)})
        : api.delete(this.#path('/monthly-credits'), {query: reasonOf(fields)})),
    }, 'The monthly credits are changed.');
  }

  #limits(account) {
    const number = (field) => (field.value ? Number(field.value) : undefined);
    this.#ask({
      title: 'Limits',
      text: 'What is empty is as the services have it. The history is that of reports requested from now on.',
      action: 'Save',
      body: html`
        <label class="field"><span>Requests a second</span><input name="requests_per_second" type="number" min="1" max="1000000" step="1" .value=${account.limits?.requests_per_second ?? ''}></label>
        <label class="field"><span>Open reports</span><input name="open_reports" type="number" min="1" max="1000000" step="1" .value=${account.limits?.open_reports ?? ''}></label>
        <label class="field"><span>Days that ended reports are known</span><input name="history_days" type="number" min="1" max="3650" step="1" .value=${account.limits?.history_days ?? ''}></label>
        ${reasonField}`,
      submit: (fields) => api.put(this.#path('/limits'), {
        requests_per_second: number(fields.requests_per_second), open_reports: number(fields.open_reports),
        history_days: number(fields.history_days), ...reasonOf(fields),
      }),
    }, 'The limits are changed.');
  }

  #entitle(account) {
    const [first] = Object.values(account.entitlements);
    this.#ask({
      title: 'What the account may ask for',
      text: 'The same countries and days in every category. For categories that differ use millrace admin entitle.',
      action: 'Save',
      body: html`
        <label class="field"><span>Countries</span><input name="countries" required autocomplete="off" .value=${first?.countries.join(', ') ?? ''} placeholder="US, GB, WW"></label>
        <div class="inline">
          <label class="field"><span>First day</span><input name="from" type="date" required .value=${first?.start_date ?? ''}></label>
          <label class="field"><span>Last day</span><input name="to" type="date" required .value=${first?.end_date ?? ''}></label>
        </div>${reasonField}`,
      submit: (fields) => api.put(this.#path('/entitlements'), entitlements(fields), {query: reasonOf(fields)}),
    }, 'The account may ask for something else now.');
  }

  async #issue() {
    const issued = await this.#ask({
      title: 'New key',
      action: 'Make the key',
      body: html`
        <label class="field"><span>Label</span><input name="label" maxlength="200" autocomplete="off" placeholder="nightly export"></label>
        <div class="inline">
          <label class="field"><span>Kind</span><select name="kind">${options([['batch', 'batch: everything'], ['rest', 'rest: /capabilities only']], 'batch')}</select></label>
          <label class="field"><span>Ends</span><select name="expires_at">${options(EXPIRIES, '')}</select></label>
        </div>${scopeFields(ALL_SCOPES)}${reasonField}`,
      submit: ({label, kind, expires_at: expiry, ...fields}) => api.post(this.#path('/keys'), {
        kind: kind.value,
        ...(label.value.trim() ? {label: label.value.trim()} : {}),
        ...expiring(expiry.value),
        ...(kind.value === 'batch' ? scoped(scopesOf(fields)) : {}),
        ...reasonOf(fields),
      }),
    }, 'The key is made.');
    if (issued) {
      await showOnce('The new key, shown this once', issued.key);
    }
  }

  async #edit(key) {
    const account = await editKey(key, (change) => api.patch(this.#path(`/keys/${key.id}`), change));
    if (account) {
      this.#changed('The key is changed.', account);
    }
  }

  #revoke(key) {
    this.#ask({
      title: `Revoke ${key.label ?? key.id}?`,
      text: 'Programs that use it are refused at once. It cannot be taken back.',
      action: 'Revoke the key',
      danger: true,
      body: reasonField,
      submit: (fields) => api.delete(this.#path(`/keys/${key.id}`), {query: reasonOf(fields)}),
    }, 'The key is revoked.');
  }

  async #rotate() {
    const rotated = await this.#ask({
      title: 'Rotate the webhook secret?',
      text: 'A new secret is made and shown once. Until those before it end, events are signed with all of them.',
      action: 'Make a new secret',
      body: html`<label class="field"><span>Those before it end</span><select name="overlap">${options(OVERLAPS, '24h')}</select></label>${reasonField}`,
      submit: ({overlap, ...fields}) => api.post(this.#path('/webhook-secrets'), {overlap: overlap.value, ...reasonOf(fields)}),
    }, 'The secret is made.');
    if (rotated) {
      await showOnce('The new webhook secret, shown this once', rotated.secret);
    }
  }

  actions() {
    const account = this.#account.value;
    return html`<div class="bar buttons">
      <button ?disabled=${!account} @click=${() => this.#rename(account)}>Rename</button>
      <button class="slot ${account?.status === 'suspended' ? 'primary' : 'danger'}" ?disabled=${!account || account.status === 'closed'} @click=${() => this.#suspend(account)}>${account?.status === 'suspended' ? 'Resume' : 'Suspend'}</button>
    </div>`;
  }

  view() {
    if (this.#account.error && !this.#account.value) {
      return this.#account.error.status === 404
        ? empty('No such account', `There is no account ${this.#id}.`, html`<a class="button primary" href="#/accounts">All accounts</a>`)
        : loaded(this.#account, () => nothing, nothing);
    }
    return html`
      <section class="tiles" aria-label="Balance">${this.#tiles()}</section>
      <div class="two even">
        ${card({title: 'Account', classes: 'tall low', body: html`<div>${loaded(this.#account, (a) => this.#facts(a), skeletonRows(4, 2))}</div>`})}
        ${card({
          title: 'Webhook secrets', classes: 'tall low', note: html`<button class="quiet" @click=${() => this.#rotate()}>Rotate</button>`,
          body: html`<div>${loaded(this.#account, (a) => this.#secrets(a), skeletonRows(2, 3))}</div>`,
        })}
      </div>
      ${card({
        title: 'Keys', classes: 'tall low', note: html`<button class="quiet" @click=${() => this.#issue()}>New key</button>`,
        body: region('Keys', loaded(this.#account, (a) => this.#keys(a), skeletonRows(4, 5))),
      })}
      ${card({
        title: 'Credits', classes: 'tall',
        note: html`<button class="quiet" @click=${() => this.#move(false)}>Grant</button> · <button class="quiet" @click=${() => this.#move(true)}>Take back</button>`,
        body: region('Credits', loaded(this.#credits, (c) => this.#entries(c.history), skeletonRows(7, 5))),
      })}
      ${card({
        title: 'Audit', classes: 'tall', note: `the newest ${SHOWN} changes`,
        body: region('Audit', loaded(this.#audit, (a) => this.#changes(a.audit), skeletonRows(7, 4))),
      })}`;
  }

  #tiles() {
    const tile = (name, value, note) => html`<div class="card tile"><span>${name}</span><strong>${value}</strong><em>${note}</em></div>`;
    const of = (field) => shown(this.#credits, (c) => whole(c[field]), '60%');
    return html`
      ${tile('Left', of('remaining'), 'can still be reserved')}
      ${tile('Reserved', of('reserved'), 'for open reports')}
      ${tile('Used', of('used'), 'by complete reports')}
      ${tile('Granted', of('granted'), 'left, reserved and used')}`;
  }

  #facts(account) {
    const change = (name, run) => html`<button class="quiet" aria-label="Change ${name}" @click=${run}>Change</button>`;
    const {limits = {}} = account;
    return html`<dl class="facts">
      <dt>Name</dt><dd>${account.name}</dd>
      <dt>State</dt><dd>${accountState(account)}</dd>
      <dt>Each month</dt><dd>${account.monthly_credits ? `${whole(account.monthly_credits)} credits` : 'nothing'} ${change('the monthly credits', () => this.#monthly(account))}</dd>
      <dt>Limits</dt><dd>${limits.requests_per_second ? `${whole(limits.requests_per_second)} requests a second` : 'requests as the gateway has it'},
        ${limits.open_reports ? `${whole(limits.open_reports)} open reports` : 'open reports as the gateway has it'}${limits.history_days
          ? `, ${whole(limits.history_days)} days of history` : nothing} ${change('the limits', () => this.#limits(account))}</dd>
      <dt>May ask for</dt><dd>${allowed(account.entitlements)} ${change('what it may ask for', () => this.#entitle(account))}</dd>
      <dt>Reports</dt><dd><a href="#/reports?account=${account.id}">those that run</a>, <a href="#/reports?state=failed&account=${account.id}">those that failed</a>, <a href="#/reports?state=any&account=${account.id}">all</a></dd>
      <dt>Changed</dt><dd title=${account.updated_at}>${time(account.updated_at)}, revision ${whole(account.revision)}</dd>
    </dl>`;
  }

  #secrets(account) {
    return account.webhook_secrets.length ? html`<table>
      <thead><tr><th scope="col">Secret</th><th scope="col">Made</th><th scope="col">Ends</th></tr></thead>
      <tbody>${account.webhook_secrets.map((s) => html`<tr><td>${copyable(s.id, {text: s.id})}</td>
        <td class="nw">${longDay(s.created_at)}</td><td class="nw">${s.expires_at ? time(s.expires_at) : 'never'}</td></tr>`)}</tbody></table>`
      : empty('No webhook secret', 'Its reports cannot name a webhook_url: nothing could be signed. Rotate makes one.');
  }

  #keys({keys}) {
    if (!keys.length) {
      return empty('No keys', 'Without one nobody can use the account.', html`<button class="primary" @click=${() => this.#issue()}>New key</button>`);
    }
    const order = (k) => (k.revoked_at ? 1 : 0);
    return html`<table>
      <thead><tr><th scope="col">Key</th><th scope="col" class="hide-s">Kind</th><th scope="col" class="c-state">State</th><th scope="col" class="hide">Opens</th><th scope="col" class="hide c-time">Last used</th><th scope="col" class="hide">Made</th>
        <th scope="col" class="hide c-time">Ends</th><th scope="col" class="hide">From</th><th scope="col" class="n c-actions">Actions</th></tr></thead>
      <tbody>${keys.toSorted((a, b) => order(a) - order(b) || (a.issued_at < b.issued_at ? 1 : -1)).map((k) => html`<tr>
        <td class="cut">${copyable(k.id, {text: k.id})} ${k.label ?? html`<span class="faint">no label</span>`}</td>
        <td class="hide-s">${k.kind}</td><td>${keyState(k)}</td>
        <td class="hide">${opened(k)}</td><td class="hide nw" title=${k.last_used_at ?? nothing}>${lastUsed(k)}</td>
        <td class="hide nw" title=${k.issued_at}>${longDay(k.issued_at)}</td>
        <td class="hide nw">${k.revoked_at ?? k.expires_at ? longDay(k.revoked_at ?? k.expires_at) : 'never'}</td>
        <td class="hide nw">${k.source}</td>
        <td><div class="rows-actions">${k.revoked_at ? html`<span class="faint">–</span>` : html`
          <button class="quiet" aria-label="Edit ${k.label ?? k.id}" @click=${() => this.#edit(k)}>Edit</button>
          <button class="quiet danger" aria-label="Revoke ${k.label ?? k.id}" @click=${() => this.#revoke(k)}>Revoke</button>`}</div></td></tr>`)}</tbody>
    </table>`;
  }

  #entries(history) {
    return history.length ? html`<table>
      <thead><tr><th scope="col">When</th><th scope="col">Entry</th><th scope="col" class="hide">Report</th><th scope="col" class="n">Credits</th><th scope="col" class="n hide-s">Left</th></tr></thead>
      <tbody>${history.map((e) => html`<tr title=${e.entry_id}>
        <td class="nw" title=${exact(e.occurred_at)}>${time(e.occurred_at)}</td><td>${KINDS[e.kind] ?? e.kind}</td>
        <td class="hide">${e.report_id ? reportLink(e) : '–'}</td>
        <td class="n">${SIGNS[e.kind] ?? ''}${whole(Math.abs(e.amount))}</td><td class="n hide-s">${whole(e.remaining)}</td></tr>`)}</tbody>
    </table>` : empty('No entries', 'Nothing was granted, reserved or charged lately.');
  }

  #changes(audit) {
    return audit.length ? html`<table>
      <thead><tr><th scope="col">When</th><th scope="col">Change</th><th scope="col">Who</th><th scope="col" class="hide-s">Reason</th><th scope="col" class="hide">What</th></tr></thead>
      <tbody>${audit.map((a) => html`<tr>
        <td class="nw" title=${exact(a.occurred_at)}>${time(a.occurred_at)}</td><td>${datasetName(a.action)}</td><td>${a.actor}</td>
        <td class="hide-s">${a.reason ?? html`<span class="faint">–</span>`}</td>
        <td class="hide wrap">${a.changes.map((c) => html`<div>${c.field}: ${c.before ?? '–'} → ${c.after ?? '–'}</div>`)}</td></tr>`)}</tbody>
    </table>` : empty('No changes', 'Nobody has changed this account in the last 400 days.');
  }
}

function allowed(byCategory) {
  const all = Object.entries(byCategory);
  if (!all.length) {
    return 'nothing yet';
  }
  return all.map(([category, e]) => html`<div>${datasetName(category)}: ${e.countries.length > 6 ? `${e.countries.length} countries` : e.countries.join(', ')}, ${longDay(e.start_date)} – ${longDay(e.end_date)}</div>`);
}
