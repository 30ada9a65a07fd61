import {shortId, whole} from './format.js';
import {copyable, html, pill} from './view.js';

/** The parts of an attempt, in their order; each has its colour. */
export const PHASES = ['resolve', 'connect', 'tls', 'send', 'headers', 'body'];

/** Why an endpoint or a URL is held. */
export const HELD = {retry_after: 'asked to wait', failing: 'failed again and again', gone: 'too many URLs answered 410'};

export const phasesText = (attempt) => PHASES.filter((p) => attempt.phase_millis?.[p] !== undefined)
  .map((p) => `${p} ${attempt.phase_millis[p]} ms`).join(', ');

/** Where the time of an attempt went; as long as its part of the longest one. */
export function phaseBar(attempt, part) {
  const all = PHASES.reduce((sum, p) => sum + (attempt.phase_millis?.[p] ?? 0), 0) || 1;
  return html`<div class="phases" role="img" aria-label=${phasesText(attempt)} title=${phasesText(attempt)} .style=${`width:${Math.max(2, part * 100)}%`}>
    ${PHASES.map((p, i) => html`<i class="d${i + 1}" .style=${`width:${((attempt.phase_millis?.[p] ?? 0) / all) * 100}%`}></i>`)}</div>`;
}

/** What became of a report's events; href of one, or nothing. */
export const eventTable = (deliveries, href) => html`<table>
  <thead><tr><th scope="col">Event</th><th scope="col" class="hide">URL</th><th scope="col">State</th>
    <th scope="col" class="n hide-s">Attempts</th><th scope="col" class="n">Last response</th></tr></thead>
  <tbody>${deliveries.map((d) => html`<tr><td>${copyable(d.id, {text: `${shortId(d.report_id)}.${d.sequence}`, href: href(d)})}</td><td class="hide cut" title=${d.url}>${d.url}</td>
    <td>${pill(d.state)}</td><td class="n hide-s">${whole(d.attempt_count)}</td>
      <td class="n">${d.last_http_status ?? (d.last_attempt_at ? 'none' : '–')}</td></tr>`)}</tbody>
</table>`;

export const hostOf = (origin) => origin.replace(/^https:\/\//, '').replace(/:443$/, '');
