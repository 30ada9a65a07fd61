// Keys, as both consoles show and change them.

import {api} from './api.js';
import {formDialog} from './dialog.js';
import {longDay} from './format.js';
import {codeBlock, html, live, nothing, pill} from './view.js';

const DAY = 86_400_000;

/** When a new key ends: [days, words]. */
export const EXPIRIES = [['', 'never'], ['30', 'in 30 days'], ['90', 'in 90 days'], ['365', 'in a year']];

/** The field of a request for a new key. */
export const expiring = (days) => (days ? {expires_at: new Date(api.now() + days * DAY).toISOString()} : {});

/** What a batch key may open: [scope, words]. */
const SCOPES = [['read', 'read reports and data'], ['request', 'request reports'], ['webhooks', 'manage webhooks']];
export const ALL_SCOPES = SCOPES.map(([scope]) => scope);

/** The field of a request for a new key: none where all are chosen. */
export const scoped = (chosen) => (chosen.length === ALL_SCOPES.length ? {} : {scopes: chosen});

/** A checkbox for each scope. */
const scopeBoxes = (box) => html`<fieldset><legend>Opens</legend><div class="inline">
  ${SCOPES.map(([scope, words]) => html`<label class="check">${box(scope)}<span>${words}</span></label>`)}</div></fieldset>`;

/** Of a form that is drawn again; change gets what is chosen then. */
export const scopeChoices = (chosen, change) => scopeBoxes((scope) => html`<input type="checkbox" name=${`scope_${scope}`} .checked=${live(chosen.includes(scope))}
  @change=${(e) => change(ALL_SCOPES.filter((s) => (s === scope ? e.target.checked : chosen.includes(s))))}>`);

/** Of a dialog, which keeps them itself; scopesOf reads them from its fields. */
export const scopeFields = (chosen) => scopeBoxes((scope) => html`<input type="checkbox" name=${`scope_${scope}`} .checked=${chosen.includes(scope)}>`);

export const scopesOf = (fields) => ALL_SCOPES.filter((scope) => fields[`scope_${scope}`].checked);

/** What a key opens, in the words of the API. */
export const opened = (key) => (key.kind === 'batch' ? (key.scopes.length === ALL_SCOPES.length ? 'everything' : key.scopes.join(', ')) : 'capabilities');

/** When it was last used; the service knows it to the hour. */
export const lastUsed = (key) => (key.last_used_at ? longDay(key.last_used_at) : 'never');

export function keyState(key) {
  const now = new Date(api.now()).toISOString();
  return key.revoked_at ? pill('bad', 'revoked') : key.expires_at && key.expires_at <= now ? pill('bad', 'expired') : pill('active', 'active');
}

/** Shows a text that nobody can show again, until the reader has it. */
export const showOnce = (title, text, more = '') => formDialog({
  title,
  text: `Copy it now: nobody can show it again.${more}`,
  body: codeBlock(text, {label: title}),
  action: 'Done',
  leave: null,
  submit: async () => true,
});

/** Asks for another label, expiry and, of a batch key, scopes; change gets what differs. Resolves to its result, or null. */
export const editKey = (key, change) => formDialog({
  title: `Edit ${key.label ?? key.id}`,
  action: 'Save',
  body: html`
    <label class="field"><span>Label</span><input name="label" maxlength="200" .value=${key.label ?? ''}></label>
    <label class="field"><span>Expires (UTC day, empty for never)</span><input name="expires_at" type="date" .value=${(key.expires_at ?? '').slice(0, 10)}></label>
    ${key.kind === 'batch' ? scopeFields(key.scopes) : nothing}`,
  submit: ({label, expires_at: ends, ...fields}) => change({
    label: label.value.trim() || null,
    ...(ends.value === (key.expires_at ?? '').slice(0, 10) ? {} : {expires_at: ends.value ? new Date(ends.value).toISOString() : null}),
    ...(key.kind === 'batch' ? changedScopes(key.scopes, scopesOf(fields)) : {}),
  }),
});

/** The field of a request that changes a key. */
export const changedScopes = (before, chosen) => (chosen.length === before.length && chosen.every((s) => before.includes(s)) ? {}
  : {scopes: chosen.length === ALL_SCOPES.length ? null : chosen});
