// What the service says of a field, in the words of the form that a person has filled in.

/** The fields of a request for a report, as its form calls them; entities and filters are called as they are. */
export const REQUEST = {
  report_name: 'Report name', retention_days: 'Keep the file', offset: 'Rows to leave out', limit: 'Max rows', max_credits: 'Max credits',
  webhook_url: 'Webhook URL', response_format: 'Format', compression: 'Compression', start_date: 'From', end_date: 'To',
  split: 'Max rows of a file', num_of_files: 'Max files',
  granularity: 'Granularity', countries: 'Countries', metrics: 'Metrics', latest: 'Up to the newest period', window_size: 'Last',
  all_history: 'All there is', tags: 'Tags', subdomains: 'Include subdomains',
};

/** "field: what is wrong", as both APIs write it; a field may be a part of another, as domains[3]. */
const OF_A_FIELD = /^([a-z][a-z0-9_-]*)[a-z0-9_.[\]]*: (.+)$/s;
/** How sentences go on that have the field as their subject. */
const VERBS = /^(is|has|must|says|needs|belongs|holds) /;

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Of which field a sentence is, or null. */
export const fieldOf = (text) => OF_A_FIELD.exec(text)?.[1] ?? null;

/**
 * A sentence of the service with the fields as the form calls them.
 *
 * @param labels by field; a field that is not among them is not named
 */
export function inWords(text, labels = {}) {
  const [, field, problem] = OF_A_FIELD.exec(text) ?? [null, null, text];
  // Names of one word are words of the language, too.
  const said = problem.replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (name) => labels[name] ?? name)
    .replaceAll('leave the field out', 'leave it empty')
    .replace('must be an integer, not a string', 'must be a whole number');
  const label = labels[field];
  if (field === null) {
    return said;
  }
  if (/^(is missing|names nothing|is required)/.test(problem)) {
    return label ? `${label}: nothing is chosen or typed.` : 'Something is missing.';
  }
  return label ? `${label}${VERBS.test(said) ? '' : ':'} ${said}` : capital(said);
}

/** What went wrong, as one text. */
export const sentence = (error, labels) => (error.errors ?? [error.message]).map((text) => inWords(text, labels)).join(' ');
