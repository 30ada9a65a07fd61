import {api} from '../lib/api.js';
import {longDay, time} from '../lib/format.js';
import {
  ALL_SCOPES, EXPIRIES, editKey, expiring, keyState, lastUsed, opened, scopeChoices, scoped, showOnce,
} from '../lib/keys.js';
import {Resource} from '../lib/resource.js';
import {
  advice, card, confirm, copyable, empty, html, live, loaded, nothing, options, sentence, skeletonRows, toast,
} from '../lib/view.js';


export class Keys {
  title = 'Keys';
  #app;
  #keys;
  #secrets;
  #new = {label: '', expiry: '90', scopes: ALL_SCOPES, busy: false, error: null};

  constructor(app) {
    this.#app = app;
    this.#keys = new Resource((signal) => api.get('/v3/batch/keys', {signal}), () => app.update());
    this.#secrets = new Resource((signal) => api.get('/v3/batch/webhooks/secrets', {signal}), () => app.update());
    this.#keys.reload();
    this.#secrets.reload();
  }

  leave() {
    this.#keys.stop();
    this.#secrets.stop();
  }

  missed() {
    [this.#keys, this.#secrets].filter((r) => r.error).forEach((r) => r.reload());
  }

  async #make(event) {
    event.preventDefault();
    this.#new.busy = true;
    this.#new.error = null;
    this.#app.update();
    let made = null;
    try {
      const {label, expiry, scopes} = this.#new;
      made = await api.post('/v3/batch/keys', {
        ...(label.trim() ? {label: label.trim()} : {}),
        ...expiring(expiry),
        ...scoped(scopes),
      });
      this.#new.label = '';
      this.#keys.reload();
    } catch (e) {
      this.#new.error = e;
    }
    this.#new.busy = false;
    this.#app.update();
    if (made) {
      await showOnce('Your new key, shown this once', made.key);
    }
  }

