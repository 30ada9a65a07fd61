// Keys, as both consoles show and change them.

import {api} from './api.js';
import {formDialog} from './dialog.js';
import {codeBlock, copy, html, pill} from './view.js';

const DAY = 86_400_000;

/** When a new key ends: [days, words]. */
export const EXPIRIES = [['', 'never'], ['30', 'in 30 days'], ['90', 'in 90 days'], ['365', 'in a year']];

/** The field of a request for a new key. */
export const expiring = (days) => (days ? {expires_at: new Date(api.now() + days * DAY).toISOString()} : {});

export function keyState(key) {
  const now = new Date(api.now()).toISOString();
  return key.revoked_at ? pill('bad', 'revoked') : key.expires_at && key.expires_at <= now ? pill('bad', 'expired') : pill('active', 'active');
}

/** A text that nobody can show again. */
export function shownOnce(title, text, done) {
  return html`<div class="secret" role="status"><div><strong>${title}</strong><br><code>${text}</code></div>
    <button type="button" @click=${copy}>Copy</button><button type="button" class="plain" @click=${done}>Done</button></div>`;
}

/** The same in a dialog, which ends when the reader has it. */
export const showOnce = (title, text) => formDialog({
  title,
  text: 'Copy it now: nobody can show it again.',
  body: codeBlock(text, {label: title}),
  action: 'Done',
  leave: null,
  submit: async () => true,
});

/** Asks for another label and expiry; change gets what differs. Resolves to its result, or null. */
export const editKey = (key, change) => formDialog({
  title: `Edit ${key.label ?? key.id}`,
  action: 'Save',
  body: html`
    <label class="field"><span>Label</span><input name="label" maxlength="200" .value=${key.label ?? ''}></label>
    <label class="field"><span>Expires (UTC day, empty for never)</span><input name="ends" type="date" .value=${(key.expires_at ?? '').slice(0, 10)}></label>`,
  submit: ({label, ends}) => change({
    label: label.value.trim() || null,
    ...(ends.value === (key.expires_at ?? '').slice(0, 10) ? {} : {expires_at: ends.value ? new Date(ends.value).toISOString() : null}),
  }),
});
