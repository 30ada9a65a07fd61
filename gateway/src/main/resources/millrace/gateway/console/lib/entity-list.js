import {api} from './api.js';
import {plural, whole} from './format.js';
import {parseList} from './list.js';
import {advice, html, ifDefined, nothing, toast} from './view.js';

/** So many of a list stand on the page, however long it is. */
const SHOWN = 40;
const SUGGESTED = 8;
const TYPING = 150;

/**
 * A list of names, with suggestions from the data while one types. A list or CSV can be pasted, dropped or chosen as a file; a
 * million names stay a set, and only the first stand on the page.
 */
export class EntityList {
  #app;
  #changed;
  #values = new Set();
  #array = null;
  #suggestions = [];
  #at = -1;
  #text = '';
  #timer = null;
  #asking = null;
  #parsing = null;
  #part = 0;
  #column = null;

  /** @param id of the input; its label and errors refer to it */
  constructor(app, {id, dataset, field, kind, changed}) {
    this.#app = app;
    this.id = id;
    this.dataset = dataset;
    this.field = field;
    this.kind = kind;
    this.#changed = changed;
  }

  /** In their order; the same array until the list changes. */
  get values() {
    if (this.#array === null || this.#array.length !== this.#values.size) {
      this.#array = [...this.#values];
    }
    return this.#array;
  }

  get size() {
    return this.#values.size;
  }

  set(values) {
    this.#values = new Set(values);
    this.#array = null;
    this.#column = null;
    this.#app.update();
  }

  /** Of a text that may be long. What is typed meanwhile stays. */
  async add(text) {
    this.#parsing?.abort();
    const parsing = new AbortController();
    this.#parsing = parsing;
    this.#part = 0;
    try {
      const {values, column} = await parseList(text, {
        kind: this.kind,
        signal: parsing.signal,
        progress: (part) => {
          this.#part = part;
          this.#app.update();
        },
      });
      const before = this.#values.size;
      values.forEach((v) => this.#values.add(v));
      this.#column = column;
      if (values.length > 1) {
        const added = this.#values.size - before;
        toast(`${plural(added, 'name')} added${added < values.length ? `, ${whole(values.length - added)} were already in the list` : ''}.`);
      }
      this.#changed();
    } catch (e) {
      if (!parsing.signal.aborted) {
        throw e;
      }
    } finally {
      if (this.#parsing === parsing) {
        this.#parsing = null;
        this.#app.update();
      }
    }
  }

  stop() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#parsing?.abort();
  }

