import {api} from '../lib/api.js';
import {HELD, hostOf} from '../lib/deliveries.js';
import {formDialog} from '../lib/dialog.js';
import {duration, exact, plural, shortId, time, whole} from '../lib/format.js';
import {Pages, Resource, throttled} from '../lib/resource.js';
import {ref} from '../lit-html/directives/ref.js';
import {
  ScrollEnd, card, changing, codeBlock, confirm, copyable, empty, endpointPill, failure, html, live, loaded, nothing, options, pill, region,
  sentence, skeletonRows, tabs, toast,
} from '../lib/view.js';

const PAGE = 50;
const STATES = [['', 'All'], ['waiting', 'Waiting'], ['failed', 'Retrying'], ['delivered', 'Delivered'], ['dead', 'Given up']];
const HOUR = 3_600_000;
const HELD_SHOWN = 3;
const SUBSCRIPTIONS = '/v3/batch/webhooks/subscriptions';

const VERIFY = {
  Python: `from standardwebhooks import Webhook

# body: the raw bytes, before any parsing
event = Webhook("whsec_…").verify(body, headers)`,
  JavaScript: `import {Webhook} from 'standardwebhooks';

// body: the raw text, before any parsing
const event = new Webhook('whsec_…').verify(body, headers);`,
  Java: `import com.standardwebhooks.Webhook;

// body: the raw text, before any parsing
new Webhook("whsec_…").verify(body, headers);`,
  Shell: `# Without a library: HMAC-SHA256 over {webhook-id}.{webhook-timestamp}.{body}, compared with each v1,… of webhook-signature
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf '%s.%s.%s' "$webhook_id" "$webhook_timestamp" "$(cat body)" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64`,
};

