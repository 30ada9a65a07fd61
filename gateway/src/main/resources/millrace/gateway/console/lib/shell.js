// What both consoles have around their pages: navigation, sign-in, the theme, notices, and the router.

import {api, wait} from './api.js';
import {duration} from './format.js';
import {ref} from '../lit-html/directives/ref.js';
import {empty, failure, html, nothing, options, render, toast} from './view.js';
import {SignIn} from './sign-in.js';

const THEMES = {auto: 'System', light: 'Light', dark: 'Dark'};
const HOME = '/console';
/** Pages are drawn after so many milliseconds, whatever is known by then. */
const LONGEST_START = 2_000;
const root = document.documentElement;

/** Of an address that no page has. */
class Missing {
  title = 'Not found';
  view() {
    return html`<div class="card">${empty('There is no such page', 'The address may be cut off or mistyped.', html`<a class="button" href="#/">To the first page</a>`)}</div>`;
  }
}

/**
 * In the place of a page whose script could not be loaded. Chromium keeps that, and asks for it again only in a new document: when
 * the button is pressed, or, if the service did not answer, when it answers again.
 */
class Unloaded {
  title = 'Not loaded';
  view() {
    return html`<div class="card">${failure({errors: ['The page could not be loaded: the service does not answer. This page tries again by itself.']}, api.reachable ? () => location.reload() : null)}</div>`;
  }
}

const {operator, logo, support} = root.dataset;

/**
 * Shows a console. A page is a class with `title` and `view()`, made with (app, parameters of its address, query). It may have
 * `heading`, `actions()`, `leave()`, `unsaved()`, `missed()` (ask again: something may have been missed), `event(event)` and
 * `barred()` (why some of it is disabled, in a sentence, or null).
 *
 * - routes: [pattern of the path, () => the page's class, perhaps a promise of it]; the first one is home
 * - links: [path, name] of the pages in the navigation; more: [address, name] of the documentation
 * - key: {name, help, another} of the key, in words
 * - state: () => [kind, text] of the connection
 * - who: () => whose console it is, below the operator's name; may be left out
 * - begin: called with a key that works; pages wait for its promise, though not for long; end: before the key is forgotten
 * - ofPages: what pages get beside `go` and `update`
 */
