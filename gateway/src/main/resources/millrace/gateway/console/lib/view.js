// The parts that pages are made of.

import {html, nothing, render, svg} from '../lit-html/lit-html.js';
import {keyed} from '../lit-html/directives/keyed.js';
import {ifDefined} from '../lit-html/directives/if-defined.js';
import {repeat} from '../lit-html/directives/repeat.js';
import {live} from '../lit-html/directives/live.js';
import {datasetName, percent, shortId, time} from './format.js';
import {inWords, sentence} from './words.js';

export {sentence, html, ifDefined, live, nothing, render, repeat, svg};

/** A line of grey in the place of a text that is loading. */
export const bone = (width = '60%') => html`<span class="bone" .style=${`width:${width}`} aria-hidden="true"></span>`;

/** A figure that changes at the right of its cell: a new element each time, since a text that grows to the left has moved. */
export const changing = (text) => keyed(text, html`<span>${text}</span>`);

/** The value's view, or a bone of the same height while there is none. */
export const shown = (resource, view, width) =>
  resource.value !== undefined ? view(resource.value) : resource.error ? html`<span class="faint">–</span>` : bone(width);

export function card({title, note = nothing, body, label = nothing, id, classes = ''}) {
  return html`<section class="card ${classes}" aria-labelledby=${ifDefined(id)}>
    <div class="card-head"><h2 id=${ifDefined(id)}>${title}</h2>${label}<span class="note">${note}</span></div>
    ${body}
  </section>`;
}

/** Options of a select: [value, text] each. */
export const options = (pairs, chosen) =>
  pairs.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`);

/** A part that scrolls by itself, also with the keyboard. */
export const region = (label, body) => html`<div tabindex="0" role="region" aria-label=${label}>${body}</div>`;

/** What went wrong, and a way to try again. */
export function failure(error, again) {
  return html`<div class="failure" role="alert">
    ${error.status === 404
      ? html`<p>Not found: it is no longer kept, or this gateway does not have it yet.</p>`
      : (error.errors ?? [String(error.message)]).map((text) => html`<p>${inWords(text)}</p>`)}
    ${again ? html`<button class="quiet" @click=${again}>Try again</button>` : nothing}
  </div>`;
}

export function empty(title, text, action = nothing) {
  return html`<div class="empty"><strong>${title}</strong><p>${text}</p>${action}</div>`;
}

/**
 * A line of help below a field, which gives its place to the first error. Errors come when the service has answered: nothing moves
 * then. All of them stand in full beside the form.
 *
 * @param classes `narrow` for two lines, below a narrow field
 */
export const advice = (help, errors, id, classes = '') => html`<div class="advice ${classes}" id=${ifDefined(id)}><p class="help">${help}</p>
  ${errors.length ? html`<p class="error" title=${errors[0]}>${errors[0]}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}</p>` : nothing}</div>`;

/** The body of a card: an error, a skeleton of the final size, or what was loaded. */
export function loaded(resource, view, skeleton) {
  if (resource.value !== undefined) {
    return view(resource.value);
  }
  return resource.error ? failure(resource.error, () => resource.reload()) : skeleton;
}

export const skeletonRows = (count, columns) => html`<div class="skeleton" role="status" aria-label="Loading">
  ${Array.from({length: count}, (_, row) => html`<div class="skeleton-row">
    ${Array.from({length: columns}, (_unused, column) => bone(`${30 + ((row * 37 + column * 23) % 50)}%`))}
  </div>`)}
</div>`;

const STATES = {
  processing: ['busy', 'processing'],
  pending: ['busy', 'processing'],
  retry: ['busy', 'processing'],
  complete: ['good', 'complete'],
  completed: ['good', 'complete'],
  internal_error: ['bad', 'failed'],
  cancelled: ['mild', 'cancelled'],
  delivered: ['good', 'delivered'],
  waiting: ['mild', 'waiting'],
  failed: ['warn', 'retrying'],
  dead: ['bad', 'given up'],
  given_up: ['bad', 'given up'],
  gone: ['bad', 'gone'],
  active: ['good', 'healthy'],
  stopped: ['warn', 'stopped'],
  parked: ['bad', 'down'],
  recovering: ['warn', 'recovering'],
};

const KINDS = ['good', 'warn', 'bad', 'busy'];

/** A state in a word, with its colour. Where it is none of those above, its kind may be given. */
export function pill(state, text) {
  const [kind, word] = STATES[state] ?? [KINDS.includes(state) ? state : 'mild', state];
  return html`<span class="pill ${kind}">${text ?? word}</span>`;
}

/** The state of a webhook endpoint: one that asked to wait is not down. */
export const endpointPill = (endpoint) => pill(endpoint.state, endpoint.held_reason === 'retry_after' ? 'on hold' : undefined);

export const isOpen = (report) => ['processing', 'pending', 'retry'].includes(report.status);
export const isComplete = (report) => ['complete', 'completed'].includes(report.status);
export const reportState = (report) => (report.outcome === 'cancelled' ? 'cancelled' : report.status);

export function progress(report) {
  if (!isOpen(report)) {
    return pill(reportState(report));
  }
  const part = report.progress ?? 0;
  return report.phase === 'queued' || !report.phase
    ? html`<span class="faint">queued</span>`
    : html`<span class="progress" role="progressbar" aria-label="Report ${shortId(report.report_id)}"
        aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(part * 100)} title=${`${report.phase}, ${percent(part)}`}
        ><i .style=${`width:${part * 100}%`}></i></span>`;
}

/** An id in short, perhaps as a link, and a button that copies the whole of it. */
export const copyable = (id, {text = shortId(id), href} = {}) => html`<span class="copyable">${href
  ? html`<a class="id" href=${href} title=${id}>${text}</a>` : html`<span class="id" title=${id}>${text}</span>`}<button
  type="button" class="copy-id" aria-label="Copy the id ${text}" title="Copy ${id}" @click=${(e) => copyId(e, id)}>${COPY}</button></span>`;

const COPY = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/></svg>`;

