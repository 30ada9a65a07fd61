// The one module that talks to the gateway. The key travels in a header only: never in an address, never in a log.

/** The page says which header the key travels in, and what it opens. */
export const {keyHeader, keyCheck} = document.documentElement.dataset;
const KEY = 'millrace.key';
const ATTEMPTS = 4;
const LONGEST_WAIT = 5_000;
/** Clocks that differ by less are not worth a word: Date has whole seconds, and answers take time. */
const CLOCK_TOLERANCE = 60_000;

/** A refusal or failure, in sentences. */
export class ApiError extends Error {
  /** @param status 0 where there was no answer */
  constructor(status, errors, {code = null, retryAfter = null, reportId = null} = {}) {
    super(errors.join(' '));
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.reportId = reportId;
  }
}

/**
 * Events: `refused` (the key does not open anything any more), `reached` and `unreachable` (the gateway), `clock` (how far this
 * machine's clock is off has changed).
 */
class Api extends EventTarget {
  #key = read();
  #reachable = true;
  /** Milliseconds that this machine's clock is behind the gateway's. */
  clockOffset = 0;

  get key() {
    return this.#key;
  }

  set key(key) {
    this.#key = key;
    try {
      if (key) {
        sessionStorage.setItem(KEY, key);
      } else {
        sessionStorage.removeItem(KEY);
      }
    } catch {
      // Storage is closed to this page: the key lives until the page is left.
    }
  }

  /** The gateway's time in milliseconds. */
  now() {
    return Date.now() + this.clockOffset;
  }

  /** Whether the clock of this machine is so wrong that a reader should know. */
  get clockWrong() {
    return Math.abs(this.clockOffset) > CLOCK_TOLERANCE;
  }

  get reachable() {
    return this.#reachable;
  }

  /** Whether a key opens the API; it is used from then on. Throws the refusal. */
  async enter(key) {
    await this.#json('GET', keyCheck, {key});
    this.key = key;
  }

  /** Reads; repeats where the gateway asks to wait. */
  async get(path, {query = {}, signal} = {}) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#json('GET', path, {query, signal});
      } catch (e) {
        const again = e instanceof ApiError && (e.status === 429 || e.status === 503) && attempt < ATTEMPTS;
        if (!again) {
          throw e;
        }
        await wait(Math.min(LONGEST_WAIT, 1000 * (e.retryAfter ?? attempt)), signal);
      }
    }
  }

  post(path, body, {headers = {}, signal} = {}) {
    return this.#json('POST', path, {body, headers, signal});
  }

  patch(path, body) {
    return this.#json('PATCH', path, {body});
  }

  put(path, body, {query} = {}) {
    return this.#json('PUT', path, {body, query});
  }

  delete(path, {query} = {}) {
    return this.#json('DELETE', path, {query});
  }

  /** The answer as it comes, for streams; a refusal is thrown. */
  async open(path, {query = {}, headers = {}, signal} = {}) {
    return this.#send('GET', path, {query, headers, signal});
  }

  async #json(method, path, options) {
    const answer = await this.#send(method, path, options);
    try {
      return answer.status === 204 ? null : await answer.json();
    } catch (e) {
      throw this.#unreachable(e, options.signal);
    }
  }

  async #send(method, path, {query = {}, body, headers = {}, signal, key = this.#key}) {
    const parameters = new URLSearchParams(
      Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== ''));
    const address = parameters.size ? `${path}?${parameters}` : path;
    const sent = {...headers, [keyHeader]: key ?? ''};
    if (body !== undefined) {
      sent['content-type'] = 'application/json';
    }
    const begin = Date.now();
    let answer;
    try {
      answer = await fetch(address, {
        method,
        headers: sent,
        body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
        signal,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
    } catch (e) {
      throw this.#unreachable(e, signal);
    }
    this.#reached(answer, begin);
    if (answer.ok) {
      return answer;
    }
    const refusal = await problem(answer);
    if (refusal.status === 401 && key === this.#key) {
      this.dispatchEvent(new CustomEvent('refused', {detail: refusal}));
    }
    throw refusal;
  }

  #reached(answer, begin) {
    const date = Date.parse(answer.headers.get('date') ?? '');
    if (!Number.isNaN(date)) {
      const wrong = this.clockWrong;
      // The header has whole seconds and was written in between.
      this.clockOffset = date + 500 - (begin + Date.now()) / 2;
      if (!this.clockWrong) {
        this.clockOffset = 0;
      }
      if (wrong !== this.clockWrong) {
        this.dispatchEvent(new Event('clock'));
      }
    }
    if (!this.#reachable) {
      this.#reachable = true;
      this.dispatchEvent(new Event('reached'));
    }
  }

  #unreachable(cause, signal) {
    if (signal?.aborted) {
      return cause;
    }
    if (this.#reachable) {
      this.#reachable = false;
      this.dispatchEvent(new Event('unreachable'));
    }
    return new ApiError(0, [
      navigator.onLine
        ? 'The service does not answer. It may be restarting; this page tries again by itself.'
        : 'You are offline. What you see was loaded earlier.',
    ]);
  }
}

function read() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

async function problem(answer) {
  let body = {};
  try {
    body = await answer.json();
  } catch {
    // Not from the gateway, but from something between: it has no sentences.
  }
  const errors = Array.isArray(body.errors) && body.errors.length
    ? body.errors
    : [`The answer was ${answer.status} ${answer.statusText}`.trim() + ', without a reason.'];
  const retryAfter = Number.parseInt(answer.headers.get('retry-after') ?? '', 10);
  return new ApiError(answer.status, errors, {
    code: body.code ?? null,
    retryAfter: Number.isNaN(retryAfter) ? null : retryAfter,
    reportId: body.report_id ?? null,
  });
}

export function wait(millis, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, {once: true});
  });
}

export const api = new Api();