export function show({routes, links, more, key, state, who, begin, end, ofPages = {}}) {
  let page = null;
  let path = '/';
  let refusal = null;
  let planned = false;
  let opening = 0;
  let ready = null;

  const app = {operator, support, update, go: (to) => { location.hash = to; }, ...ofPages};
  const signIn = new SignIn(app, {
    key,
    brand: () => brand(),
    enter: () => {
      start();
      open();
    },
  });

  /** What the key opens is known before a page is drawn, so that nothing moves on it or is disabled late. */
  function start() {
    ready = Promise.race([begin(), wait(LONGEST_START)]);
  }

  /** Draws again, once however often it is called before the next frame. */
  function update() {
    if (!planned) {
      planned = true;
      // Frames stand still in a hidden tab; its state must not.
      (document.hidden ? (run) => setTimeout(run) : requestAnimationFrame)(() => {
        planned = false;
        draw();
      });
    }
  }

  function draw() {
    render(api.key ? shell() : html`${signIn.view()}<div id="toasts" class="toasts" role="status"></div>`, document.getElementById('app'));
    document.title = page && api.key ? `${page.title} · ${operator}` : operator;
  }

  function shell() {
    return html`
      <a class="skip" href="#main" @click=${skip}>Skip to the content</a>
      <nav class="side" aria-label="Pages">
        <a class="brand" href="#/">${brand()}</a>
        ${who ? html`<p class="who">${who()}</p>` : nothing}
        <div class="links">
          ${links.map(([to, name]) => html`<a href="#/${to}" aria-current=${here(to) ? 'page' : 'false'}>${name}</a>`)}
        </div>
        <div class="links more">
          <small>Documentation</small>
          ${more.map(([address, name]) => html`<a href=${address}>${name}</a>`)}
          ${support ? html`<a href=${support} rel="noreferrer">Support</a>` : nothing}
        </div>
        <div class="foot">
          ${connection()}
          <label class="theme"><span aria-hidden="true">Theme</span>
            <select aria-label="Theme" @change=${(e) => theme(e.target.value)}>
              ${options(Object.entries(THEMES), root.dataset.theme ?? 'auto')}
            </select></label>
          <button class="quiet" @click=${signOut}>Sign out</button>
        </div>
      </nav>
      <main id="main" tabindex="-1" aria-busy=${page ? 'false' : 'true'}>
        ${page ? html`<header class="top"><h1>${page.heading ?? page.title}</h1>${page.actions?.() ?? nothing}</header>${barred()}${page.view()}` : nothing}
      </main>
      ${refusal ? refused() : nothing}
      ${notices()}`;
  }

  function barred() {
    const reason = page.barred?.();
    return reason ? html`<p class="barred">${reason}</p>` : nothing;
  }

  const brand = () => (logo ? html`<img src="/console/${logo}" alt=${operator} height="24">` : operator);
  const here = (to) => (to === '' ? path === '/' || path === '' : path === `/${to}` || path.startsWith(`/${to}/`));

  /** In words, and not only in a colour. */
  function connection() {
    const [kind, text] = api.reachable ? state() : ['bad', 'No connection'];
    return html`<span class="connection ${kind}" role="status"><i aria-hidden="true"></i>${text}</span>`;
  }

  /** What is wrong just now, at the lower edge: nothing on the page moves for it. */
  function notices() {
    const list = [];
    if (!api.reachable) {
      list.push(['bad', navigator.onLine
        ? 'The service does not answer; it may be restarting. This page tries again by itself, and what you typed is kept.'
        : 'You are offline. What you see was loaded earlier, and what you typed is kept.']);
    }
    if (api.clockWrong) {
      const way = api.clockOffset > 0 ? 'behind' : 'ahead of';
      list.push(['warn', `Your computer's clock is ${duration(Math.abs(api.clockOffset))} ${way} the server's. Times here follow the`
        + ' server; set the clock, or webhook signatures will not verify on this computer.']);
    }
    return html`<div class="notices" role="status">${list.map(([kind, text]) => html`<p class="notice ${kind}">${text}</p>`)}</div>
      <div id="toasts" class="toasts" role="status" aria-live="polite"></div>`;
  }

  /** The page below stays as it is, with all that was typed. */
  function refused() {
    const submit = async (event) => {
      event.preventDefault();
      const field = event.target.elements.key;
      try {
        await api.enter(field.value.trim());
        refusal = null;
        toast('Signed in with the new key.');
        start();
        page?.missed?.();
      } catch (e) {
        refusal = e;
        field.select();
      }
      update();
    };
    return html`<dialog class="dialog" aria-labelledby="refused-title" @cancel=${(e) => e.preventDefault()}
      ${ref(showModal)}><form @submit=${submit}>
      <h2 id="refused-title">The key does not work any more</h2>
      <p role="alert">${refusal.errors.join(' ')}</p>
      <p>${key.another} nothing that you typed is lost.</p>
      <label class="field"><span>${key.name}</span><input name="key" type="password" autocomplete="off" required autofocus></label>
      <div class="buttons"><button type="button" class="plain" @click=${signOut}>Sign out</button><button class="primary">Continue</button></div>
    </form></dialog>`;
  }

  /** Loads the page anew, so that nothing of the account stays in its memory. */
  function signOut() {
    end();
    page = null;
    api.key = null;
    try {
      sessionStorage.clear();
    } catch {
      // There was nothing to forget.
    }
    history.replaceState(null, '', HOME);
    location.reload();
  }

  async function open() {
    if (!api.key) {
      update();
      return;
    }
    const [to, query = ''] = location.hash.replace(/^#/, '').split('?');
    path = to || '/';
    const mine = ++opening;
    const [pattern, load] = routes.find(([p]) => p.test(path)) ?? [/$/, () => Missing];
    let made;
    try {
      const [Type] = await Promise.all([load(), ready]);
      made = () => new Type(app, pattern.exec(path)?.slice(1) ?? [], new URLSearchParams(query));
    } catch {
      made = () => new Unloaded();
    }
    if (mine !== opening) {
      return;
    }
    const first = page === null;
    page?.leave?.();
    page = made();
    draw();
    scrollTo(0, 0);
    // On a phone the links are a row that is wider than the screen.
    const link = document.querySelector('.links a[aria-current="page"]');
    link?.parentElement.scrollTo({left: link.offsetLeft - 60});
    if (!first) {
      // Screen readers and the keyboard go on at the new page.
      document.getElementById('main').focus({preventScroll: true});
    }
  }

  addEventListener('hashchange', open);
  addEventListener('beforeunload', (event) => page?.unsaved?.() && event.preventDefault());
  addEventListener('online', update);
  addEventListener('offline', update);
  api.addEventListener('refused', (event) => {
    if (api.key) {
      end();
      refusal ??= event.detail;
      update();
    }
  });
  api.addEventListener('unreachable', update);
  api.addEventListener('reached', () => {
    if (page instanceof Unloaded) {
      location.reload();
    }
    page?.missed?.();
    update();
  });
  api.addEventListener('clock', update);

  if (api.key) {
    start();
  }
  open();
  return {update, page: () => page};
}

/** For lit's ref, which is called before the element is in the page. */
function showModal(dialog) {
  queueMicrotask(() => dialog?.isConnected && dialog.showModal());
}

function theme(value) {
  if (value === 'auto') {
    delete root.dataset.theme;
  } else {
    root.dataset.theme = value;
  }
  try {
    localStorage.setItem('millrace.theme', value);
  } catch {
    // Storage is closed to this page: the choice lasts until it is left.
  }
}

function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}
