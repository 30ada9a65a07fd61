import {ApiError, api, wait} from './api.js';

const PATH = '/v3/batch/events';
/** The gateway writes a comment every 15 s; a stream without a byte for three of them is dead. */
const SILENCE = 45_000;
const FIRST_BACKOFF = 1_000;
const LONGEST_BACKOFF = 30_000;
/** A tab that is hidden for a moment keeps its stream. */
const HIDDEN = 10_000;
const POLL = 4_000;
/** Ids of events that were handed out, so that a repeat after a resume is dropped. */
const REMEMBERED = 1_000;

/**
 * What happens in the account, as it happens. Events: `message` (detail: one event), `missed` (something may have happened that
 * was not seen: load again), `state`.
 *
 * Where the gateway has no feed, `missed` comes every few seconds instead: pages poll then.
 */
class Feed extends EventTarget {
  /** stopped, connecting, live, polling or waiting. */
  state = 'stopped';
  #position = null;
  #running = null;
  #hiding = null;
  #seen = new Set();

  constructor() {
    super();
    document.addEventListener('visibilitychange', () => this.#visible());
    addEventListener('online', () => this.#again());
    api.addEventListener('reached', () => this.state === 'waiting' && this.#again());
  }

  start() {
    this.stop();
    this.#position = null;
    this.#seen.clear();
    if (!document.hidden) {
      this.#connect();
    }
  }

  stop() {
    clearTimeout(this.#hiding);
    this.#running?.abort();
    this.#running = null;
    this.#is('stopped');
  }

  #visible() {
    clearTimeout(this.#hiding);
    if (!api.key) {
      return;
    }
    if (document.hidden) {
      this.#hiding = setTimeout(() => this.stop(), HIDDEN);
    } else if (this.#running === null) {
      this.#connect();
    }
  }

  /** At once, and not after what is left of a wait. */
  #again() {
    if (this.#running !== null) {
      this.#running.abort();
      this.#running = null;
      this.#connect();
    }
  }

  async #connect() {
    const running = new AbortController();
    this.#running = running;
    let failures = 0;
    while (this.#running === running) {
      const begin = performance.now();
      let polling = false;
      try {
        await this.#read(running.signal);
      } catch (e) {
        polling = e instanceof ApiError && e.status !== 0;
      }
      if (this.#running !== running) {
        return;
      }
      // A stream that lived is not a failure: the gateway may have been replaced.
      failures = performance.now() - begin > 10_000 ? 1 : failures + 1;
      const backoff = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
      this.#is(polling ? 'polling' : 'waiting');
      try {
        await (polling ? this.#poll(Math.max(backoff, LONGEST_BACKOFF / 2), running.signal) : wait(backoff, running.signal));
      } catch {
        return;
      }
    }
  }

  async #poll(millis, signal) {
    const end = performance.now() + millis;
    while (performance.now() < end) {
      this.dispatchEvent(new Event('missed'));
      await wait(POLL, signal);
    }
  }

  async #read(outer) {
    this.#is('connecting');
    const silence = new AbortController();
    const signal = AbortSignal.any([outer, silence.signal]);
    let timer = setTimeout(() => silence.abort(), SILENCE);
    try {
      const resumed = this.#position;
      const answer = await api.open(PATH, {
        headers: {accept: 'text/event-stream', ...(resumed ? {'last-event-id': resumed} : {})},
        signal,
      });
      this.#is('live');
      if (!resumed) {
        this.dispatchEvent(new Event('missed'));
      }
      const parser = new EventStreamParser((event) => this.#take(event));
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE);
        parser.add(part.value);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #take({id, data}) {
    if (id !== null) {
      this.#position = id;
    }
    if (data === '') {
      return;
    }
    let event;
    try {
      event = JSON.parse(data);
    } catch {
      return;
    }
    if (event.type === 'reset') {
      this.dispatchEvent(new Event('missed'));
      return;
    }
    if (event.id) {
      if (this.#seen.has(event.id)) {
        return;
      }
      this.#seen.add(event.id);
      if (this.#seen.size > REMEMBERED) {
        this.#seen.delete(this.#seen.values().next().value);
      }
    }
    this.dispatchEvent(new CustomEvent('message', {detail: event}));
  }

  #is(state) {
    if (this.state !== state) {
      this.state = state;
      this.dispatchEvent(new Event('state'));
    }
  }
}

/** Takes the text of an event stream in any pieces (WHATWG HTML, 9.2.6). */
export class EventStreamParser {
  #take;
  #rest = '';
  #id = null;
  #data = [];

  /** @param take called with {id, data} for each event */
  constructor(take) {
    this.#take = take;
  }

  add(text) {
    // A CR at the end may be half of a CRLF.
    const all = this.#rest + text;
    const end = all.endsWith('\r') ? all.length - 1 : all.length;
    const lines = all.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() + all.slice(end);
    lines.forEach((line) => this.#line(line));
  }

  #line(line) {
    if (line === '') {
      if (this.#data.length || this.#id !== null) {
        this.#take({id: this.#id, data: this.#data.join('\n')});
      }
      this.#data = [];
      this.#id = null;
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') {
      this.#data.push(value);
    } else if (field === 'id' && !value.includes('\0')) {
      this.#id = value;
    }
  }
}

export const feed = new Feed();
