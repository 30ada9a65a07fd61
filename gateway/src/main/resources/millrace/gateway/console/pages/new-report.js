import {entityField, entityKind} from '../lib/account.js';
import {api, wait} from '../lib/api.js';
import {LANGUAGES, code} from '../lib/code.js';
import {EntityList} from '../lib/entity-list.js';
import {addDays, longDay, metricName, datasetName, month, whole} from '../lib/format.js';
import {Resource} from '../lib/resource.js';
import {
  advice, bone, card, codeBlock, failure, html, live, nothing, options, save, sentence, skeletonRows, tabs, toast,
} from '../lib/view.js';
import {REQUEST, fieldOf, inWords} from '../lib/words.js';

const DRAFT = 'millrace.draft';
/** Longer lists do not fit into sessionStorage (5 MB of UTF-16); the page asks before it is left with one. */
const DRAFT_NAMES = 20_000;
const TYPING = 350;
/** A list of a million names is 20 MB on the wire: it is not sent at each stroke. */
const TYPING_LONG = 1_200;
const LONG = 10_000;
/** A frame is drawn after so many milliseconds. */
const DRAWN = 50;
const MOST_PERIODS = 240;
const RANGES = [['', 'between two dates'], ['window', 'the last periods'], ['all', 'all there is']];
const UNITS = [['d', 'days'], ['w', 'weeks'], ['m', 'months'], ['y', 'years']];

/** What is typed lives as long as the tab, also while other pages are shown: a long list is not in the draft's storage. */
let kept = null;

export class NewReport {
  title = 'New report';
  #app;
  #state;
  #lists = new Map();
  #check = {running: false, answer: null, error: null, of: null};
  #timer = null;
  #asking = null;
  #sending = false;
  #refusal = null;
  #language = LANGUAGES[0];
  #touched = new Set();
  #submitted = false;
  #from;
  #prepared = false;