  async #revoke(key) {
    const agreed = await confirm({
      title: `Revoke ${key.label ?? key.id}?`,
      text: key.current ? 'You are signed in with this key; the console will ask for another one. Programs that use it stop working at once.'
        : 'Programs that use it stop working at once. This cannot be undone.',
      action: 'Revoke key',
      danger: true,
    });
    if (agreed) {
      await this.#change(() => api.delete(`/v3/batch/keys/${key.id}`), 'Key revoked.');
    }
  }

  async #edit(key) {
    if (await editKey(key, (change) => api.patch(`/v3/batch/keys/${key.id}`, change))) {
      toast('Key changed.');
      this.#keys.reload();
    }
  }

  async #change(run, done) {
    try {
      await run();
      toast(done);
      this.#keys.reload();
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  }

  async #rotate() {
    const agreed = await confirm({
      title: 'Rotate the webhook secret?',
      text: 'A new secret is created and shown once. For a while events are signed with both: give the new one to your receivers before the old one expires.',
      action: 'Rotate secret',
    });
    if (!agreed) {
      return;
    }
    try {
      const {secret, previous_expires_at: until} = await api.post('/v3/batch/webhooks/secrets');
      this.#secrets.reload();
      await showOnce('Your new webhook secret, shown this once', secret, until ? ` The previous secret is used, too, until ${time(until)}.` : '');
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  }

  barred() {
    return this.#app.account.barred(...ALL_SCOPES)
      && `Keys are made, changed and revoked with a key that has all scopes. The one that you are signed in with has: ${this.#app.account.key.scopes.join(', ')}.`;
  }

  view() {
    return html`
      <div class="two even">
        ${card({title: 'Create a key', body: this.#form()})}
        ${card({title: 'Webhook secrets', classes: 'tall low', note: html`<button class="quiet" ?disabled=${this.#app.account.barred('webhooks') !== null} @click=${() => this.#rotate()}>Rotate</button>`, body: html`<div>${this.#secretsView()}</div>`})}
      </div>
      ${card({title: 'Keys', note: 'a key itself is shown only when it is created', body: loaded(this.#keys, (k) => this.#table(k.keys), skeletonRows(4, 5))})}`;
  }

  #form() {
    const {label, expiry, scopes, busy, error} = this.#new;
    return html`<form @submit=${(e) => this.#make(e)}>
      <div class="inline">
        <label class="field"><span>Label</span><input .value=${live(label)} maxlength="200" placeholder="nightly export" @input=${(e) => { this.#new.label = e.target.value; }}></label>
        <label class="field"><span>Expires</span><select @change=${(e) => { this.#new.expiry = e.target.value; }}>
          ${options(EXPIRIES, expiry)}</select></label>
      </div>
      ${scopeChoices(scopes, (chosen) => { this.#new.scopes = chosen; this.#app.update(); })}
      <button class="primary" ?disabled=${busy || this.barred() !== null} aria-busy=${busy ? 'true' : 'false'}>Create batch key</button>
      ${advice('A batch key for programs. It is shown once.', error ? [sentence(error, {label: 'Label', expires_at: 'Expires', scopes: 'Opens'})] : [])}
    </form>`;
  }

  #table(keys) {
    if (!keys.length) {
      return empty('No keys', 'Create one above.');
    }
    const order = (k) => (k.revoked_at ? 1 : 0);
    return html`<table>
      <thead><tr><th scope="col">Key</th><th scope="col" class="hide-s">Kind</th><th scope="col">State</th>
        <th scope="col" class="hide">Opens</th><th scope="col" class="hide">Last used</th><th scope="col" class="hide">Created</th><th scope="col" class="hide">Valid until</th>
        <th scope="col" class="n">Actions</th></tr></thead>
      <tbody>${keys.toSorted((a, b) => order(a) - order(b) || (a.issued_at < b.issued_at ? 1 : -1)).map((k) => html`<tr>
        <td class="cut">${copyable(k.id, {text: k.id})} ${k.label ?? html`<span class="faint">no label</span>`}${k.current ? html` <small class="faint">(signed in with)</small>` : nothing}</td>
        <td class="hide-s">${k.kind}</td><td>${keyState(k)}</td>
        <td class="hide">${opened(k)}</td><td class="hide nw" title=${k.last_used_at ?? nothing}>${lastUsed(k)}</td>
        <td class="hide nw" title=${k.issued_at ?? nothing}>${k.issued_at ? longDay(k.issued_at) : '–'}</td>
        <td class="hide nw" title=${k.revoked_at ?? k.expires_at ?? nothing}>${k.revoked_at ?? k.expires_at ? longDay(k.revoked_at ?? k.expires_at) : 'no expiry'}</td>
        <td><div class="rows-actions">${k.revoked_at || k.kind !== 'batch' ? html`<span class="faint">–</span>`
          : k.declared ? html`<span class="faint" title="Your operator manages this key">set by operator</span>`
            : html`<button class="quiet" ?disabled=${this.barred() !== null} aria-label="Edit ${k.label ?? k.id}" @click=${() => this.#edit(k)}>Edit</button>
              <button class="quiet danger" ?disabled=${this.barred() !== null} aria-label="Revoke ${k.label ?? k.id}" @click=${() => this.#revoke(k)}>Revoke</button>`}</div></td></tr>`)}</tbody>
    </table>`;
  }

  #secretsView() {
    return html`
      ${loaded(this.#secrets, ({secrets}) => (secrets.length ? html`<table>
        <thead><tr><th scope="col">Secret</th><th scope="col" class="hide-s">Created</th><th scope="col">Valid until</th></tr></thead>
        <tbody>${secrets.map((s) => html`<tr><td>${copyable(s.id, {text: s.id})}</td>
          <td class="nw hide-s">${s.created_at ? longDay(s.created_at) : '–'}</td>
          <td class="nw">${s.expires_at ? time(s.expires_at) : 'no expiry'}</td></tr>`)}</tbody></table>`
        : empty('No webhook secret', 'Requests can set webhook_url once there is a secret to sign with.', html`<button ?disabled=${this.#app.account.barred('webhooks') !== null} @click=${() => this.#rotate()}>Create secret</button>`)), skeletonRows(2, 3))}`;
  }
}
