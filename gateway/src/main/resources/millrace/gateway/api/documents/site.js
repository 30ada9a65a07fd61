// What pages of text can do beyond being read: copy code, fill in the reader's own address and key, and search.
'use strict';

const KEY = 'millrace.key'; // where the console of this tab keeps it
const SAMPLE_KEY = '0123456789abcdef0123456789abcdef';
const SAMPLE_ADDRESS = 'https://reports.example.com';
const MOST_FOUND = 12;
const AROUND = 60;

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** Samples are for this service, and in a tab that is signed in for this account. */
function fillIn() {
  let key = null;
  try {
    key = sessionStorage.getItem(KEY);
  } catch {
    // Storage is closed to this page.
  }
  for (const code of document.querySelectorAll('pre code')) {
    const text = code.textContent;
    const own = text.replaceAll(SAMPLE_ADDRESS, location.origin).replaceAll(SAMPLE_KEY, key ?? SAMPLE_KEY);
    if (own !== text) {
      code.textContent = own;
    }
  }
}

function copyButtons() {
  for (const pre of document.querySelectorAll('.text pre')) {
    pre.tabIndex = 0; // so that the keyboard scrolls it
    if (!navigator.clipboard) {
      continue; // pages without TLS do not have it
    }
    const button = make('button', {type: 'button', className: 'copy', textContent: 'Copy'});
    button.addEventListener('click', async () => {
      const copied = navigator.clipboard.writeText(pre.querySelector('code').textContent);
      button.textContent = await copied.then(() => 'Copied', () => 'Not allowed');
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    const frame = make('div', {className: 'code'});
    pre.replaceWith(frame);
    frame.append(pre, button);
  }
}

/** Sections with all words, those with more of them in the heading first. */
function find(sections, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text, word) => text.toLowerCase().includes(word);
  return sections
    .filter((s) => words.every((word) => has(`${s.page} ${s.heading} ${s.text}`, word)))
    .map((s) => ({...s, rank: words.filter((word) => has(`${s.page} ${s.heading}`, word)).length}))
    .sort((one, other) => other.rank - one.rank)
    .slice(0, MOST_FOUND)
    .map((s) => ({...s, around: around(s.text, words)}));
}

function around(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
  return `${at > AROUND ? '…' : ''}${text.slice(Math.max(0, at - AROUND), at + 2 * AROUND).trim()}…`;
}

function search() {
  const place = document.querySelector('.search');
  const field = make('input', {type: 'search', placeholder: 'Search', autocomplete: 'off', spellcheck: false, maxLength: 100});
  field.setAttribute('aria-label', 'Search the documentation');
  field.setAttribute('aria-controls', 'found');
  const found = make('div', {id: 'found', hidden: true});
  const said = make('p', {className: 'unseen'});
  said.setAttribute('role', 'status');
  place.append(field, found, said);
  let sections = null;
  const load = () => {
    const base = location.pathname.replace(/\/[^/]*$/, '');
    sections ??= fetch(`${base}/search.json`).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)));
    return sections;
  };
  const show = async () => {
    const typed = field.value.trim();
    if (!typed) {
      found.hidden = true;
      said.textContent = '';
      return;
    }
    const none = (text) => [make('p', {className: 'none', textContent: text})];
    let lines;
    try {
      const all = find(await load(), typed);
      lines = all.map((s) => make('a', {href: s.path},
        make('strong', {textContent: s.heading ? `${s.page}: ${s.heading}` : s.page}), make('small', {textContent: s.around})));
      said.textContent = `${lines.length} found`;
      lines = lines.length ? lines : none('Nothing has all of these words.');
    } catch {
      sections = null;
      lines = none('The search does not answer; type again to try once more.');
    }
    if (field.value.trim() === typed) {
      found.replaceChildren(...lines);
      found.hidden = false;
    }
  };
  field.addEventListener('input', show);
  field.addEventListener('focus', show);
  found.addEventListener('click', () => { found.hidden = true; });
  document.addEventListener('keydown', (event) => {
    const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === '/' && alone && !/^(input|textarea|select)$/i.test(event.target.tagName)) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape') {
      found.hidden = true;
    }
  });
  document.addEventListener('click', (event) => {
    if (!place.contains(event.target)) {
      found.hidden = true;
    }
  });
}

/** A phone has no room for the list of pages above the text. */
function fold() {
  const pages = document.querySelector('.pages details');
  const narrow = matchMedia('(max-width: 60rem)');
  const set = () => { pages.open = !narrow.matches; };
  narrow.addEventListener('change', set);
  set();
}

fillIn();
copyButtons();
search();
fold();
