import {api} from './api.js';
import {Resource} from './resource.js';

/** What a key without the scope may not do. */
const DENIED = {read: 'read reports and data', request: 'request, retry, cancel or erase reports', webhooks: 'change or test webhooks'};

/** What several pages need of the account: its name, its datasets and its countries, and what the key opens. Loaded once. */
export class Account {
  constructor(changed) {
    this.own = new Resource((signal) => api.get('/v3/batch/keys', {signal}), changed);
    this.tables = new Resource((signal) => api.get('/v3/batch/tables/describe', {signal}), changed);
    this.capabilities = new Resource((signal) => api.get('/capabilities', {signal}), changed);
  }

  /** Resolves when it is known what the key opens, or that this cannot be asked for now. */
  load() {
    this.tables.reload();
    this.capabilities.reload();
    return this.own.reload();
  }

  /** The key that the reader is signed in with; undefined while it is not known. */
  get key() {
    return this.own.value?.keys.find((key) => key.current);
  }

  /** What the key opens, in few words. */
  get opens() {
    const scopes = this.key?.scopes ?? [];
    return scopes.length === Object.keys(DENIED).length ? 'key with all scopes' : `key: ${scopes.join(', ')}`;
  }

  /** Why the key may not do what takes these scopes, in a sentence; null if it may, or if that is not known. */
  barred(...scopes) {
    const denied = scopes.filter((scope) => this.key && !this.key.scopes.includes(scope));
    return denied.length
      ? `The key that you are signed in with may not ${denied.map((scope) => DENIED[scope]).join(', nor ')}. `
        + `That takes a key with the ${denied.length > 1 ? 'scopes' : 'scope'} ${denied.join(' and ')}: ask who manages the keys of your account.`
      : null;
  }

  /** Names of all datasets, in the catalog's order, which decides their colours. */
  get datasets() {
    return (this.tables.value ?? []).map((table) => table.table);
  }

  table(dataset) {
    return (this.tables.value ?? []).find((table) => table.table === dataset);
  }

  /** Countries that the account has in some category of these metrics: [{code, name}]. */
  countries(metrics) {
    const categories = new Set(metrics.flatMap((metric) => metric.categories ?? []));
    const found = new Map();
    for (const [name, category] of Object.entries(this.capabilities.value ?? {})) {
      if (category?.countries && (categories.size === 0 || categories.has(name))) {
        category.countries.forEach((country) => found.set(country.code, country));
      }
    }
    return [...found.values()].sort((a, b) => (b.code === 'WW') - (a.code === 'WW') || a.name.localeCompare(b.name));
  }
}

/** The entity's field of a dataset: the first of its filters, as describe lists them. */
export const entityField = (table) => table?.table_filters?.[0]?.name ?? 'domains';
export const entityKind = (field) => (field === 'keywords' ? 'keyword' : 'domain');

/** Requests are read up to here where only their outline is shown: one may name a million entities. */
const OUTLINE_BYTES = 64 * 1024;

/**
 * The outline of a report's request, for "asked for": {entities: {field, count, more}, countries, start_date, …}. Reads no more
 * of a long request than its start, which has the entities first.
 */
export async function outline(reportId, signal) {
  const stop = new AbortController();
  const answer = await api.open(`/v3/batch/request-query/${reportId}`, {
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
  });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); ; part = await reader.read()) {
    if (part.done) {
      return summary(JSON.parse(text));
    }
    text += part.value;
    if (text.length > OUTLINE_BYTES) {
      stop.abort();
      const start = text.slice(0, OUTLINE_BYTES);
      const field = /"([a-z_]+)":\[/.exec(start)?.[1] ?? 'entities';
      const count = Math.floor((start.match(/","/g) ?? []).length / 1000) * 1000;
      return {dataset: /"dataset":"([^"]+)"/.exec(text)?.[1], entities: {field, count, more: true}};
    }
  }
}

/** As outline, of a whole request. */
export function summary(request) {
  const [field, entities] = Object.entries(request).find(([key, value]) => key !== 'dataset' && Array.isArray(value)) ?? ['entities', []];
  return {...request, entities: {field, count: entities.length, more: false}};
}
