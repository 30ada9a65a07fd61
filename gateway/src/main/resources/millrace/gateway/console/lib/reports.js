// What one can do with a report, on each page that shows one.

import {api} from './api.js';
import {whole} from './format.js';
import {Poll} from './resource.js';
import {confirm, html, isComplete, isOpen, nothing, sentence, toast} from './view.js';

/** The feed has changes of status, and no progress: while an open report is shown, it is asked for. */
export const PROGRESS = 3_000;
/** As many as one answer has, and as an account may have open where its operator allows no more. */
const MOST_OPEN = 100;

/**
 * Asks again and again how far the open reports are.
 *
 * @param shown () => whether one is shown
 * @param take called with each open report
 */
export const watchOpen = (shown, take) => new Poll(PROGRESS, async () => {
  if (!shown()) {
    return;
  }
  try {
    const {reports} = await api.get('/v3/batch/report-history', {query: {status: 'processing', limit: MOST_OPEN}});
    reports.forEach(take);
  } catch {
    // The next turn asks again.
  }
});

/** The way to the form, which shows what a report costs also to a key that may not request it. */
export const newReport = (app) => html`<a class="button ${app.account.barred('request') ? '' : 'primary'}" href="#/new">${app.account.barred('request') ? 'See what a report costs' : 'New report'}</a>`;

export async function cancel(report) {
  const agreed = await confirm({
    title: 'Cancel this report?',
    text: `It stops at once, and the ${whole(report.estimated_credits)} credits reserved for it are released.`,
    action: 'Cancel report',
    danger: true,
  });
  return agreed && change('cancel', report, 'Report cancelled.');
}

export const retry = (report) => change('retry', report, 'Report restarted.');

async function change(operation, report, done) {
  try {
    const ticket = await api.post(`/v3/batch/${operation}/${report.report_id}`);
    toast(done);
    return ticket;
  } catch (e) {
    toast(sentence(e), 'bad');
    return null;
  }
}

/** Returns whether the report is gone. */
export async function erase(report) {
  const agreed = await confirm({
    title: 'Erase this report?',
    text: 'Its file, its request and its history are deleted for good. Its credits are not given back.',
    action: 'Erase report',
    danger: true,
  });
  if (!agreed) {
    return false;
  }
  try {
    await api.delete(`/v3/batch/reports/${report.report_id}`);
    toast('Report erased.');
    return true;
  } catch (e) {
    toast(sentence(e), 'bad');
    return false;
  }
}

export const NO_ID = 'Type at least the first 8 characters of the id of a report.';

/** The beginning of a report's id, as somebody has typed or pasted it, perhaps with the address before it; null if it is none. */
export function idPrefix(text) {
  const id = text.trim().toLowerCase().replace(/^.*\//, '');
  return /^[0-9a-f]{8}(-[0-9a-f]{0,4}|(-[0-9a-f]{4}){1,2}-[0-9a-f]{0,4}|(-[0-9a-f]{4}){3}-[0-9a-f]{0,12})?$/.test(id) ? id : null;
}

/** The field for the beginning of an id; find gets what was typed. */
export const finder = (id, wrong, find) => html`<form class="finder" role="search" @submit=${(e) => {
  e.preventDefault();
  find(e.target.elements.id.value);
}}><label>Report id <input name="id" type="search" .value=${id} placeholder="8 characters" autocomplete="off" spellcheck="false"
  aria-invalid=${wrong ? 'true' : 'false'} aria-describedby=${wrong ? 'no-id' : nothing}></label><button>Find</button></form>`;

/**
 * A link, and no fetch: the file may lie in object storage, and may be large. Of a report in parts it leads to the manifest, and
 * the page of the report has its files.
 */
export const download = (report, classes = 'quiet') => (report.download_url
  ? html`<a class=${classes} href=${report.download_url} download rel="noreferrer">${report.file_count ? 'Manifest' : 'Download'}</a>`
  : nothing);

export const canRetry = (report) => report.status === 'internal_error' && report.error?.retryable !== false;

/**
 * The actions that fit; changed is called after one that did something.
 *
 * @param barred whether the key may only read
 */
export function actions(report, changed, barred) {
  const run = (operation) => async () => {
    if (await operation(report)) {
      changed();
    }
  };
  if (barred) {
    return isComplete(report) ? download(report) : nothing;
  }
  return html`
    ${isOpen(report) ? html`<button class="quiet" @click=${run(cancel)}>Cancel</button>` : nothing}
    ${isComplete(report) ? download(report) : nothing}
    ${canRetry(report) ? html`<button class="quiet" @click=${run(retry)}>Retry</button>` : nothing}
    <a class="quiet" href="#/new?from=${report.report_id}" title="A new report with the same request">Run again</a>`;
}