  constructor(app, parameters, query) {
    this.#app = app;
    this.#state = restored();
    const from = query.get('from');
    this.#from = from && new Resource((signal) => api.get(`/v3/batch/request-query/${from}`, {signal}), () => {
      if (this.#from.value) {
        this.#fill(this.#from.value);
        history.replaceState(null, '', '#/new');
        this.#from = null;
      }
      app.update();
    });
    this.#from?.reload();
    if (!from && query.get('dataset')) {
      this.#state.dataset = query.get('dataset');
    }
  }

  leave() {
    this.#keep();
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#from?.stop?.();
    this.#lists.forEach((list) => list.stop());
  }

  /** Whether a reload of the page would lose something. */
  unsaved() {
    return [...this.#lists.values()].some((list) => list.size > DRAFT_NAMES);
  }

  missed() {
    if (this.#app.account.tables.error) {
      this.#app.account.load();
    }
    if (this.#check.error) {
      this.#validate();
    }
  }

  event(event) {
    if (event.type === 'credits') {
      this.#remaining = event.entry.remaining;
      this.#app.update();
    }
  }

  #remaining = undefined;

  // The form's state: field names are those of the request.

  get #table() {
    return this.#app.account.table(this.#state.dataset) ?? this.#app.account.tables.value?.[0];
  }

  get #metrics() {
    const table = this.#table;
    const fitting = table.table_metrics.filter((m) => m.granularities.includes(this.#granularity));
    return fitting.filter((m) => this.#state.metrics?.includes(m.name));
  }

  get #granularity() {
    const words = Object.keys(this.#table.table_granularity);
    return words.includes(this.#state.granularity) ? this.#state.granularity : words.at(-1);
  }

  #list(field) {
    const table = this.#table;
    const key = `${table.table}.${field}`;
    if (!this.#lists.has(key)) {
      const own = field === entityField(table);
      // Suggestions come from the dataset's entities; a filter's values are not listed anywhere.
      const list = new EntityList(this.#app, {
        id: `list-${field}`, dataset: own ? table.table : null, field,
        kind: own ? entityKind(field) : 'keyword', changed: () => this.#change(field),
      });
      list.set(this.#state.lists?.[field] ?? []);
      this.#lists.set(key, list);
    }
    return this.#lists.get(key);
  }

  #set(name, value) {
    this.#state[name] = value;
    this.#change(name);
  }

  #change(field) {
    this.#touched.add(field);
    if (['range', 'window_count', 'window_unit'].includes(field)) {
      this.#touched.add('window_size').add('all_history');
    }
    this.#refusal = null;
    // Another request is another report: a new key.
    this.#state.idempotency = null;
    this.#keep();
    this.#plan();
    this.#app.update();
  }

  #choose(dataset) {
    const lists = {...this.#state.lists};
    this.#lists.forEach((list) => { lists[list.field] = list.values; });
    this.#lists.clear();
    this.#state = {...this.#state, dataset, lists, metrics: null, granularity: null, start_date: null, end_date: null, filters: {}};
    this.#prepared = false;
    this.#check = {running: false, answer: null, error: null, of: null};
    this.#submitted = false;
    this.#touched.clear();
    this.#change('dataset');
  }

  /** With a whole request, for "ask the same again". */
  #fill(request) {
    const {dataset, countries, metrics, start_date, end_date, granularity, ...rest} = request;
    const lists = {};
    const filters = {};
    const plain = ['delivery_method', 'csv_safety'];
    const state = {dataset, countries, metrics, start_date, end_date, granularity, lists, filters};
    for (const [name, value] of Object.entries(rest).filter(([n]) => !plain.includes(n))) {
      if (Array.isArray(value)) {
        lists[name] = value.map(String);
        filters[name] = value.map(String);
      } else if (name === 'tags') {
        state.tags = tagLines(value);
      } else if (name === 'split') {
        state.split = String(value.max_rows);
      } else {
        // As it would be typed and chosen.
        state[name] = typeof value === 'number' ? String(value) : value;
      }
    }
    this.#lists.clear();
    this.#state = state;
    this.#prepared = false;
    this.#keep();
  }

  /** Once the datasets are known: what a new form begins with. */
  #prepare() {
    if (this.#prepared) {
      return;
    }
    this.#prepared = true;
    const table = this.#table;
    const state = this.#state;
    state.dataset = table.table;
    state.granularity = this.#granularity;
    state.metrics ??= table.table_metrics.filter((m) => m.granularities.includes(state.granularity)).slice(0, 2).map((m) => m.name);
    const {first, last} = this.#periods();
    if (last && !state.start_date) {
      const back = state.granularity === 'monthly' ? addMonths(last, -2) : addDays(last, state.granularity === 'daily' ? -6 : -21);
      state.start_date = cut(back < first ? first : back, state.granularity);
      state.end_date = cut(last, state.granularity);
    }
    state.countries ??= null;
    this.#plan();
  }

  /** The first and last period that are in the data and that the account has. */
  #periods() {
    const table = this.#table;
    const granted = table.table_granularity[this.#granularity] ?? {};
    const there = table.data?.periods?.[this.#granularity] ?? {};
    const later = [granted.start_date, there.first].filter(Boolean).sort().at(-1);
    const earlier = [granted.end_date, there.last].filter(Boolean).sort()[0];
    return {first: later, last: earlier};
  }

  #countries() {
    return this.#app.account.countries(this.#metrics.length ? this.#metrics : this.#table.table_metrics);
  }

  #chosenCountries() {
    const known = new Set(this.#countries().map((c) => c.code));
    return (this.#state.countries ?? (known.has('WW') ? ['WW'] : [...known].slice(0, 1))).filter((c) => known.has(c));
  }

  /** The request's body. */
  #request() {
    const table = this.#table;
    const state = this.#state;
    const body = {};
    const field = entityField(table);
    body[field] = this.#list(field).values;
    body.countries = this.#chosenCountries();
    body.metrics = this.#metrics.map((m) => m.name);
    body.start_date = state.range ? undefined : state.start_date ?? undefined;
    body.window_size = state.range === 'window' ? this.#window() : undefined;
    body.all_history = state.range === 'all' ? true : undefined;
    body.end_date = state.latest ? undefined : state.end_date ?? undefined;
    body.latest = state.latest ? true : undefined;
    body.granularity = this.#granularity;
    for (const filter of table.table_filters.slice(1)) {
      if (filter.name === 'countries') {
        continue;
      }
      if (filter.type === 'boolean') {
        if (state[filter.name]) {
          body[filter.name] = true;
        }
      } else if (filter.values) {
        const chosen = state.filters?.[filter.name] ?? [];
        if (chosen.length) {
          body[filter.name] = chosen;
        }
      } else if (this.#list(filter.name).size) {
        const values = this.#list(filter.name).values;
        body[filter.name] = filter.type === 'integer' ? values.map((v) => (/^-?\d+$/.test(v) ? Number(v) : v)) : values;
      }
    }
    for (const name of ['limit', 'offset', 'num_of_files', 'max_credits', 'retention_days']) {
      if (state[name]) {
        body[name] = numeric(state[name]);
      }
    }
    for (const name of ['response_format', 'compression', 'webhook_url']) {
      if (state[name] && !['csv', 'none'].includes(state[name])) {
        body[name] = String(state[name]).trim();
      }
    }
    if (state.report_name?.trim()) {
      body.report_name = state.report_name.trim();
    }
    const tags = (state.tags ?? '').split('\n').map((line) => line.trim()).filter(Boolean);
    if (tags.length) {
      body.tags = Object.fromEntries(tags.map((tag) => /^([^=]*)=?(.*)$/.exec(tag).slice(1)));
    }
    if (state.split) {
      body.split = {max_rows: numeric(state.split)};
    }
    return body;
  }

  #window() {
    const unit = this.#state.window_unit ?? {daily: 'd', weekly: 'w'}[this.#granularity] ?? 'm';
    return `${this.#state.window_count ?? '3'}${unit}`;
  }

  #keep() {
    const lists = {...this.#state.lists};
    this.#lists.forEach((list) => { lists[list.field] = list.values; });
    kept = {...this.#state, lists};
    const short = Object.values(lists).reduce((sum, values) => sum + values.length, 0) <= DRAFT_NAMES;
    try {
      sessionStorage.setItem(DRAFT, JSON.stringify(short ? kept : {...kept, lists: {}}));
    } catch {
      // Storage is full or closed: the draft lives until the tab is closed.
    }
  }

  #plan() {
    clearTimeout(this.#timer);
    this.#check.running = true;
    const long = [...this.#lists.values()].some((list) => list.size > LONG);
    this.#timer = setTimeout(() => this.#validate(), long ? TYPING_LONG : TYPING);
  }

  async #validate() {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const dataset = this.#table.table;
    try {
      const text = JSON.stringify(this.#request());
      const body = new Blob([text], {type: 'application/json'});
      const ask = () => api.post(`/v3/batch/${dataset}/request-validate`, body, {signal: asking.signal});
      const answer = await ask().catch(async (e) => {
        if (e.status !== 429 && e.status !== 503) {
          throw e;
        }
        await wait(1000 * (e.retryAfter ?? 1), asking.signal);
        return ask();
      });
      if (this.#asking === asking) {
        this.#check = {running: false, answer, error: null, of: text};
      }
      if (this.#remaining === undefined) {
        this.#remaining = (await api.get('/v3/batch/credits')).remaining_credits;
      }
    } catch (e) {
      if (this.#asking === asking && !asking.signal.aborted) {
        this.#check = {running: false, answer: e.status === 400 || e.status === 413 ? {is_valid: false, errors: e.errors, warnings: []} : this.#check.answer, error: e};
      }
    }
    this.#app.update();
  }

  async #submit(event) {
    event.preventDefault();
    const form = event.target;
    this.#submitted = true;
    if (!this.#check.running && this.#wrong().length) {
      this.#app.update();
      this.#leadTo(form);
      return;
    }
    this.#sending = true;
    this.#refusal = null;
    this.#app.update();
    try {
      // Not randomUUID: pages without TLS do not have it.
      this.#state.idempotency ??= Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('-');
      this.#keep();
      const request = this.#request();
      // The price that the form shows holds, if it is that of this request.
      const quote = this.#check.of === JSON.stringify(request) ? this.#check.answer?.quote?.token : undefined;
      const body = new Blob([JSON.stringify({...request, quote})], {type: 'application/json'});
      const ticket = await api.post(`/v3/batch/${this.#table.table}/request-report`, body, {
        headers: {'idempotency-key': this.#state.idempotency},
      });
      this.#state.idempotency = null;
      this.#keep();
      toast('Report requested.');
      this.#app.go(`/reports/${ticket.report_id}`);
    } catch (e) {
      this.#sending = false;
      this.#refusal = e;
      if (e.status === 409) {
        this.#plan(); // for another quote
      }
      if (e.status === 400) {
        this.#check = {running: false, answer: {is_valid: false, errors: e.errors, warnings: []}, error: null};
        this.#leadTo(form);
      }
      this.#app.update();
    }
  }

  /** To the first field that is wrong, once that is drawn. */
  #leadTo(form) {
    setTimeout(() => form.querySelector('input[aria-invalid="true"], select[aria-invalid="true"], fieldset.wrong input')?.focus(), DRAWN);
  }

  /** What the service found wrong with the form as it was last checked. */
  #wrong() {
    return this.#check.answer?.is_valid === false ? this.#check.answer.errors : [];
  }

  /** Of these what the reader has had a part in: nobody is blamed for a form that is empty still. */
  #shown() {
    return this.#submitted ? this.#wrong() : this.#wrong().filter((e) => this.#touched.has(fieldOf(e)));
  }

  /** What is wrong with the fields, in the words of the form. */
  #errors(...fields) {
    return this.#shown().filter((e) => fields.includes(fieldOf(e))).map((e) => inWords(e, this.#labels()));
  }

  #labels() {
    const table = this.#table;
    return {
      ...Object.fromEntries(table.table_filters.map((f) => [f.name, name(f.name)])),
      ...Object.fromEntries(table.table_metrics.map((m) => [m.name, metricName(m.name, table.table)])),
      ...REQUEST,
    };
  }

  // The view

  barred() {
    return this.#app.account.barred('request');
  }

  actions() {
    return html`<button class="plain" type="button" @click=${() => this.#empty()}>Clear form</button>`;
  }

  #empty() {
    kept = null;
    this.#lists.forEach((list) => list.stop());
    this.#lists.clear();
    this.#touched.clear();
    this.#submitted = false;
    this.#state = {dataset: this.#state.dataset};
    this.#prepared = false;
    this.#refusal = null;
    this.#keep();
    this.#app.update();
  }

  view() {
    const {tables, capabilities} = this.#app.account;
    if (this.#from?.error) {
      return failure(this.#from.error, () => this.#from.reload());
    }
    if (tables.error && !tables.value) {
      return failure(tables.error, () => tables.reload());
    }
    if (!tables.value || (capabilities.pending && !capabilities.error) || this.#from) {
      return html`<div class="form"><div class="card">${skeletonRows(12, 2)}</div><div class="card aside">${skeletonRows(6, 1)}</div></div>`;
    }
    this.#prepare();
    const table = this.#table;
    return html`<form class="form" novalidate @submit=${(e) => this.#submit(e)}>
      <div class="stack">
        ${card({title: 'Data', body: this.#about(table)})}
        ${card({title: 'Period and countries', body: this.#when(table)})}
        ${card({title: 'Metrics', body: this.#figures(table)})}
        ${card({title: 'File and delivery', body: this.#output()})}
      </div>
      ${this.#aside()}
      ${card({title: 'Code', classes: 'as-code', note: 'the key is read from MILLRACE_KEY', body: this.#code(table)})}
    </form>`;
  }

  #about(table) {
    const field = entityField(table);
    return html`
      <fieldset><legend>Dataset</legend><div class="choices">
        ${this.#app.account.tables.value.map((t) => html`<label class="choice">
          <input type="radio" name="dataset" value=${t.table} .checked=${live(t.table === table.table)} @change=${() => this.#choose(t.table)}>
          <span><strong>${datasetName(t.table)}</strong><small>${t.description}</small></span></label>`)}
      </div></fieldset>
      ${this.#list(field).view({label: name(field), errors: this.#errors(field), examples: table.data?.sample_entities ?? []})}
      ${table.table_filters.some((f) => f.name === 'subdomains') ? this.#flag('subdomains', 'Include subdomains') : nothing}
      ${table.table_filters.slice(1).filter((f) => f.values).map((f) => this.#choices(f))}
      ${table.table_filters.slice(1).filter((f) => !f.values && f.type !== 'boolean' && f.name !== 'countries')
        .map((f) => this.#list(f.name).view({label: `${name(f.name)} (optional, empty for all)`, errors: this.#errors(f.name)}))}`;
  }

  #flag(field, label) {
    return html`<label class="check"><input type="checkbox" .checked=${live(Boolean(this.#state[field]))}
      @change=${(e) => this.#set(field, e.target.checked)}><span>${label}</span></label>`;
  }

  #choices(filter) {
    const chosen = this.#state.filters?.[filter.name] ?? [];
    const toggle = (value, on) => {
      this.#state.filters = {...this.#state.filters, [filter.name]: filter.values.filter((v) => (v === value ? on : chosen.includes(v)))};
      this.#change(filter.name);
    };
    return html`<fieldset><legend>${name(filter.name)} <span class="faint">(optional, none for all)</span></legend><div class="inline">
      ${filter.values.map((v) => html`<label class="check"><input type="checkbox" .checked=${live(chosen.includes(v))}
        @change=${(e) => toggle(v, e.target.checked)}><span>${v}</span></label>`)}</div></fieldset>`;
  }

  #when(table) {
    const words = Object.keys(table.table_granularity);
    const granularity = this.#granularity;
    const {first, last} = this.#periods();
    const countries = this.#countries();
    const chosen = this.#chosenCountries();
    const toggle = (code_, on) => this.#set('countries', countries.map((c) => c.code).filter((c) => (c === code_ ? on : chosen.includes(c))));
    return html`
      <div class="inline">
        ${words.length > 1 ? html`<label class="field"><span>Granularity</span><select @change=${(e) => this.#regrain(e.target.value)}>
          ${words.map((w) => html`<option ?selected=${w === granularity} value=${w}>${w}</option>`)}</select></label>` : nothing}
        <label class="field"><span>Range</span><select @change=${(e) => this.#set('range', e.target.value)}>${options(RANGES, this.#state.range ?? '')}</select></label>
        ${this.#beginning(first, last)}${this.#state.latest ? nothing : this.#period('end_date', 'To (included)', first, last)}${this.#flag('latest', 'Up to the newest period')}
      </div>
      ${advice(first && last
        ? html`Data is available from ${span(first, granularity)} to ${span(last, granularity)}${words.length === 1 ? `, ${granularity}` : ''}.`
        : 'Your account has no full period of this dataset.', this.#errors('granularity', 'start_date', 'end_date', 'window_size', 'all_history', 'latest'))}
      <fieldset class="gap ${this.#errors('countries').length ? 'wrong' : ''}"><legend>Countries <span class="faint">${chosen.length} of ${countries.length} selected</span></legend>
        <div class="countries" tabindex="-1">${countries.map((c) => html`<label class="check"><input type="checkbox" .checked=${live(chosen.includes(c.code))}
          @change=${(e) => toggle(c.code, e.target.checked)}><span>${c.name} <span class="faint">${c.code}</span></span></label>`)}
          ${countries.length ? nothing : html`<p class="help">${this.#app.account.capabilities.error ? sentence(this.#app.account.capabilities.error) : 'Your account has no countries for these metrics.'}</p>`}</div>
        <div class="list-foot"><button type="button" class="quiet" @click=${() => this.#set('countries', countries.map((c) => c.code))}>Select all</button>
          <button type="button" class="quiet" @click=${() => this.#set('countries', [])}>Clear</button>
          ${advice(nothing, this.#errors('countries'))}</div>
      </fieldset>`;
  }

  #beginning(first, last) {
    if (!this.#state.range) {
      return this.#period('start_date', 'From', first, last);
    }
    return this.#state.range === 'all' ? nothing : html`
      <label class="field"><span>Last</span><input inputmode="numeric" size="4" .value=${live(this.#state.window_count ?? '3')}
        aria-invalid=${this.#invalid('window_size')} @input=${(e) => this.#set('window_count', e.target.value.trim())}></label>
      <label class="field"><span>of</span><select @change=${(e) => this.#set('window_unit', e.target.value)}>
        ${options(UNITS, this.#window().at(-1))}</select></label>`;
  }

  #regrain(word) {
    Object.assign(this.#state, {granularity: word, start_date: null, end_date: null, window_unit: undefined});
    this.#prepared = false;
    this.#change('granularity');
  }

  #period(field, label, first, last) {
    const value = this.#state[field] ?? '';
    const wrong = this.#invalid(field);
    if (this.#granularity !== 'monthly') {
      return html`<label class="field"><span>${label}</span><input type="date" .value=${live(value)} min=${first ?? ''} max=${last ?? ''}
        aria-invalid=${wrong} @change=${(e) => this.#set(field, e.target.value)}></label>`;
    }
    const months = first && last ? between(first, last) : [];
    const shownMonths = value && !months.includes(value) ? [value, ...months] : months;
    return html`<label class="field"><span>${label}</span><select aria-invalid=${wrong} @change=${(e) => this.#set(field, e.target.value)}>
      ${shownMonths.map((m) => html`<option value=${m} ?selected=${m === value}>${month(m)}</option>`)}</select></label>`;
  }

  #figures(table) {
    const fitting = table.table_metrics.filter((m) => m.granularities.includes(this.#granularity));
    const chosen = this.#metrics.map((m) => m.name);
    const toggle = (metric, on) => this.#set('metrics', fitting.map((m) => m.name).filter((n) => (n === metric ? on : chosen.includes(n))));
    return html`<fieldset class=${this.#errors('metrics').length ? 'wrong' : ''}><legend class="visually-hidden">Metrics</legend>
      ${fitting.map((m) => html`<label class="check"><input type="checkbox" .checked=${live(chosen.includes(m.name))}
        @change=${(e) => toggle(m.name, e.target.checked)}>
        <span>${metricName(m.name, table.table)}<small>${m.meaning}</small></span></label>`)}
      <div class="list-foot"><button type="button" class="quiet" @click=${() => this.#set('metrics', fitting.map((m) => m.name))}>Select all</button>
        <button type="button" class="quiet" @click=${() => this.#set('metrics', [])}>Clear</button>
        ${advice(nothing, this.#errors('metrics'))}</div>
      </fieldset><p class="help">Price: ${table.price}.</p>`;
  }

  #output() {
    const control = (field, label, help, body) => html`<div class="field"><label class="label" for="of-${field}">${label}</label>${body}
      ${advice(help, this.#errors(field), `of-${field}-help`, field === 'webhook_url' ? '' : 'narrow')}</div>`;
    const select = (field, label, pairs, help = nothing) => control(field, label, help, html`<select id="of-${field}" aria-describedby="of-${field}-help"
      aria-invalid=${this.#invalid(field)} @change=${(e) => this.#set(field, e.target.value)}>${options(pairs, this.#state[field] ?? pairs[0][0])}</select>`);
    const text = (field, label, {help = nothing, mode = 'text', placeholder = ''}) => control(field, label, help, html`<input id="of-${field}"
      .value=${live(this.#state[field] ?? '')} inputmode=${mode} placeholder=${placeholder} spellcheck="false" aria-describedby="of-${field}-help"
      aria-invalid=${this.#invalid(field)} @input=${(e) => this.#set(field, e.target.value)}>`);
    return html`<div class="inline top">
        ${text('report_name', REQUEST.report_name, {placeholder: 'optional', help: 'Lists show it in place of the id.'})}
        ${select('retention_days', REQUEST.retention_days, [['', 'as usual'], ['1', '1 day'], ['30', '30 days'], ['60', '60 days'], ['180', '180 days'], ['365', '365 days']])}
        ${text('offset', REQUEST.offset, {mode: 'numeric', placeholder: 'none', help: 'Neither in the file nor charged.'})}
      </div><div class="inline top">
        ${select('response_format', REQUEST.response_format, [['csv', 'CSV'], ['json', 'JSON Lines'], ['parquet', 'Parquet']])}
        ${select('compression', REQUEST.compression, [['none', 'none'], ['gzip', 'gzip'], ['zstd', 'zstd']])}
        ${text('limit', REQUEST.limit, {mode: 'numeric', placeholder: 'all'})}
        ${text('max_credits', REQUEST.max_credits, {mode: 'numeric', placeholder: 'no limit', help: 'A report that would cost more is refused.'})}
      </div><div class="inline top">
        ${text('split', REQUEST.split, {mode: 'numeric', placeholder: 'all', help: 'The report becomes several files.'})}
        ${text('num_of_files', REQUEST.num_of_files, {mode: 'numeric', placeholder: 'one', help: 'In place of it, as many as there may be.'})}
      </div>
      ${control('tags', REQUEST.tags, 'The history and the bill find reports by them.', html`<textarea id="of-tags" rows="2" .value=${live(this.#state.tags ?? '')}
        placeholder="optional, one a line: team=seo" spellcheck="false" aria-describedby="of-tags-help" aria-invalid=${this.#invalid('tags')}
        @input=${(e) => this.#set('tags', e.target.value)}></textarea>`)}
      ${text('webhook_url', REQUEST.webhook_url, {mode: 'url', placeholder: 'optional, https://hooks.example.com/reports', help: 'The events of this report are sent to it.'})}`;
  }

  #invalid(field) {
    return this.#errors(field).length ? 'true' : 'false';
  }

  #code(table) {
    const field = entityField(table);
    const request = this.#request();
    const {text, file} = code(this.#language, {origin: location.origin, dataset: table.table, field, request});
    return html`${tabs({label: 'Language', names: LANGUAGES, chosen: this.#language, id: 'code', choose: (l) => { this.#language = l; this.#app.update(); }})}
      <div role="tabpanel" id="code-panel" aria-labelledby="code-${this.#language.toLowerCase()}">
        ${file ? html`<p class="help">The code reads <button type="button" class="quiet" @click=${() => this.#download(file, field, request)}>${file}</button>,
          a file with your list: download it first.</p>` : nothing}
        ${codeBlock(text, {label: `The request in ${this.#language}`, id: 'code'})}</div>`;
  }

  #download(file, field, request) {
    if (file === 'request.json') {
      save(file, 'application/json', [JSON.stringify(request)]);
    } else {
      save(file, 'text/plain', [request[field].join('\n'), '\n']);
    }
  }

  #aside() {
    const {answer, running, error} = this.#check;
    const remaining = this.#remaining;
    const credits = answer?.is_valid ? answer.estimated_credits : null;
    const sending = this.#refusal && this.#refusal.status !== 400 ? this.#refusal : null;
    const unchecked = error && error.status !== 400 && error.status !== 413;
    // What was found wrong before may be right by now: only the service can tell.
    const errors = unchecked ? [] : this.#shown();
    const labels = this.#labels();
    const left = unchecked || errors.length ? [] : [...new Set(this.#wrong().map(fieldOf))];
    const lost = unchecked && !sending ? error.errors ?? [error.message] : [];
    return html`<aside class="card aside" aria-labelledby="estimate-title">
      <div class="card-head"><h2 id="estimate-title">Estimate</h2><span class="note" role="status">${running ? 'checking…' : unchecked ? 'not checked' : 'checked'}</span></div>
      <div class="estimate" aria-busy=${running ? 'true' : 'false'}>
        <strong>${credits === null ? (answer ? '–' : bone('50%')) : whole(credits)}</strong>
        <p class="soft">credits at most${answer?.known_entities === undefined ? nothing
          : html`: ${whole(answer.known_entities)} of ${whole(answer.known_entities + answer.unknown_entities)} ${name(entityField(this.#table)).toLowerCase()} are in the data`}</p>
        <p class="soft">${credits === null || remaining === undefined ? nothing : credits > remaining
          ? html`<span class="bad-text">more than the ${whole(remaining)} you have left</span>`
          : `leaves ${whole(remaining - credits)} of ${whole(remaining)}`}</p>
      </div>
      <div class="messages" tabindex="0" role="status" aria-label="Errors and warnings">
        ${lost.map((e) => html`<p class="bad">${e}</p>`)}
        ${errors.map((e) => html`<p class="bad">${inWords(e, labels)}</p>`)}
        ${left.length ? html`<p class="soft">Still to fill in: ${left.map((field) => labels[field] ?? field).join(', ')}.</p>` : nothing}
        ${(answer?.warnings ?? []).map((w) => html`<p class="warn">${inWords(w, labels)}</p>`)}
        ${answer?.is_valid && !unchecked ? html`<p class="soft">The request is valid.</p>` : nothing}
        ${sending ? html`<p class="bad" role="alert">${sentence(sending, labels)} ${sending.status === 0 || sending.status === 503
          ? 'You can send it again: it is charged once.' : ''}</p>` : nothing}
      </div>
      <button class="primary wide" ?disabled=${this.#sending || errors.length > 0 || this.barred() !== null} aria-busy=${this.#sending ? 'true' : 'false'}>Request the report</button>
      <p class="help">You pay for the results in the report, never more than the estimate.</p>
    </aside>`;
  }
}

function restored() {
  if (kept) {
    return {...kept};
  }
  try {
    const draft = JSON.parse(sessionStorage.getItem(DRAFT)) ?? {};
    // Drafts of earlier builds have them as the service does.
    return typeof draft.tags === 'object' ? {...draft, tags: tagLines(draft.tags)} : draft;
  } catch {
    return {};
  }
}

/** A number if it is one; what it is else is for the service to refuse. */
const numeric = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

/** As they are typed. */
const tagLines = (tags) => Object.entries(tags ?? {}).map(([tag, value]) => `${tag}=${value}`).join('\n');

const name = (field) => (field[0].toUpperCase() + field.slice(1)).replaceAll('_', ' ');
const span = (date, granularity) => (granularity === 'monthly' ? month(date) : longDay(date));
const cut = (date, granularity) => (granularity === 'monthly' ? date.slice(0, 7) : date);

function addMonths(date, months) {
  const [year, at] = date.split('-').map(Number);
  return new Date(Date.UTC(year, at - 1 + months, 1)).toISOString().slice(0, 10);
}

/** Months from the newest to the oldest, as YYYY-MM. */
function between(first, last) {
  const months = [];
  for (let at = last; at.slice(0, 7) >= first.slice(0, 7) && months.length < MOST_PERIODS; at = addMonths(at, -1)) {
    months.push(at.slice(0, 7));
  }
  return months;
}
