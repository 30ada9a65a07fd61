import {api} from '../lib/api.js';
import {HELD, PHASES, phaseBar, phasesText} from '../lib/deliveries.js';
import {duration, exact, shortId, time, whole} from '../lib/format.js';
import {Resource, throttled} from '../lib/resource.js';
import {
  card, codeBlock, copyable, empty, failure, html, nothing, pill, region, reportLink, sentence, skeletonRows, toast,
} from '../lib/view.js';

export class Delivery {
  #app;
  #id;
  #delivery;
  #busy = false;
  #refresh = throttled(1_000, () => this.#delivery.reload());

  constructor(app, [id]) {
    this.#app = app;
    this.#id = id;
    const [report, sequence] = id.split('.');
    this.title = `Delivery ${shortId(report)}.${sequence}`;
    this.heading = html`Delivery ${copyable(id, {text: `${shortId(report)}.${sequence}`})}`;
    this.#delivery = new Resource((signal) => api.get(`/v3/batch/webhooks/deliveries/${encodeURIComponent(id)}`, {signal}), () => app.update());
    this.#delivery.reload();
  }

  leave() {
    this.#refresh.stop();
    this.#delivery.stop();
  }

  missed() {
    this.#refresh();
  }

  event(event) {
    if (event.type === 'delivery' && event.delivery.id === this.#id) {
      this.#refresh();
    }
  }

  async #resend() {
    this.#busy = true;
    this.#app.update();
    try {
      await api.post(`/v3/batch/webhooks/deliveries/${encodeURIComponent(this.#id)}/resend`);
      toast('Resent with the same id and body.');
      this.#refresh();
    } catch (e) {
      toast(sentence(e), 'bad');
    }
    this.#busy = false;
    this.#app.update();
  }

  barred() {
    return this.#app.account.barred('webhooks');
  }

  actions() {
    return html`<div class="buttons start bar"><a class="button" href="#/webhooks">All deliveries</a>
      <button class="primary" ?disabled=${this.#busy || !this.#delivery.value || this.barred() !== null} @click=${() => this.#resend()}>Resend</button></div>`;
  }

  view() {
    const d = this.#delivery.value;
    if (!d) {
      return this.#delivery.error?.status === 404
        ? card({title: 'Delivery not found', body: empty('No such delivery', 'Deliveries are kept for some days.', html`<a class="button" href="#/webhooks">All deliveries</a>`)})
        : this.#delivery.error ? failure(this.#delivery.error, () => this.#delivery.reload())
          : html`<div class="two even"><div class="card tall">${skeletonRows(6, 2)}</div><div class="card tall">${skeletonRows(6, 2)}</div></div><div class="card">${skeletonRows(6, 4)}</div>`;
    }
    return html`
      <div class="two even">
        ${card({title: 'Event', label: pill(d.state), classes: 'tall', body: region('Event', this.#facts(d))})}
        ${card({title: 'Request', note: 'sent with each attempt', classes: 'tall', body: region('Request', this.#request(d))})}
      </div>
      ${card({title: 'Attempts', note: d.attempts.length < d.attempt_count ? `the newest ${d.attempts.length} of ${whole(d.attempt_count)}` : nothing, body: this.#attempts(d)})}`;
  }

  #facts(d) {
    return html`<dl class="facts">
      ${this.#about(d)}
      <dt>URL</dt><dd>${d.url}</dd>
      <dt>Time</dt><dd>${exact(d.occurred_at)}</dd>
      <dt>Attempts</dt><dd>${whole(d.attempt_count)}${d.last_attempt_at ? `, last ${time(d.last_attempt_at)}` : ''}</dd>
      ${d.next_attempt_at ? html`<dt>Next attempt</dt><dd>${exact(d.next_attempt_at)}</dd>` : nothing}
      ${d.given_up ? html`<dt>Given up</dt><dd class="bad-text">${exact(d.given_up.at)}: ${d.given_up.reason}</dd>` : nothing}
    </dl>`;
  }

  #about(d) {
    let event = null;
    try {
      event = JSON.parse(d.body);
    } catch {
      // It is no longer kept.
    }
    return event?.event_type === 'data_version_available'
      ? html`<dt>Data</dt><dd>${event.payload.dataset}, version ${event.payload.version}</dd>`
      : html`<dt>Report</dt><dd>${reportLink({...event?.payload, ...d})} change ${d.sequence}</dd>`;
  }

  #request(d) {
    const url = new URL(d.url);
    const last = d.attempts.at(-1);
    const headers = [
      `POST ${url.pathname} HTTP/1.1`,
      `host: ${url.host}`,
      'content-type: application/json',
      `webhook-id: ${d.id}`,
      `webhook-timestamp: ${last ? Math.floor(Date.parse(last.started_at) / 1000) : '(of the attempt)'}`,
      'webhook-signature: v1,(made anew for each attempt)',
    ].join('\n');
    return codeBlock(`${headers}\n\n${d.body === undefined ? '(the body is no longer kept)' : pretty(d.body)}`, {label: 'Headers and body'});
  }

  #attempts(d) {
    if (!d.attempts.length) {
      return empty('No attempts yet', 'The event is waiting to be sent.');
    }
    const longest = Math.max(...d.attempts.map((a) => a.duration_millis), 1);
    return html`<p class="legend phase-legend">${PHASES.map((p, i) => html`<span><span class="swatch d${i + 1}" aria-hidden="true"></span>${p}</span>`)}</p>
      ${d.attempts.toReversed().map((a) => html`<div class="attempt">
        <div class="attempt-head"><strong>${a.attempt}</strong>${pill(a.outcome, a.outcome === 'failed' ? 'failed' : undefined)}
          <span>${a.http_status ? `answered ${a.http_status}` : a.error ?? 'no answer'}${a.http_status && a.error ? `: ${a.error}` : ''}${a.phase ? html` <span class="faint">in ${a.phase}</span>` : nothing}</span>
          <span class="n">${exact(a.started_at)}, ${duration(a.duration_millis)}</span></div>
        ${phaseBar(a, a.duration_millis / longest)}
        <p class="help">${phasesText(a)}${a.held_until ? `. Held until ${exact(a.held_until)}, ${HELD[a.held_reason]}` : ''}</p>
        ${a.answer_excerpt ? html`<details><summary>Response</summary>${codeBlock(a.answer_excerpt, {label: 'The start of the response'})}</details>` : nothing}
      </div>`)}`;
  }
}

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
