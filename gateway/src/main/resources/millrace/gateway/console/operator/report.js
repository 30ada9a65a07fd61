import {api} from '../lib/api.js';
import {eventTable} from '../lib/deliveries.js';
import {datasetName, exact, plural, shortId, time, whole} from '../lib/format.js';
import {Poll, Resource} from '../lib/resource.js';
import {card, changing, codeBlock, copyable, empty, html, loaded, nothing, pill, region, shown, skeletonRows, titled} from '../lib/view.js';
import {age, phase} from './reports.js';

const EVERY = 3_000;
const SHOWN = 200;
const STATES = {running: 'busy', failed: 'warn', done: 'good'};
const WORDS = {running: 'running', failed: 'tried again', done: 'done'};

/** A report and what workers have said of its slices. */
export class Report {
  #app;
  #id;
  #slices;
  #deliveries;
  #poll;

  constructor(app, [id]) {
    this.#app = app;
    this.#id = id;
    this.#slices = new Resource((signal) => api.get(`/admin/v1/reports/${id}/slices`, {query: {limit: SHOWN}, signal}), () => app.update());
    this.#deliveries = new Resource((signal) => api.get(`/admin/v1/reports/${id}/deliveries`, {signal}), () => app.update());
    this.missed();
    // Slices are read from a part of a topic: not if nothing happens any more.
    this.#poll = new Poll(EVERY, () => (this.#slices.error?.status === 404 ? null
      : Promise.all([this.#slices.error || this.#slices.value?.report.status === 'processing' ? this.#slices.reload() : null, this.#deliveries.reload()])));
  }

  get title() {
    return this.#slices.value?.report.report_name ?? `Report ${shortId(this.#id)}`;
  }

  get heading() {
    return titled(this.#slices.value?.report.report_name, this.#id);
  }

  leave() {
    this.#poll.stop();
    this.#slices.stop();
    this.#deliveries.stop();
  }

  missed() {
    this.#slices.reload();
    this.#deliveries.reload();
  }

  view() {
    if (this.#slices.error?.status === 404 && !this.#slices.value) {
      return card({title: 'Report not found', body: empty('No such report', 'No account has a report with this id. Reports are forgotten some time after they end.',
        html`<a class="button" href="#/reports">All reports</a>`)});
    }
    const tile = (name, view, note = nothing) => html`<div class="card tile"><span>${name}</span><strong>${shown(this.#slices, view, '60%')}</strong><em>${shown(this.#slices, () => note, '40%')}</em></div>`;
    const count = (name) => ({slices}) => changing(whole(slices[name]));
    const open = ({report}) => report.status === 'processing';
    return html`
      <section class="tiles" aria-label="Slices">
        <div class="card tile"><span>State</span><div class="status">${shown(this.#slices, ({report}) => phase(report), '60%')}</div>
          <em>${shown(this.#slices, (v) => (open(v) ? changing(`open for ${age(v.report)}`) : 'it has ended'), '40%')}</em></div>
        ${tile('Slices running', count('running'))}
        ${tile('Slices done', count('done'), shown(this.#slices, ({slices}) => changing(plural(slices.rows, 'row'))))}
        ${tile('Slices tried again', count('failed'))}
      </section>
      ${loaded(this.#slices, (v) => this.#below(v), html`<div class="card">${skeletonRows(5, 2)}</div><div class="card">${skeletonRows(6, 5)}</div>`)}`;
  }

  /** Once it is known whether there is a card that says why it failed. */
  #below({report: r, slices}) {
    const error = r.status === 'internal_error' ? r.error : null;
    const webhook = card({title: 'Webhook', classes: 'tall low',
      body: region('Webhook', loaded(this.#deliveries, (d) => this.#told(d.deliveries, r), skeletonRows(3, 4)))});
    return html`<div class="two even">
      ${card({title: 'Report', classes: 'tall low', body: html`<div><dl class="facts">
        <dt>Id</dt><dd>${copyable(r.report_id, {text: r.report_id})}</dd>
        ${r.report_name ? html`<dt>Name</dt><dd>${r.report_name}</dd>` : nothing}
        <dt>Account</dt><dd><a href="#/accounts/${r.account_id}">${r.account_id}</a></dd>
        <dt>Dataset</dt><dd>${datasetName(r.dataset)}</dd>
        ${r.data_version ? html`<dt>Data</dt><dd>version ${copyable(r.data_version, {text: r.data_version})}</dd>` : nothing}
        <dt>Attempt</dt><dd>${whole(r.attempt)} of 4</dd>
        <dt>Submitted</dt><dd>${exact(r.submitted_at)}</dd>
        <dt>Last change</dt><dd>${exact(r.updated_at)}</dd>
        <dt>Reserved at most</dt><dd>${plural(r.estimated_credits, 'credit')}</dd></dl></div>`})}
      ${error ? card({title: r.outcome === 'cancelled' ? 'It was cancelled' : 'Why it failed', classes: 'tall low why', body: region('Why it has no file', this.#why(error))}) : webhook}</div>
      ${error ? webhook : nothing}
      ${card({title: 'Slices', note: 'those that a worker has begun', body: this.#table(r, slices)})}`;
  }

  #told(deliveries, report) {
    return deliveries.length ? eventTable(deliveries, () => undefined)
      : empty('No event', report.decided ? 'Its request names no webhook URL, or what became of its events is not kept any more.' : 'The first one is sent when a processor has decided the request.');
  }

  #why(error) {
    return html`<dl class="facts">
      <dt>Cause</dt><dd>${error.cause ? codeBlock(error.cause, {label: 'The cause'}) : 'nothing was thrown'}</dd>
      <dt>Code</dt><dd>${copyable(error.code, {text: error.code})}</dd>
      <dt>The client is told</dt><dd>${error.message} ${error.advice}</dd>
      <dt>Can be retried</dt><dd>${error.retryable ? 'yes' : 'no'}</dd></dl>`;
  }

  #table(report, {list, whole: all}) {
    if (!list.length) {
      return !report.decided
        ? empty('Nobody has decided it', 'The request waits in Kafka. Is a processor ready? Status says so.', html`<a class="button" href="#/">Status</a>`)
        : empty('No slice has begun', report.status === 'processing'
          ? 'Its slices wait for a turn or for a render thread: see whether the processors are ready, and in Grafana how many slices wait.'
          : 'What workers said of it is not kept any more.');
    }
    return html`${all ? nothing : html`<p class="warning">So much has been written since the attempt began that only the newest of it was read: slices that ended long ago are not counted.</p>`}
      <table class="fixed">
      <colgroup><col class="c-n"><col class="c-state"><col class="c-n hide-s"><col class="c-n"><col class="c-time hide"><col class="hide"></colgroup>
      <thead><tr><th scope="col">Slice</th><th scope="col">State</th><th scope="col" class="n hide-s">Handed out</th><th scope="col" class="n">Rows</th>
        <th scope="col" class="hide">Heard of</th><th scope="col" class="hide">Error</th></tr></thead>
      <tbody>${list.map((s) => html`<tr>
        <td>${s.slice !== undefined ? whole(s.slice + 1) : s.part === undefined ? 'assembly' : `file ${whole(s.part)}`}</td>
        <td>${pill(STATES[s.state], WORDS[s.state])}</td>
        <td class="n hide-s">${whole(s.dispatch)}</td>
        <td class="n">${changing(whole(s.rows))}</td>
        <td class="hide" title=${exact(s.heard_at)}>${changing(time(s.heard_at))}</td>
        <td class="hide" title=${s.error ?? nothing}>${s.error ?? html`<span class="faint">–</span>`}</td></tr>`)}</tbody></table>`;
  }
}
