// Lists of entities as people paste them: one a line, with commas, or a column of a CSV. A million must not freeze the page.

/** The page gets a turn after so many milliseconds of work. */
const TURN = 12;
const HEADERS = /^(domains?|keywords?|sites?|websites?|urls?|entit(y|ies)|search terms?)$/i;

/**
 * Takes a text apart. Calls `progress` with the part that is done, from 0 to 1.
 *
 * @param kind `domain` or `keyword`: domains are cut out of addresses and lower-cased
 * @returns {Promise<{values: string[], column: string|null}>} distinct values in their order; column is the header of the
 *     column that was taken, where the text is a table
 */
export async function parseList(text, {kind = 'domain', progress = () => {}, signal} = {}) {
  const table = columns(text);
  const found = new Set();
  const fields = new FieldReader(text, table.separator);
  let header = null;
  let wanted = 0;
  let begin = performance.now();
  for (let field = fields.next(); field !== null; field = fields.next()) {
    if (field.row === 0 && header === null && table.count > 1 && HEADERS.test(field.text.trim())) {
      header = field.text.trim();
      wanted = field.column;
      found.clear();
      continue;
    }
    const first = field.row === 0 && field.column === 0;
    const skipped = table.count > 1 ? field.column !== wanted : first && HEADERS.test(field.text.trim());
    if (!skipped) {
      const value = clean(field.text, kind);
      if (value) {
        found.add(value);
      }
    }
    if ((fields.read & 255) === 0 && performance.now() - begin > TURN) {
      progress(fields.position / text.length);
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
      begin = performance.now();
    }
  }
  progress(1);
  return {values: [...found], column: table.count > 1 ? header ?? `column ${wanted + 1}` : null};
}

/** Whether the text is a table, by its first lines: the same number of columns, two or more, in several lines. */
function columns(text) {
  for (const separator of ['\t', ';', ',']) {
    const reader = new FieldReader(text.slice(0, 20_000), separator);
    const counts = [];
    for (let field = reader.next(); field !== null && field.row < 20; field = reader.next()) {
      counts[field.row] = field.column + 1;
    }
    if (text.length > 20_000) {
      counts.pop();
    }
    if (counts.length > 1 && counts[0] > 1 && counts.every((c) => c === counts[0])) {
      return {separator, count: counts[0]};
    }
  }
  return {separator: null, count: 1};
}

function clean(text, kind) {
  let value = text.trim();
  if (kind === 'domain' && value) {
    value = value.toLowerCase().replace(/^[a-z]+:\/\//, '').replace(/[/?#].*$/, '');
  }
  return value;
}

/** Fields as RFC 4180 has them. Without a separator any of comma, semicolon and tab is one. */
class FieldReader {
  #text;
  #separators;
  #ended = false;
  position = 0;
  read = 0;
  #row = 0;
  #column = 0;

  constructor(text, separator) {
    this.#text = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    this.#separators = separator === null ? [44, 59, 9] : [separator.charCodeAt(0)];
  }

  /** {text, row, column}, or null at the end. Blank lines are no rows. */
  next() {
    const text = this.#text;
    if (this.#ended) {
      return null;
    }
    while (this.#column === 0 && (text[this.position] === '\n' || text[this.position] === '\r')) {
      this.position++;
    }
    if (this.#column === 0 && this.position >= text.length) {
      this.#ended = true;
      return null;
    }
    let value;
    let at = this.position;
    while (text[at] === ' ') {
      at++;
    }
    if (text[at] === '"') {
      value = '';
      for (;;) {
        const end = text.indexOf('"', at + 1);
        if (end < 0) {
          value += text.slice(at + 1);
          at = text.length;
          break;
        }
        value += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== '"') {
          break;
        }
        value += '"';
      }
      at = this.#end(at);
    } else {
      const end = this.#end(this.position);
      value = text.slice(this.position, end);
      at = end;
    }
    const field = {text: value, row: this.#row, column: this.#column};
    const code = at < text.length ? text.charCodeAt(at) : -1;
    if (code === -1) {
      this.#ended = true;
    } else if (code === 10 || code === 13) {
      this.#row++;
      this.#column = 0;
    } else {
      this.#column++;
    }
    this.position = at + 1;
    this.read++;
    return field;
  }

  #end(from) {
    let at = from;
    for (; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === 10 || code === 13 || this.#separators.includes(code)) {
        break;
      }
    }
    return at;
  }
}
