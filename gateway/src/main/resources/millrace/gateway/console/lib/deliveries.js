import {html} from './view.js';

/** The parts of an attempt, in their order; each has its colour. */
export const PHASES = ['resolve', 'connect', 'tls', 'send', 'headers', 'body'];

export const phasesText = (attempt) => PHASES.filter((p) => attempt.phase_millis?.[p] !== undefined)
  .map((p) => `${p} ${attempt.phase_millis[p]} ms`).join(', ');

/** Where the time of an attempt went; as long as its part of the longest one. */
export function phaseBar(attempt, part) {
  const all = PHASES.reduce((sum, p) => sum + (attempt.phase_millis?.[p] ?? 0), 0) || 1;
  return html`<div class="phases" role="img" aria-label=${phasesText(attempt)} title=${phasesText(attempt)} .style=${`width:${Math.max(2, part * 100)}%`}>
    ${PHASES.map((p, i) => html`<i class="d${i + 1}" .style=${`width:${((attempt.phase_millis?.[p] ?? 0) / all) * 100}%`}></i>`)}</div>`;
}

export const hostOf = (origin) => origin.replace(/^https:\/\//, '').replace(/:443$/, '');