/**
 * The heading of a report's page. The name has one line, so that nothing below moves when it comes, and a text of its own: an id
 * that it pushes aside would have moved.
 */
export const titled = (name, id) => (name
  ? html`<span class="titled"><span class="cut" title=${name}>${name}</span>${copyable(id)}</span>`
  : html`<span class="titled">Report ${copyable(id)}</span>`);

/** A report by the name that its client gave it, or by its id. */
export const reportLink = ({report_id: id, report_name: name}) => {
  const href = `#/reports/${id}`;
  return name
    ? html`<span class="named"><a href=${href} title=${name}>${name}</a>${copyable(id)}</span>`
    : copyable(id, {href});
};
export const stamp = (text) => html`<time datetime=${ifDefined(text ?? undefined)} title=${ifDefined(text ?? undefined)}>${time(text)}</time>`;

export const swatch = (dataset, datasets) =>
  html`<span class="swatch d${colour(dataset, datasets)}" aria-hidden="true"></span>${datasetName(dataset)}`;

/** Each dataset has its colour on every page: the catalog's order. */
export function colour(dataset, datasets) {
  const at = datasets.indexOf(dataset);
  return ((at < 0 ? datasets.length : at) % 6) + 1;
}

/** A tablist: one of the names is chosen. */
export function tabs({label, names, chosen, choose, id}) {
  const key = (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step) {
      event.preventDefault();
      const at = (names.indexOf(chosen) + step + names.length) % names.length;
      choose(names[at]);
      event.currentTarget.children[at].focus();
    }
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} @keydown=${key}>
    ${names.map((name) => html`<button type="button" role="tab" id="${id}-${name.toLowerCase()}" aria-controls="${id}-panel"
      aria-selected=${name === chosen ? 'true' : 'false'} tabindex=${name === chosen ? 0 : -1}
      @click=${() => choose(name)}>${name}</button>`)}
  </div>`;
}

/** For a button beside the element that has the text. */
export async function copy(event) {
  const button = event.currentTarget;
  const shown = button.parentElement.querySelector('code');
  if (await toClipboard(shown.textContent, button)) {
    button.textContent = 'Copied';
  } else {
    getSelection().selectAllChildren(shown);
    button.textContent = 'Press Ctrl+C';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 3_000);
}

async function copyId(event, id) {
  const button = event.currentTarget;
  if (await toClipboard(id, button)) {
    toast(`Copied ${id}`);
  } else {
    toast(`This browser does not let the page copy: ${id}`, 'bad');
  }
}

/** Whether the text is on the clipboard now. */
async function toClipboard(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without TLS have no clipboard; what is selected can be copied all the same. Beside the button, since an open
    // dialog lets nothing outside it be selected.
    const field = document.createElement('textarea');
    field.className = 'visually-hidden';
    field.value = text;
    button.after(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    button.focus();
    return done;
  }
}

/** A text to copy. */
export function codeBlock(text, {label, id} = {}) {
  return html`<div class="code" id=${ifDefined(id)}>
    <button type="button" class="quiet copy" @click=${copy}>Copy</button>
    <pre tabindex="0" aria-label=${ifDefined(label)}><code>${text}</code></pre>
  </div>`;
}

/** Calls `reach` when the reader has scrolled to it. */
export class ScrollEnd {
  #observer;
  constructor(reach) {
    this.#observer = new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && reach(), {
      rootMargin: '400px',
    });
  }
  /** For lit's ref. */
  at = (element) => {
    this.#observer.disconnect();
    if (element) {
      this.#observer.observe(element);
    }
  };
  stop() {
    this.#observer.disconnect();
  }
}

/** Asks with a dialog; resolves to whether the reader agrees. */
export function confirm({title, text, action, danger = false}) {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog';
    dialog.setAttribute('aria-labelledby', 'confirm-title');
    const end = (answer) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    dialog.addEventListener('cancel', (e) => {
      e.preventDefault();
      end(false);
    });
    render(html`<h2 id="confirm-title">${title}</h2><p>${text}</p>
      <div class="buttons">
        <button class="plain" @click=${() => end(false)}>Go back</button>
        <button class=${danger ? 'danger' : 'primary'} @click=${() => end(true)}>${action}</button>
      </div>`, dialog);
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A short message that goes away by itself; read out by screen readers. Others stay where they are when one comes or goes. */
export function toast(text, kind = 'good') {
  const list = document.getElementById('toasts');
  const item = document.createElement('div');
  item.className = `toast ${kind}`;
  item.textContent = text;
  list.append(item);
  setTimeout(() => {
    item.classList.add('gone');
    if ([...list.children].every((other) => other.classList.contains('gone'))) {
      list.replaceChildren();
    }
  }, kind === 'bad' ? 12_000 : 5_000);
}

/** Saves text as a file, without asking the gateway. */
export function save(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, {type}));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Rows as CSV; a cell that a spreadsheet would take for a formula is quoted with an apostrophe. */
export function csv(rows) {
  const cell = (value) => {
    let text = value === null || value === undefined ? '' : String(value);
    if (typeof value === 'string' && /^[=+\-@\t\r]/.test(text)) {
      text = `'${text}`;
    }
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
