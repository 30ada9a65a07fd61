import {api} from '../lib/api.js';
import {time, whole} from '../lib/format.js';
import {Poll, Resource} from '../lib/resource.js';
import {bone, card, changing, html, loaded, nothing, pill, shown, skeletonRows} from '../lib/view.js';

const EVERY = 3_000;
const SERVICES = ['gateway', 'processor', 'notifier'];
const NAMES = {gateway: 'Gateways', processor: 'Processors', notifier: 'Notifiers'};
const STATES = {ready: ['good', 'ready'], not_ready: ['bad', 'not ready'], silent: ['bad', 'silent']};

/** What a failing check means; the names are those of the health endpoints. */
const CHECKS = {
  kafka: 'Kafka does not answer it',
  read_model: 'it is still reading the reports',
  accounts: 'it is still reading the accounts',
  disk: 'a disk has too little room',
  catalog: 'gateways accept what its catalog does not have',
  ledger: 'its ledger is rebalancing or has failed',
  workers: 'its render threads hang',
  endpoints: 'it is still taking over endpoints',
};

export class Status {
  title = 'Status';
  #services;
  #poll;

  constructor(app) {
    this.#services = new Resource((signal) => api.get('/admin/v1/services', {signal}), () => app.update());
    this.#services.reload();
    this.#poll = new Poll(EVERY, () => this.#services.reload());
  }

  leave() {
    this.#poll.stop();
    this.#services.stop();
  }

  missed() {
    this.#services.reload();
  }

  view() {
    return html`
      <section class="tiles" aria-label="Services">${this.#tiles()}</section>
      ${card({title: 'Missing', note: 'lag, rates and latencies are in Grafana', classes: 'missing', body: this.#missing()})}
      ${card({title: 'Processes', note: 'as they say themselves, every few seconds', body: loaded(this.#services, (s) => this.#table(s.services), skeletonRows(3, 5))})}`;
  }

  #tiles() {
    const tile = (name, value, note) => html`<div class="card tile"><span>${name}</span><strong>${value}</strong><em>${note}</em></div>`;
    const count = (service) => shown(this.#services, ({services}) => {
      const all = services.filter((s) => s.service === service);
      return html`${whole(all.filter((s) => s.state === 'ready').length)} <small>of ${whole(all.length)} ready</small>`;
    }, '60%');
    return html`${SERVICES.map((service) => tile(NAMES[service], count(service), nothing))}
      ${tile('Open reports', shown(this.#services, (s) => changing(whole(s.open_reports)), '40%'), html`<a class="plain-link" href="#/reports">of all accounts</a>`)}`;
  }

  /** Its height does not depend on how much is missing, within reason. */
  #missing() {
    const {value, error} = this.#services;
    if (!value) {
      return html`<div class="sentences">${error ? html`<p class="bad-text" role="alert">${error.errors.join(' ')}</p>` : bone('40%')}</div>`;
    }
    const sentences = [
      ...value.missing,
      ...value.services.filter((s) => s.state !== 'ready').map(told),
    ];
    return html`<div class="sentences" role="status">${sentences.length
      ? sentences.map((text) => html`<p class="bad-text">${text}</p>`)
      : html`<p>Nothing: there is a ready process of each service.</p>`}</div>`;
  }

  #table(services) {
    const order = (s) => SERVICES.indexOf(s.service);
    return html`<table class="fixed">
      <colgroup><col class="c-name"><col><col class="c-state"><col class="hide-s"><col class="c-time hide"><col class="c-time hide"></colgroup>
      <thead><tr><th scope="col">Service</th><th scope="col">Instance</th><th scope="col">State</th>
        <th scope="col" class="hide-s">Missing</th><th scope="col" class="hide">Started</th><th scope="col" class="hide">Heard of</th></tr></thead>
      <tbody>${services.toSorted((a, b) => order(a) - order(b) || (a.instance < b.instance ? -1 : 1)).map((s) => html`<tr>
        <td>${s.service}</td>
        <td title=${s.instance}>${s.instance}${s.answering ? html` <small class="faint">(this one)</small>` : nothing}</td>
        <td>${pill(...STATES[s.state])}</td>
        <td class="hide-s">${s.missing.length ? s.missing.join(', ') : html`<span class="faint">–</span>`}</td>
        <td class="hide">${s.started_at ? time(s.started_at) : html`<span class="faint">–</span>`}</td>
        <td class="hide">${changing(time(s.heard_at))}</td></tr>`)}</tbody>
    </table>`;
  }
}

function told(s) {
  const name = `${s.service[0].toUpperCase()}${s.service.slice(1)} ${s.instance}`;
  if (s.state === 'silent') {
    return `${name} has not been heard of since ${time(s.heard_at)}: look at its process and its log.`;
  }
  return s.missing.length
    ? `${name} is not ready: ${s.missing.map((check) => CHECKS[check] ?? check).join(', ')}.`
    : `${name} is starting or stopping.`;
}
