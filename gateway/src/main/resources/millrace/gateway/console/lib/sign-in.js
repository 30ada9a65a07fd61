import {api, keyHeader} from './api.js';
import {html, nothing} from './view.js';
import {inWords} from './words.js';

export class SignIn {
  #app;
  #key;
  #brand;
  #enter;
  #errors = [];
  #busy = false;

  constructor(app, {key, brand, enter}) {
    this.#app = app;
    this.#key = key;
    this.#brand = brand;
    this.#enter = enter;
  }

  async #submit(event) {
    event.preventDefault();
    const field = event.target.elements.key;
    const key = field.value.trim();
    this.#busy = true;
    this.#errors = [];
    this.#app.update();
    try {
      await api.enter(key);
      this.#enter();
    } catch (e) {
      this.#errors = e.errors ?? [e.message];
      field.select();
    }
    this.#busy = false;
    this.#app.update();
  }

  view() {
    return html`<main class="sign-in" id="main">
      <form class="card" @submit=${(e) => this.#submit(e)}>
        <p class="brand">${this.#brand()}</p>
        <h1>Sign in with a key</h1>
        <label class="field"><span>${this.#key.name}</span>
          <input name="key" type="password" autocomplete="off" spellcheck="false" required autofocus
            aria-invalid=${this.#errors.length ? 'true' : 'false'} aria-describedby="key-help">
        </label>
        <div id="key-help" class="help" role="alert">
          ${this.#errors.length
            ? this.#errors.map((sentence) => html`<p class="error">${inWords(sentence, {[keyHeader]: this.#key.name})}</p>`)
            : html`<p>The key stays in this browser tab and is forgotten when you close it.</p>`}
        </div>
        <button class="primary wide" ?disabled=${this.#busy} aria-busy=${this.#busy ? 'true' : 'false'}>Sign in</button>
        <p class="faint">${this.#key.help}
          ${this.#app.support ? html`<a href=${this.#app.support} rel="noreferrer">Contact support</a>` : nothing}</p>
      </form>
    </main>`;
  }
}