export class Webhooks {
  title = 'Webhooks';
  #app;
  #endpoints;
  #subscriptions;
  #deliveries;
  #filter;
  #end;
  #language = 'Python';
  #test = {url: '', busy: false, answer: null};
  #replay;
  #refresh = throttled(2_000, () => {
    this.#endpoints.reload();
    this.#fresh();
  });

  constructor(app, parameters, query) {
    this.#app = app;
    this.#filter = {state: query.get('state') ?? '', endpoint: query.get('endpoint') ?? ''};
    this.#replay = {from: local(api.now() - HOUR), to: '', busy: false};
    this.#endpoints = new Resource((signal) => api.get('/v3/batch/webhooks/endpoints', {query: {limit: 1000}, signal}), () => app.update());
    this.#deliveries = new Pages(async (cursor, signal) => {
      const page = await api.get('/v3/batch/webhooks/deliveries', {query: {...this.#filter, limit: PAGE, cursor}, signal});
      return {items: page.deliveries, next: page.next_cursor};
    }, () => app.update());
    this.#end = new ScrollEnd(() => this.#deliveries.more());
    this.#subscriptions = new Resource((signal) => api.get(SUBSCRIPTIONS, {signal}), () => app.update());
    this.#endpoints.reload();
    this.#subscriptions.reload();
    this.#deliveries.restart();
  }

  leave() {
    this.#refresh.stop();
    this.#end.stop();
    this.#endpoints.stop();
    this.#subscriptions.stop();
    this.#deliveries.stop();
  }

  missed() {
    this.#refresh();
  }

  event(event) {
    if (event.type === 'delivery') {
      this.#refresh();
    }
  }

  /** Deliveries that are shown change in their places; new ones come first. */
  async #fresh() {
    if (this.#deliveries.pending || this.#deliveries.error) {
      this.#deliveries.restart();
      return;
    }
    try {
      const page = await api.get('/v3/batch/webhooks/deliveries', {query: {...this.#filter, limit: PAGE}});
      const fresh = new Map(page.deliveries.map((d) => [d.id, d]));
      const known = new Set(this.#deliveries.items.map((d) => d.id));
      this.#deliveries.items = this.#deliveries.items.map((d) => fresh.get(d.id) ?? d);
      this.#newer = page.deliveries.filter((d) => !known.has(d.id) && d.occurred_at >= (this.#deliveries.items[0]?.occurred_at ?? ''));
      if (!this.#deliveries.items.length) {
        this.#showNewer();
      }
      this.#app.update();
    } catch {
      // The next event asks again.
    }
  }

  #newer = [];

  #showNewer() {
    this.#deliveries.items = [...this.#newer, ...this.#deliveries.items];
    this.#newer = [];
    this.#app.update();
  }

  #choose(name, value) {
    this.#filter[name] = value;
    const query = new URLSearchParams(Object.entries(this.#filter).filter(([, v]) => v));
    history.replaceState(null, '', `#/webhooks${query.size ? `?${query}` : ''}`);
    this.#newer = [];
    this.#deliveries.pending = true;
    this.#deliveries.items = [];
    this.#deliveries.restart();
  }

  async #enable(endpoint) {
    try {
      await api.post(`/v3/batch/webhooks/endpoints/${endpoint.endpoint}/enable`);
      toast(`Events waiting for ${hostOf(endpoint.origin)} are being sent.`);
      this.#refresh();
    } catch (e) {
      toast(sentence(e), 'bad');
    }
  }

  async #send(event) {
    event.preventDefault();
    this.#test = {...this.#test, busy: true, answer: null};
    this.#app.update();
    const begin = performance.now();
    try {
      await api.post('/v3/batch/webhooks/test', {webhook_url: this.#test.url.trim()});
      this.#test.answer = ['good', `Delivered: the receiver answered in ${duration(performance.now() - begin)}.`];
    } catch (e) {
      this.#test.answer = ['bad', e.code === 'webhook_test_failed' ? received(e) : sentence(e, {webhook_url: 'Webhook URL'})];
    }
    this.#test.busy = false;
    this.#app.update();
  }

  async #subscribe() {
    const made = await formDialog({
      title: 'Tell a URL of new data',
      text: 'It gets a signed event when new reports of a dataset read another version of the data.',
      action: 'Subscribe',
      body: html`<label class="field"><span>Webhook URL</span><input name="webhook_url" required maxlength="2048" inputmode="url" spellcheck="false"
        placeholder="https://hooks.example.com/data"></label>`,
      submit: ({webhook_url: url}) => api.post(SUBSCRIPTIONS, {webhook_url: url.value.trim(), event_types: ['data_version_available']}),
    });
    if (made) {
      toast(`${made.webhook_url} is told of new data.`);
      this.#subscriptions.reload();
    }
  }

  async #unsubscribe(subscription) {
    const agreed = await confirm({
      title: 'End this subscription?',
      text: `${subscription.webhook_url} is not told of new data any more.`,
      action: 'End it',
      danger: true,
    });
    if (!agreed) {
      return;
    }
    try {
      this.#subscriptions.value = await api.delete(`${SUBSCRIPTIONS}/${subscription.id}`);
      toast('The subscription has ended.');
    } catch (e) {
      toast(sentence(e), 'bad');
    }
    this.#app.update();
  }

  async #resend(event) {
    event.preventDefault();
    const {from, to} = this.#replay;
    const range = {from: new Date(from).toISOString(), ...(to ? {to: new Date(to).toISOString()} : {})};
    const agreed = await confirm({
      title: 'Resend these events?',
      text: `Events from ${time(range.from)} to ${to ? time(range.to) : 'now'} that are retrying or were given up`
        + `${this.#filter.endpoint ? ', of the selected endpoint,' : ''} are sent now, oldest first, at most 1,000.`,
      action: 'Resend',
    });
    if (!agreed) {
      return;
    }
    this.#replay.busy = true;
    this.#app.update();
    try {
      const {resent, gone, left} = await api.post('/v3/batch/webhooks/resend', {...range, ...(this.#filter.endpoint ? {endpoint: this.#filter.endpoint} : {})});
      toast(`${plural(resent, 'event')} resent${gone ? `; ${whole(gone)} no longer kept` : ''}${left ? `; ${whole(left)} left, resend again` : ''}.`);
      this.#refresh();
    } catch (e) {
      toast(sentence(e, {from: 'From', to: 'To'}), 'bad');
    }
    this.#replay.busy = false;
    this.#app.update();
  }

  barred() {
    return this.#app.account.barred('webhooks');
  }

  view() {
    if (this.#endpoints.pending) {
      // The rest comes below a table whose length is not known yet, and would move.
      return html`<div class="card">${skeletonRows(4, 5)}</div><div class="card">${skeletonRows(12, 5)}</div>`;
    }
    return html`
      ${card({title: 'Endpoints', note: html`<span class="hide">scheme, host and port of your webhook URLs</span>`, body: loaded(this.#endpoints, (e) => this.#table(e.endpoints), skeletonRows(3, 5))})}
      <div class="two even">
        ${card({title: 'Send a test event', body: this.#testForm()})}
        ${card({title: 'Resend a time range', note: html`<span class="hide">failed events only</span>`, body: this.#replayForm()})}
      </div>
      ${card({title: 'New data', classes: 'tall low', note: html`<button class="quiet" ?disabled=${this.barred() !== null} @click=${() => this.#subscribe()}>Subscribe a URL</button>`,
        body: region('New data', loaded(this.#subscriptions, (s) => this.#subscribed(s.subscriptions), skeletonRows(3, 3)))})}
      ${card({title: 'Verify signatures', note: html`<a href="#/keys">Rotate the secret</a>`, body: this.#verify()})}
      ${card({title: 'Deliveries', body: this.#list()})}`;
  }

  #table(endpoints) {
    if (!endpoints.length) {
      return empty('No endpoint', 'Hosts are listed while events for them are kept. Name a webhook URL in a request, or subscribe a URL to new data: each event is a signed POST, and is retried for a day if it fails.',
        html`<a class="button" href="#/new">New report</a>`);
    }
    return html`<div class="scroll endpoints"><table>
      <thead><tr><th scope="col">Endpoint</th><th scope="col">State</th><th scope="col" class="n">Waiting</th>
        <th scope="col" class="hide">Last success</th>
        <th scope="col" class="hide">Last error</th><th scope="col" class="n hide-s">Next try</th>
          <th scope="col" class="n">Actions</th></tr></thead>
      <tbody>${endpoints.map((e) => html`<tr>
        <td>${hostOf(e.origin)}${e.stopped_urls ? html`<br><small class="faint">${plural(e.stopped_urls, 'URL')} answered 410</small>` : nothing}
          ${(e.held ?? []).slice(0, HELD_SHOWN).map((h) => html`<br><small class="faint">${new URL(h.url).pathname} ${HELD[h.reason]}, next try ${inTime(h.until)}</small>`)}</td>
        <td>${endpointPill(e)}${e.held_reason ? html`<br><small class="faint">${HELD[e.held_reason]}</small>` : nothing}</td><td class="n">${changing(whole(e.waiting))}</td>
        <td class="hide nw">${time(e.last_success_at)}</td>
        <td class="hide">${e.last_error ? html`${e.last_error.http_status ?? e.last_error.error ?? 'no answer'} <span class="faint">${time(e.last_error.at)}</span>` : '–'}</td>
        <td class="n hide-s">${changing(e.held_until ? inTime(e.held_until) : '–')}</td>
        <td class="n">${e.state === 'active' && !e.held_urls ? html`<span class="faint">–</span>`
          : html`<button class="quiet" ?disabled=${this.barred() !== null} title="Send waiting events now, without waiting for the next try" @click=${() => this.#enable(e)}>Enable</button>`}</td></tr>`)}</tbody>
    </table></div>`;
  }

  #subscribed(subscriptions) {
    return subscriptions.length ? html`<table>
      <thead><tr><th scope="col">URL</th><th scope="col" class="hide-s">Since</th><th scope="col" class="n">Actions</th></tr></thead>
      <tbody>${subscriptions.map((s) => html`<tr><td class="wrap">${s.webhook_url}</td><td class="hide-s nw">${time(s.created_at)}</td>
        <td class="n"><button class="quiet danger" ?disabled=${this.barred() !== null} aria-label="End ${s.webhook_url}" @click=${() => this.#unsubscribe(s)}>End</button></td></tr>`)}</tbody></table>`
      : empty('No URL is told of new data', 'A URL that is subscribed gets a signed event when new reports of a dataset read another version of the data.');
  }

  #testForm() {
    const {url, busy, answer} = this.#test;
    return html`<form @submit=${(e) => this.#send(e)}>
      <label class="field"><span>Webhook URL</span><input type="url" required placeholder="https://hooks.example.com/reports" .value=${live(url)}
        spellcheck="false" @input=${(e) => { this.#test.url = e.target.value; }}></label>
      <button ?disabled=${busy || this.barred() !== null} aria-busy=${busy ? 'true' : 'false'}>Send test event</button>
      <p class="result ${answer?.[0] ?? 'faint'}" role="status">${answer?.[1] ?? 'One attempt with a timeout of 5 s; not listed under deliveries.'}</p>
    </form>`;
  }

  #replayForm() {
    const {from, to, busy} = this.#replay;
    return html`<form @submit=${(e) => this.#resend(e)}>
      <div class="inline">
        <label class="field"><span>From</span><input type="datetime-local" required .value=${live(from)} @change=${(e) => { this.#replay.from = e.target.value; }}></label>
        <label class="field"><span>To (empty for now)</span><input type="datetime-local" .value=${live(to)} @change=${(e) => { this.#replay.to = e.target.value; }}></label>
      </div>
      <button ?disabled=${busy || this.barred() !== null} aria-busy=${busy ? 'true' : 'false'}>Resend</button>
      <p class="result faint">Each event keeps its webhook-id, so receivers can ignore duplicates.</p>
    </form>`;
  }

  #verify() {
    return html`<p class="soft lead">Each attempt is signed as the Standard Webhooks specification says. Verify before you parse, and reject a
        webhook-timestamp that is more than five minutes off. <a href="/docs/webhooks">Webhooks guide</a></p>
      ${tabs({label: 'Language', names: Object.keys(VERIFY), chosen: this.#language, id: 'verify', choose: (l) => { this.#language = l; this.#app.update(); }})}
      <div role="tabpanel" id="verify-panel" aria-labelledby="verify-${this.#language.toLowerCase()}" class="verify">${codeBlock(VERIFY[this.#language], {label: `Verify in ${this.#language}`})}</div>`;
  }

  #list() {
    const list = this.#deliveries;
    const endpoints = this.#endpoints.value?.endpoints ?? [];
    return html`
      <div class="filters">
        <label>State <select @change=${(e) => this.#choose('state', e.target.value)}>${options(STATES, this.#filter.state)}</select></label>
        <label>Endpoint <select @change=${(e) => this.#choose('endpoint', e.target.value)}><option value="">All</option>
          ${endpoints.map((e) => html`<option value=${e.endpoint} ?selected=${e.endpoint === this.#filter.endpoint}>${hostOf(e.origin)}</option>`)}</select></label>
        <span class="new-line" role="status">${this.#newer.length ? html`<button class="quiet" @click=${() => this.#showNewer()}>Show ${plural(this.#newer.length, 'newer delivery', 'newer deliveries')}</button>` : nothing}</span>
      </div>
      ${list.pending ? skeletonRows(10, 5)
        : !list.items.length ? (list.error ? failure(list.error, () => list.restart())
          : empty('No deliveries', this.#filter.state || this.#filter.endpoint ? 'No delivery matches these filters.' : 'The events of the last days are listed here: of reports whose requests name a webhook URL, and of new data for subscribed URLs.'))
          : this.#rows(list)}`;
  }

  #rows(list) {
    return html`<table class="fixed">
      <colgroup><col class="c-time hide-s"><col class="c-change"><col class="hide"><col class="c-state"><col class="c-n hide">
        <col class="c-n"></colgroup>
      <thead><tr><th scope="col" class="hide-s">Time</th><th scope="col">Event</th>
        <th scope="col" class="hide">URL</th><th scope="col">State</th><th scope="col" class="n hide">Attempts</th>
        <th scope="col" class="n">Response</th></tr></thead>
      <tbody>${list.items.map((d) => html`<tr>
        <td class="hide-s" title=${exact(d.occurred_at)}>${time(d.occurred_at)}</td>
        <td>${copyable(d.id, {text: `${shortId(d.report_id)}.${d.sequence}`, href: `#/webhooks/${d.id}`})}</td>
        <td class="hide" title=${d.url}>${d.url.replace(/^https:\/\//, '')}</td><td>${pill(d.state)}</td>
        <td class="n hide">${whole(d.attempt_count)}</td><td class="n">${d.last_http_status ?? (d.last_attempt_at ? 'none' : '–')}</td></tr>`)}</tbody>
    </table>
    ${list.complete ? html`<p class="scroll-end">${plural(list.items.length, 'delivery', 'deliveries')} in total.</p>`
      : html`<div class="scroll-end" ${ref(this.#end.at)}><button class="quiet" @click=${() => list.more()}>${list.loading ? 'Loading older deliveries…' : 'Older deliveries'}</button></div>`}`;
  }
}

/** Why a test event did not arrive. What a receiver answers is no refusal of the service. */
function received(error) {
  const said = sentence(error);
  return said.startsWith('The receiver answered') ? `${said} The service reached it; only answers from 200 to 299 count as delivered.` : said;
}

const inTime = (text) => {
  const left = Date.parse(text) - api.now();
  return left > 0 ? `in ${duration(Math.max(1000, left))}` : 'now';
};

/** As a field of local date and time has it. */
function local(millis) {
  const date = new Date(millis);
  return new Date(millis - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
