/**
 * Something that is loaded, perhaps again and again. What was loaded stays while the next answer is on its way or fails, so
 * that a page never loses what it shows.
 */
export class Resource {
  #load;
  #changed;
  #running = null;

  /**
   * @param load (signal) => Promise of the value
   * @param changed called after each change
   */
  constructor(load, changed) {
    this.#load = load;
    this.#changed = changed;
    this.value = undefined;
    this.error = null;
  }

  get loading() {
    return this.#running !== null;
  }

  /** Whether there is neither a value nor an error yet. */
  get pending() {
    return this.value === undefined && this.error === null;
  }

  async reload() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    try {
      const value = await this.#load(running.signal);
      if (this.#running === running) {
        this.value = value;
        this.error = null;
      }
    } catch (e) {
      if (this.#running === running) {
        this.error = e;
      }
    }
    if (this.#running === running) {
      this.#running = null;
      this.#changed();
    }
    return this.value;
  }

  stop() {
    this.#running?.abort();
    this.#running = null;
  }
}

/** Pages that are asked for in a row where a filter matches nothing of them. */
const MOST_EMPTY = 20;

/** A list in pages, newest first. */
export class Pages {
  #load;
  #changed;
  #running = null;
  #cursor = null;

  /** @param load (cursor or null, signal) => Promise of {items, next} */
  constructor(load, changed) {
    this.#load = load;
    this.#changed = changed;
    this.items = [];
    this.error = null;
    this.pending = true;
    this.complete = false;
  }

  get loading() {
    return this.#running !== null;
  }

  /** The first page again. */
  async restart() {
    this.#running?.abort();
    this.#running = null;
    this.#cursor = null;
    this.complete = false;
    await this.#next(true);
  }

  async more() {
    if (!this.loading && !this.complete && !this.pending) {
      await this.#next(false);
    }
  }

  async #next(anew) {
    const running = new AbortController();
    this.#running = running;
    this.#changed();
    try {
      let {items, next} = await this.#load(this.#cursor, running.signal);
      for (let empty = 0; !items.length && next && empty < MOST_EMPTY && this.#running === running; empty++) {
        ({items, next} = await this.#load(next, running.signal));
      }
      if (this.#running !== running) {
        return;
      }
      this.items = anew ? items : [...this.items, ...items];
      this.#cursor = next ?? null;
      this.complete = !next;
      this.error = null;
    } catch (e) {
      if (this.#running !== running) {
        return;
      }
      this.error = e;
    }
    this.#running = null;
    this.pending = false;
    this.#changed();
  }

  stop() {
    this.#running?.abort();
    this.#running = null;
  }
}

/** Runs a function at most once in so many milliseconds; the last call counts. */
export function throttled(millis, run) {
  let timer = null;
  let last = -Infinity;
  const call = () => {
    if (timer === null) {
      timer = setTimeout(() => {
        timer = null;
        last = performance.now();
        run();
      }, Math.max(0, last + millis - performance.now()));
    }
  };
  call.stop = () => {
    clearTimeout(timer);
    timer = null;
  };
  return call;
}

/** Runs again and again while the tab is shown; each time after the last has ended. */
export class Poll {
  #run;
  #millis;
  #timer = null;
  #stopped = false;
  #shown = () => {
    if (!document.hidden && this.#timer === null) {
      this.#next(0);
    }
  };

  constructor(millis, run) {
    this.#millis = millis;
    this.#run = run;
    document.addEventListener('visibilitychange', this.#shown);
    this.#next(millis);
  }

  #next(millis) {
    this.#timer = setTimeout(async () => {
      if (document.hidden) {
        this.#timer = null;
        return;
      }
      await this.#run();
      if (!this.#stopped) {
        this.#next(this.#millis);
      }
    }, millis);
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#shown);
  }
}
