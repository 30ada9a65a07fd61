import {html, nothing, render} from './view.js';
import {fieldOf, inWords} from './words.js';

let opened = 0;

/**
 * Asks for something in a dialog, which stays with all that was typed where it is refused.
 *
 * - body: the fields, each with the name that the service has for it
 * - leave: words of the button that does nothing; null where there is nothing to leave
 * - submit: (fields by name) => Promise of the result; what it throws is shown
 *
 * Resolves to the result, or null where the reader leaves it.
 */
export function formDialog({title, text = '', body, action, danger = false, leave = 'Leave it', submit}) {
  return new Promise((resolve) => {
    const id = `dialog-${++opened}`;
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog';
    dialog.setAttribute('aria-labelledby', id);
    let busy = false;
    let errors = [];
    const end = (result) => {
      dialog.close();
      dialog.remove();
      resolve(result);
    };
    const sent = async (event) => {
      event.preventDefault();
      if (busy) {
        return;
      }
      busy = true;
      errors = besideFields(event.target, []);
      draw();
      try {
        end((await submit(byName(event.target.elements))) ?? true);
      } catch (e) {
        errors = besideFields(event.target, e.errors ?? [e.message]);
        busy = false;
        draw();
      }
    };
    const draw = () => render(html`<form @submit=${sent}>
      <h2 id=${id}>${title}</h2>
      ${text ? html`<p>${text}</p>` : nothing}
      ${body}
      ${errors.map((text) => html`<p class="error" role="alert">${inWords(text)}</p>`)}
      <div class="buttons">
        ${leave === null ? nothing : html`<button type="button" class="plain" @click=${() => end(null)}>${leave}</button>`}
        <button class=${danger ? 'danger' : 'primary'} ?disabled=${busy} aria-busy=${busy ? 'true' : 'false'}>${action}</button>
      </div></form>`, dialog);
    dialog.addEventListener('cancel', (e) => {
      e.preventDefault();
      if (!busy && leave !== null) {
        end(null);
      }
    });
    draw();
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Puts below each field what is wrong with it, in place of what was; returns what is about none of them. */
function besideFields(form, errors) {
  form.querySelectorAll('.beside').forEach((text) => text.remove());
  form.querySelectorAll('[aria-invalid]').forEach((field) => field.removeAttribute('aria-invalid'));
  return errors.filter((text) => {
    const name = fieldOf(text);
    const field = name && byName(form.elements)[name];
    if (!field) {
      return true;
    }
    const label = field.labels[0]?.querySelector('span')?.firstChild.textContent.trim();
    const line = document.createElement('p');
    line.className = 'error beside';
    line.setAttribute('role', 'alert');
    line.textContent = inWords(text, {[name]: label});
    (field.closest('.inline') ?? field.closest('.field') ?? field.parentElement).after(line);
    field.setAttribute('aria-invalid', 'true');
    return false;
  });
}

const byName = (elements) => Object.fromEntries([...elements].filter((e) => e.name).map((e) => [e.name, e]));

/** The field for why something is done, which the audit keeps. */
export const reasonField = html`<label class="field"><span>Reason <small class="faint">(for the audit)</small></span>
  <input name="reason" maxlength="200" autocomplete="off"></label>`;

/** What was typed there, as the field of a request. */
export const reasonOf = ({reason}) => (reason?.value.trim() ? {reason: reason.value.trim()} : {});
