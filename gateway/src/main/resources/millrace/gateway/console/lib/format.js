// How figures, times and names are written. Times are those of the reader's zone, days are UTC days.

const WHOLE = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const FIGURE = new Intl.NumberFormat('en', {maximumSignificantDigits: 4});
// An axis has steps of 2.5; with fewer digits two of them would have one name.
const COMPACT = new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: 2});
const DAY = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', timeZone: 'UTC'});
const LONG_DAY = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC'});
const MONTH = new Intl.DateTimeFormat('en-GB', {month: 'short', year: 'numeric', timeZone: 'UTC'});
const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
});
const EXACT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23',
});

export const NONE = '–';

export const whole = (n) => (n === undefined || n === null ? NONE : WHOLE.format(n).replace('-', '−'));
export const figure = (n) =>
  n === undefined || n === null ? NONE : (Math.abs(n) >= 1000 ? WHOLE : FIGURE).format(n).replace('-', '−');
/** 2.5k, 1.25M: a small m would be a thousandth. */
export const compact = (n) => COMPACT.format(n).replace('K', 'k').replace('-', '−');
export const percent = (part) => `${(part * 100).toFixed(part > 0.99 && part < 1 ? 1 : 0)} %`;
export const plural = (n, one, many = `${one}s`) => `${whole(n)} ${n === 1 ? one : many}`;
export const day = (text) => DAY.format(new Date(text));
export const longDay = (text) => LONG_DAY.format(new Date(text));
export const month = (text) => MONTH.format(new Date(text));
export const time = (text) => (text ? TIME.format(new Date(text)) : NONE);
export const exact = (text) => (text ? EXACT.format(new Date(text)) : NONE);

/** 2026-11-20, of a time in milliseconds. */
export const utcDay = (millis) => new Date(millis).toISOString().slice(0, 10);
export const addDays = (text, days) => utcDay(Date.parse(text) + days * 86_400_000);

export function duration(millis) {
  if (millis === undefined || millis === null || Number.isNaN(millis)) {
    return NONE;
  }
  const seconds = millis / 1000;
  if (millis < 100) {
    return `${Math.round(millis)} ms`;
  }
  if (seconds < 9.95) {
    return `${seconds.toFixed(1)} s`;
  }
  if (seconds < 59.5) {
    return `${Math.round(seconds)} s`;
  }
  const units = [['d', 86_400], ['h', 3600], ['min', 60], ['s', 1]];
  const at = units.findIndex(([, size]) => Math.round(seconds) >= size);
  const [name, size] = units[at];
  const [finer, part] = units[at + 1];
  const left = Math.floor((Math.round(seconds) % size) / part);
  return `${Math.floor(Math.round(seconds) / size)} ${name}${left ? ` ${left} ${finer}` : ''}`;
}

export function bytes(n) {
  if (n === undefined || n === null) {
    return NONE;
  }
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  let size = n;
  while (size >= 1024 && at < units.length - 1) {
    size /= 1024;
    at++;
  }
  return `${at === 0 ? whole(size) : size.toFixed(size < 10 ? 1 : 0)} ${units[at]}`;
}

/** demographics_bounce_rate as "bounce rate" where the dataset's name leads it. */
export function metricName(name, dataset = '') {
  const short = name.startsWith(`${dataset}_`) ? name.slice(dataset.length + 1) : name;
  return short.replaceAll('_', ' ');
}

const KINDS = {
  opening: 'opening', grant: 'grant', reservation: 'reserved', settlement: 'charged', release: 'released', expiry: 'expired',
};
/** What an entry of the ledger did. */
export const entryKind = (kind) => KINDS[kind] ?? kind;
export const datasetName = (name) => name.replaceAll('_', ' ');
export const shortId = (id) => id.slice(0, 8);

/** The first and last period of a request, in one phrase. */
export function range(from, to, granularity) {
  const name = granularity === 'monthly' ? month : longDay;
  return name(from) === name(to) ? name(from) : `${name(from)} – ${name(to)}`;
}

/** Of a request: "48,200 domains · US, GB · Jan 2025 – Oct 2026". */
export function askedFor(request) {
  const countries = request.countries ?? [];
  const shown = countries.length > 4 ? `${countries.length} countries` : countries.join(', ');
  return [
    (request.entities.more ? 'more than ' : '')
      + plural(request.entities.count, request.entities.field.replace(/s$/, ''), request.entities.field),
    shown,
    request.start_date ? range(request.start_date, request.end_date, request.granularity) : '',
  ].filter(Boolean).join(' · ');
}