  #type(event) {
    this.#text = event.target.value;
    this.#at = -1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#suggest(), TYPING);
  }

  async #suggest() {
    this.#asking?.abort();
    const prefix = this.#text.trim();
    if (!prefix || !this.dataset) {
      this.#suggestions = [];
      this.#app.update();
      return;
    }
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const found = await api.get(`/v3/batch/tables/${this.dataset}/entities`, {
        query: {prefix, limit: 2 * SUGGESTED}, signal: asking.signal,
      });
      if (this.#asking === asking && this.#text.trim() === prefix) {
        this.#suggestions = found.entities.filter((e) => !this.#values.has(e)).slice(0, SUGGESTED);
        this.#app.update();
      }
    } catch {
      // Suggestions are a help; without them one types on.
      this.#suggestions = [];
    }
  }

  #key(event) {
    const open = this.#suggestions.length > 0;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step && open) {
      event.preventDefault();
      const count = this.#suggestions.length;
      this.#at = (this.#at + step + count + (this.#at < 0 && step < 0 ? 1 : 0)) % count;
      this.#app.update();
    } else if (event.key === 'Enter' || (event.key === ',' && this.kind === 'domain')) {
      event.preventDefault();
      this.#choose(this.#at >= 0 ? this.#suggestions[this.#at] : this.#text, event.target);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      this.#close();
    } else if (event.key === 'Backspace' && !event.target.value && this.#values.size && this.#values.size <= SHOWN) {
      this.#remove([...this.#values].at(-1));
    }
  }

  #choose(text, input) {
    const value = text.trim();
    input.value = '';
    this.#text = '';
    this.#close();
    if (value) {
      this.add(value);
    }
  }

  #close() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#suggestions = [];
    this.#at = -1;
    this.#app.update();
  }

  #left(event) {
    // What was typed and not entered counts, too.
    this.#choose(event.target.value, event.target);
  }

  #paste(event) {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (/[\n\r,;\t"]/.test(text.trim())) {
      // A field with megabytes of text would freeze the page.
      event.preventDefault();
      this.add(text);
    }
  }

  async #file(file) {
    if (file) {
      this.add(await file.text());
    }
  }

  #remove(value) {
    this.#values.delete(value);
    this.#array = null;
    this.#changed();
    this.#app.update();
  }

  #clear() {
    this.stop();
    this.#values = new Set();
    this.#array = null;
    this.#parsing = null;
    this.#column = null;
    this.#changed();
    this.#app.update();
  }

  /** @param errors sentences about the list */
  view({label, errors, examples = []}) {
    const first = this.values.slice(0, SHOWN);
    const options = `${this.id}-options`;
    const open = this.#suggestions.length > 0;
    return html`<div class="field">
      <label class="label" for=${this.id}>${label}</label>
      <div class="list" aria-invalid=${errors.length ? 'true' : 'false'}
        @dragover=${(e) => e.preventDefault()} @drop=${(e) => { e.preventDefault(); this.#dropped(e.dataTransfer); }}>
        <div class="tags">
          ${first.map((value) => html`<span class="tag"><span>${value}</span><button type="button" aria-label="Remove ${value}"
            @click=${() => this.#remove(value)}>×</button></span>`)}
          ${this.#values.size > SHOWN ? html`<span class="tag more">and ${whole(this.#values.size - SHOWN)} more</span>` : nothing}
          <input id=${this.id} role="combobox" aria-autocomplete="list" aria-expanded=${open ? 'true' : 'false'} aria-controls=${options}
            aria-activedescendant=${ifDefined(this.#at >= 0 ? `${options}-${this.#at}` : undefined)}
            aria-describedby="${this.id}-help" aria-invalid=${errors.length ? 'true' : 'false'} autocomplete="off" spellcheck="false" autocapitalize="off"
            placeholder=${this.#values.size ? '' : 'Type, or paste a list or CSV'}
            @input=${(e) => this.#type(e)} @keydown=${(e) => this.#key(e)} @paste=${(e) => this.#paste(e)} @blur=${(e) => this.#left(e)}>
        </div>
        <ul class="options" id=${options} role="listbox" aria-label="Suggestions" ?hidden=${!open}>
          ${this.#suggestions.map((value, i) => html`<li role="option" id="${options}-${i}" aria-selected=${i === this.#at ? 'true' : 'false'}
            @pointerdown=${(e) => { e.preventDefault(); this.#choose(value, document.getElementById(this.id)); }}>${value}</li>`)}
        </ul>
      </div>
      <div class="list-foot">
        <label class="file">Choose file<input class="visually-hidden" type="file" accept=".csv,.txt,.tsv,text/*"
          @change=${(e) => { this.#file(e.target.files[0]); e.target.value = ''; }}></label>
        ${this.#values.size ? html`<button type="button" class="quiet" @click=${() => this.#clear()}>Remove all</button>` : nothing}
        ${!this.#values.size && examples.length ? html`<button type="button" class="quiet" @click=${() => this.add(examples.join('\n'))}>Try ${examples[0]}</button>` : nothing}
        <span class="count" role="status">${this.#parsing ? `reading, ${Math.round(this.#part * 100)} %` : html`${this.#column ? `from ${this.#column}: ` : ''}${whole(this.#values.size)} selected`}</span>
      </div>
      ${advice(nothing, errors, `${this.id}-help`)}
    </div>`;
  }

  #dropped(data) {
    if (data.files.length) {
      this.#file(data.files[0]);
    } else {
      this.add(data.getData('text/plain'));
    }
  }
}
