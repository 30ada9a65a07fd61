/**
 * Client of Millrace: asks for reports, waits for them, and reads their rows.
 *
 *     const client = new Client(key, 'https://reports.example.com');
 *     for await (const row of await client.run('demographics', {domains: ['amber-bank.example'], …})) …
 *
 * Every call has a timeout, and is repeated while the service is unavailable. Answers are the service's JSON as it
 * is; every error is a MillraceError. It runs on Node 20.16 or newer, and in browsers; types are in millrace.d.ts.
 */

export const VERSION = '0.3.0-SNAPSHOT';

const ENDED = new Set(['complete', 'completed', 'internal_error']);
/** Status codes with which the service, or a proxy before it, refuses for now. */
const UNAVAILABLE = new Set([429, 502, 503, 504]);
/** What fetch fails with on Node before anything was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
const POLICY = /"([a-z-]+)";q=([1-9][0-9]{0,8});w=([0-9]{1,9})/g;
const FIRST_PAUSE = 0.5;
const LONGEST_PAUSE = 10;
/** Seconds for which the service may hold the answer to a wait, if it has no news. */
const HOLD = 20;
/** Seconds; the feed sends a line at least every 15. */
const FEED_TIMEOUT = 45;
const CHUNK = 64 * 1024;
/** Bytes of an answer, or of a line of the feed, that are kept in memory at most. Files are not among them. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What only Node has; null in browsers. An import would need await here, and require() takes no module that awaits. */
const builtIn = globalThis.process?.getBuiltinModule?.bind(process);
const node = builtIn
  ? {
      crypto: builtIn('node:crypto'),
      fs: builtIn('node:fs/promises'),
      os: builtIn('node:os'),
      path: builtIn('node:path'),
      stream: builtIn('node:stream'),
      zlib: builtIn('node:zlib'),
    }
  : null;

/** Base of all errors. */
export class MillraceError extends Error {
  constructor(errors, {status = null, retryable = false, reportId = null, code = null, requestId = null, cause} = {}) {
    super(errors.join(' ') + (requestId ? ` (request id ${requestId})` : ''), cause === undefined ? undefined : {cause});
    this.name = new.target.name;
    this.errors = errors;
    this.status = status;
    this.retryable = retryable;
    this.reportId = reportId;
    this.code = code;
    this.requestId = requestId;
    this.idempotencyKey = null;
    // Whether the request may have been carried out all the same, and seconds. Not shown with the others.
    Object.defineProperties(this, {
      _ambiguous: {value: false, writable: true},
      _retryAfter: {value: null, writable: true},
    });
  }
}

/** The service refused the call: status and errors are its answer. */
export class ServiceError extends MillraceError {}

/** The service could not be reached, or the connection broke, for longer than retryFor. */
export class NoAnswerError extends MillraceError {}

/** The report failed, or was cancelled: code says why, retryable whether `retry` is accepted. */
export class ReportError extends MillraceError {}

/** The report was not ready in time. It goes on. */
export class WaitTimeoutError extends MillraceError {}

/** The file is not the one that the status describes, is gone, or has no rows to read. */
export class DownloadError extends MillraceError {}

/** The webhook is not one that the service sent now. */
export class WebhookError extends MillraceError {}

/** Calls the service with a batch key. */
export class Client {
  #key;
  #base;
  #timeout;
  #retryFor;
  #fetch;
  #notBefore = new Map();
  // Tests put their own in place.
  _sleep = sleep;
  _clock = () => performance.now() / 1000;

  /**
   * timeout: seconds within which an answer must have come; of files, the seconds without a byte. retryFor: for how
   * many seconds a call is repeated that finds the service unavailable.
   */
  constructor(key, baseUrl, {timeout = 60, retryFor = 120, fetch} = {}) {
    if (!/^[!-~]+$/.test(key ?? '')) {
      throw new TypeError('key: must be the text of a batch key');
    }
    if (!/^https?:\/\//.test(baseUrl ?? '')) {
      throw new TypeError('baseUrl: must begin with http:// or https://');
    }
    this.#key = key;
    this.#base = String(baseUrl).replace(/\/+$/, '');
    this.#timeout = timeout;
    this.#retryFor = retryFor;
    this.#fetch = fetch ?? ((url, options) => globalThis.fetch(url, options));
  }

  // Reports

  /** Asks for a report and waits until it is complete; iterate over the result for its rows. */
  async run(dataset, request, {idempotencyKey, waitTimeout, signal} = {}) {
    const ticket = await this.submit(dataset, request, {idempotencyKey, signal});
    return this.download(await this.wait(ticket.report_id, {timeout: waitTimeout, signal}), {signal});
  }

  /**
   * Asks for a report: {report_id, status}. Repeats, also the caller's own with the same idempotencyKey and request,
   * are one report and one charge.
   */
  async submit(dataset, request, {idempotencyKey = uuid(), signal} = {}) {
    try {
      const headers = {'idempotency-key': idempotencyKey};
      return await this.#call('POST', `/v3/batch/${quote(dataset)}/request-report`, {body: request, headers, signal});
    } catch (e) {
      if (e instanceof MillraceError) {
        e.idempotencyKey = idempotencyKey;
      }
      throw e;
    }
  }

  /** Checks a request and estimates its credits, free: {is_valid, estimated_credits, …}. */
  validate(dataset, request, {signal} = {}) {
    return this.#call('POST', `/v3/batch/${quote(dataset)}/request-validate`, {body: request, signal});
  }

  /** The status of a report; once it is complete with download_url, file_size and sha256. */
  status(reportId, {signal} = {}) {
    return this.#call('GET', `/v3/batch/request-status/${quote(reportId)}`, {signal});
  }

  /** Waits until the report has ended, asking when the service says; returns its last status. */
  async wait(reportId, {timeout = null, signal} = {}) {
    const deadline = timeout === null ? null : this._clock() + timeout;
    for (;;) {
      const answer = {};
      const hold = Math.floor(Math.min(HOLD, this.#timeout / 2, deadline === null ? HOLD : deadline - this._clock()));
      // Services that do not know it ignore it, but not their rules for other origins.
      const headers = hold >= 1 && !globalThis.document ? {prefer: `wait=${hold}`} : {};
      let status;
      try {
        status = await this.#call('GET', `/v3/batch/request-status/${quote(reportId)}`, {headers, signal, answer});
      } catch (e) {
        throw ofReport(e, reportId);
      }
      if (ENDED.has(status.status)) {
        return status;
      }
      const held = answer.headers.get('preference-applied')?.includes('wait=');
      let pause = held ? 0 : seconds(answer.headers.get('retry-after')) || 2;
      if (deadline !== null) {
        const left = deadline - this._clock();
        if (left <= 0) {
          throw new WaitTimeoutError(
            [`Report ${reportId} is still processing after ${timeout} seconds; it goes on, and can be waited for again.`],
            {retryable: true, reportId},
          );
        }
        pause = Math.min(pause, left);
      }
      if (pause) {
        await this._sleep(pause, signal);
      }
    }
  }

  /** The rows and the file of a complete report, given its id or its status. */
  async download(report, {signal} = {}) {
    const status = typeof report === 'string' ? await this.status(report, {signal}) : report;
    const reportId = status.report_id;
    if (status.status === 'internal_error') {
      const {message, retryable, code} = status.error ?? {};
      throw new ReportError([message ?? 'The report failed.'], {retryable: Boolean(retryable), reportId, code});
    }
    if (!ENDED.has(status.status)) {
      const sentence = `Report ${reportId} is still processing; wait for it first.`;
      throw new DownloadError([sentence], {retryable: true, reportId});
    }
    if (!status.download_url) {
      throw new DownloadError([`The file of report ${reportId} was kept until ${status.expires_at}.`], {reportId});
    }
    return new Report(status, {
      fetch: (one, file) => this.#fetchFile(one, file, signal),
      files: () => this.#files(status, signal),
    });
  }

  /** Ends a report that is processing: {report_id, status}. */
  cancel(reportId, {signal} = {}) {
    return this.#change('cancel', reportId, signal, status => status.error?.code === 'cancelled');
  }

  /** Starts a failed report again, at most three times: {report_id, status}. */
  retry(reportId, {signal} = {}) {
    return this.#change('retry', reportId, signal, status => !ENDED.has(status.status));
  }

  /** Deletes a report that has ended, with its file and its request. Credits are not given back. */
  async erase(reportId, {signal} = {}) {
    const doubts = [];
    try {
      await this.#call('DELETE', `/v3/batch/reports/${quote(reportId)}`, {signal, doubts});
    } catch (e) {
      if (e.status !== 404 || doubts.length === 0) { // else the first call has erased it, and its answer was lost
        throw e;
      }
    }
  }

  /** All reports of the account, newest first, read page by page; filters: status, dataset. */
  async *history(filters = {}, {signal} = {}) {
    const query = 'limit' in filters ? {...filters} : {...filters, limit: 100};
    for (;;) {
      const page = await this.#call('GET', '/v3/batch/report-history', {query, signal});
      yield* page.reports;
      if (!page.next_cursor) {
        return;
      }
      query.cursor = page.next_cursor;
    }
  }

  // The account, and what there is

  /** {remaining_credits}. */
  credits({signal} = {}) {
    return this.#call('GET', '/v3/batch/credits', {signal});
  }

  /** Names that are in the data and begin so: {entities, more}. */
  entities(dataset, prefix = '', limit = 20, {signal} = {}) {
    return this.#call('GET', `/v3/batch/tables/${quote(dataset)}/entities`, {query: {prefix, limit}, signal});
  }

  /**
   * The account's events as they happen, without end: {position, type, data}. Connections that break are resumed
   * after the last event; lastEventId is the position of one that was read before.
   */
  async *events({types, lastEventId = null, signal} = {}) {
    const query = types?.length ? {types: types.join(',')} : {};
    const retries = new Retries(this, this.#retryFor);
    let position = lastEventId;
    let pause = 1;
    for (;;) {
      let connected = false;
      const headers = {accept: 'text/event-stream'};
      if (position !== null) {
        headers['last-event-id'] = position;
      }
      const deadline = new Deadline(FEED_TIMEOUT, signal);
      let error;
      try {
        const request = this.#request('GET', '/v3/batch/events', {query, headers});
        const answer = await this.#open(...request, deadline);
        if (answer.status !== 200) {
          throw refusal(answer, await readText(answer, deadline), true);
        }
        connected = true;
        retries.progress();
        for await (const part of feed(lines(texts(chunks(answer, deadline))))) {
          pause = part.retry ?? pause;
          position = part.id ?? position;
          // Some parts have a position alone.
          if (part.data) {
            yield {position, type: part.type, data: eventData(part.data)};
          }
        }
        throw noAnswer('The feed has ended.');
      } catch (e) {
        error = e;
        if (connected && e instanceof NoAnswerError) {
          e._retryAfter = pause;
        }
      } finally {
        deadline.end();
      }
      await retries.wait(error, signal);
    }
  }

  /**
   * Any call of the API that has no method here. A POST is repeated only where it cannot have been carried out, or has
   * an idempotency-key.
   */
  call(method, path, {query, body, headers = {}, signal} = {}) {
    const repeatable = method !== 'POST' || Object.keys(headers).some(name => name.toLowerCase() === 'idempotency-key');
    return this.#call(method, path, {query, body, headers, signal, repeatable});
  }

  // How it is done

  /** Where an answer was lost and the repeat is refused, the status tells whether the first one was carried out. */
  async #change(what, reportId, signal, done) {
    const doubts = [];
    try {
      return await this.#call('POST', `/v3/batch/${what}/${quote(reportId)}`, {signal, doubts});
    } catch (e) {
      if (e.status !== 409 || doubts.length === 0) {
        throw e;
      }
      const status = await this.status(reportId, {signal});
      if (!done(status)) {
        throw e;
      }
      return {report_id: reportId, status: status.status};
    }
  }

  async #call(method, path, {query, body, headers, signal, repeatable = true, answer = {}, doubts = []} = {}) {
    const request = this.#request(method, path, {query, body, headers: {accept: 'application/json', ...headers}});
    const retries = new Retries(this, this.#retryFor);
    for (;;) {
      await this.#keepPace(method, path, signal);
      const deadline = new Deadline(this.#timeout, signal);
      let error;
      try {
        const response = await this.#open(...request, deadline);
        this.#heard(response.headers);
        const text = await readText(response, deadline);
        if (!response.ok) {
          throw refusal(response, text);
        }
        answer.headers = response.headers;
        if (response.status === 204) {
          return {};
        }
        try {
          return JSON.parse(text);
        } catch {
          const sentence = `The answer to ${method} ${path} is not JSON; is the client's address that of the service?`;
          throw new ServiceError([sentence], {status: response.status});
        }
      } catch (e) {
        error = e;
      } finally {
        deadline.end();
      }
      // Of other calls than a submission 503 does not say that nothing was carried out.
      if (error._ambiguous || (!repeatable && error.status === 503)) {
        if (!repeatable) {
          throw error;
        }
        doubts.push(error);
      }
      await retries.wait(error, signal);
    }
  }

  /** Waits if the last answer said that no further call would get through, so that none need be refused. */
  async #keepPace(method, path, signal) {
    const policy = method === 'GET' || path.endsWith('/request-validate') ? 'read' : 'submit';
    const wait = (this.#notBefore.get(policy) ?? 0) - this._clock();
    this.#notBefore.delete(policy);
    if (wait > 0) {
      await this._sleep(wait, signal);
    }
  }

  #heard(headers) {
    const left = headers.get('ratelimit') ?? '';
    for (const [, policy, most, window] of (headers.get('ratelimit-policy') ?? '').matchAll(POLICY)) {
      if (left.includes(`"${policy}";r=0`)) {
        this.#notBefore.set(policy, this._clock() + Math.min(window / most, LONGEST_PAUSE));
      }
    }
  }

  /** Statuses of the files of a complete report, which has one at least. */
  async #files(status, signal) {
    const files = [...(status.files ?? [])]; // a status has all of them, or none
    const query = {limit: 1000};
    for (let more = files.length === 0; more; more = Boolean(query.cursor)) {
      const page = await this.#call('GET', `/v3/batch/files/${quote(status.report_id)}`, {query, signal});
      files.push(...page.files);
      query.cursor = page.next_cursor;
    }
    return files.map(file => ({...file, report_id: status.report_id}));
  }

  /** Address and options of fetch. A redirect of a call is not followed: the key would go along. */
  #request(method, path, {query = {}, body, headers}) {
    const parameters = Object.entries(query).map(([name, value]) => `${quote(name)}=${quote(value)}`);
    const all = {...headers, 'api-key': this.#key, 'user-agent': `millrace-javascript/${VERSION}`};
    if (body !== undefined) {
      all['content-type'] = 'application/json';
    }
    return [
      this.#base + path + (parameters.length ? `?${parameters.join('&')}` : ''),
      {method, headers: all, redirect: 'manual', body: body === undefined ? undefined : JSON.stringify(body)},
    ];
  }

  /** Sends a request; the answer may have any status. */
  async #open(url, options, deadline) {
    try {
      const common = {cache: 'no-store', credentials: 'omit', signal: deadline.signal};
      return await this.#fetch(url, {...common, ...options});
    } catch (e) {
      deadline.throwIfCancelled();
      const cause = deadline.passed ?? e.cause ?? e;
      const error = noAnswer(`${new URL(url).host} does not answer: ${cause.message || cause.code || cause}.`, e);
      error._ambiguous = !NOT_SENT.has(cause.code);
      throw error;
    }
  }

  /** Writes the file of a complete report, which is then as its status says. */
  async #fetchFile(status, file, signal) {
    const {report_id: reportId, file_size: size, sha256} = status;
    const retries = new Retries(this, this.#retryFor);
    let have = 0;
    let most = 0;
    let tag = null;
    try {
      while (have < size) {
        const headers = {'accept-encoding': 'identity', 'user-agent': `millrace-javascript/${VERSION}`};
        if (have > 0) {
          headers.range = `bytes=${have}-`;
          if (tag) {
            headers['if-range'] = tag;
          }
        }
        const deadline = new Deadline(this.#timeout, signal);
        let error;
        try {
          const answer = await this.#open(status.download_url, {headers}, deadline);
          if (answer.status === 416) {
            const sentence = `The file of report ${reportId} has ${have} bytes, and the status says ${size}.`;
            throw new DownloadError([sentence], {retryable: true});
          } else if (answer.status === 200) {
            have = 0;
            await file.restart();
          } else if (answer.status !== 206) {
            throw refusal(answer, await readText(answer, deadline), true);
          } else if (!(answer.headers.get('content-range') ?? `bytes ${have}-`).startsWith(`bytes ${have}-`)) {
            // Browsers may hide the header; the SHA-256 would tell.
            throw noAnswer('The answer to a download has another range than the one asked for.');
          }
          tag = strong(answer.headers.get('etag')) ?? (have > 0 ? tag : null);
          for await (const chunk of chunks(answer, deadline)) {
            have += chunk.length;
            if (have > size) {
              const sentence = `The file of report ${reportId} has more than the ${size} bytes that the status says.`;
              throw new DownloadError([sentence], {retryable: true});
            }
            await file.write(chunk);
            if (have > most) {
              most = have;
              retries.progress();
            }
          }
          if (have < size) {
            throw noAnswer(`The download of report ${reportId} broke off after ${have} of ${size} bytes.`);
          }
        } catch (e) {
          error = e;
        } finally {
          deadline.end();
        }
        if (error) {
          await retries.wait(error, signal);
        }
      }
      const actual = await file.sha256();
      if (actual !== sha256) {
        const sentence = `The file of report ${reportId} was altered: its SHA-256 is ${actual}, and the status says ${sha256}.`;
        throw new DownloadError([sentence], {retryable: true});
      }
    } catch (e) {
      throw ofReport(e, reportId);
    }
  }
}

/**
 * A complete report. Each way to read it downloads the file, and compares size and SHA-256 before it returns a row. One
 * in parts has several files: rows reads all of them, one after the other, toFolder writes them, and files gives each.
 */
export class Report {
  #service;

  constructor(status, service) {
    this.id = status.report_id;
    this.status = status;
    this.#service = service;
  }

  #fetchFile(file) {
    return this.#service.fetch(this.status, file);
  }

  get #inParts() {
    return 'file_count' in this.status;
  }

  async #parts() {
    return (await this.#service.files()).map(file => new Report(file, this.#service));
  }

  #requireOneFile() {
    if (this.#inParts) {
      const sentence = `Report ${this.id} has ${this.status.file_count} files; write them with toFolder.`;
      throw new DownloadError([sentence], {reportId: this.id});
    }
  }

  /**
   * The files of a report in parts, in the order of their rows. Each is read as a report is; its status has name, part,
   * row_count, file_size and sha256. Another report is its own file.
   */
  async files() {
    return this.#inParts ? this.#parts() : [this];
  }

  /**
   * Writes all files, as toFile does, under the names that the service gives them, into a folder, which is made if it is
   * not there. Resolves to their paths.
   */
  async toFolder(path) {
    if (!node) {
      throw new TypeError('toFolder needs Node; blob() gives a file to a browser');
    }
    const parts = await this.#parts();
    const wrong = parts.find(part => !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part.status.name));
    if (wrong) {
      const sentence = `A file of report ${this.id} has a name that is none: ${wrong.status.name}.`;
      throw new DownloadError([sentence], {reportId: this.id});
    }
    await node.fs.mkdir(path, {recursive: true});
    const written = [];
    for (const part of parts) {
      written.push(await part.toFile(node.path.join(path, part.status.name)));
    }
    return written;
  }

  [Symbol.asyncIterator]() {
    return this.rows();
  }

  /**
   * The rows of a CSV or JSON Lines file, also with gzip. Of CSV cells are texts, and null where they are empty; JSON
   * Lines have numbers. Meanwhile the file is in the folder for temporary files, in browsers in memory.
   */
  async *rows() {
    if (this.#inParts) {
      for (const part of await this.#parts()) {
        yield* part.rows();
      }
      return;
    }
    const file = node ? await DiskFile.temporary() : new MemoryFile();
    try {
      await this.#fetchFile(file);
      yield* rowsOf(file);
    } catch (e) {
      throw ofReport(e, this.id);
    } finally {
      await file.close();
    }
  }

  /**
   * Writes the file as it is, on Node. At the path there is the whole file, or what was there before; a symbolic link
   * stays, and the file that it leads to is the new one. Devices and pipes get the bytes once they are verified. A report
   * in parts has no such file: use toFolder.
   */
  async toFile(path) {
    this.#requireOneFile();
    if (!node) {
      throw new TypeError('toFile needs Node; blob() gives the file to a browser');
    }
    const there = await node.fs.stat(path).catch(unlessMissing);
    if (there?.isDirectory()) {
      throw Object.assign(new Error(`EISDIR: ${path} is a directory`), {code: 'EISDIR'});
    }
    if (there && !there.isFile()) {
      await this.#toDevice(path);
      return path;
    }
    const target = await followed(path);
    const part = `${target}.${uuid().slice(0, 8)}.part`;
    const file = await DiskFile.create(part);
    try {
      await this.#fetchFile(file).finally(() => file.close());
      await node.fs.rename(part, target);
    } finally {
      await node.fs.rm(part, {force: true});
    }
    return path;
  }

  async #toDevice(path) {
    const file = await DiskFile.temporary();
    try {
      await this.#fetchFile(file);
      await node.fs.writeFile(path, file.chunks());
    } finally {
      await file.close();
    }
  }

  /** The file as it is, in memory; of a report in parts each of its files can be had so. */
  async blob() {
    this.#requireOneFile();
    const file = new MemoryFile();
    await this.#fetchFile(file);
    return file.blob();
  }
}

/**
 * Resolves to the event, or rejects with a WebhookError (https://www.standardwebhooks.com/).
 *
 * secret: whsec_…, or several while the receiver changes it. headers: of the request, an object or Headers. body: its
 * bytes or text, before any parsing. tolerance: seconds between the sender's clock and this one.
 */
export async function verifyWebhook(secret, headers, body, {tolerance = 300, now = Date.now() / 1000} = {}) {
  const keys = [secret].flat().map(secretBytes);
  if (keys.length === 0) {
    throw new WebhookError(['There is no webhook secret.']);
  }
  const entries = typeof headers.entries === 'function' ? [...headers.entries()] : Object.entries(headers);
  const found = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value].flat()[0]]));
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    if (!found[name]) {
      throw new WebhookError([`The header ${name} is missing.`]);
    }
  }
  const sent = found['webhook-timestamp'];
  if (!/^[0-9]{1,11}$/.test(sent)) {
    throw new WebhookError(['The header webhook-timestamp is not a number of seconds.']);
  }
  const raw = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const prefix = new TextEncoder().encode(`${found['webhook-id']}.${sent}.`);
  const signed = new Uint8Array(prefix.length + raw.length);
  signed.set(prefix);
  signed.set(raw, prefix.length);
  const versions = found['webhook-signature'].split(/\s+/).map(part => part.split(','));
  const given = versions.filter(([version]) => version === 'v1').map(([, signature]) => base64(signature ?? ''));
  if (given.length === 0 && versions.some(([version]) => version === 'v1a')) {
    throw new WebhookError(['The webhook has no v1 signature; v1a (ed25519) is not verified with this secret.']);
  }
  let fits = false;
  for (const key of keys) {
    const hmac = await crypto.subtle.importKey('raw', key, {name: 'HMAC', hash: 'SHA-256'}, false, ['verify']);
    for (const signature of given) {
      // In constant time.
      fits = (await crypto.subtle.verify('HMAC', hmac, signature, signed)) || fits;
    }
  }
  if (!fits) {
    throw new WebhookError(['No signature of the webhook fits: it has another secret, or its body was changed on the way.']);
  }
  const age = Math.floor(now) - Number(sent);
  if (Math.abs(age) > tolerance) {
    const here = new Date(Math.floor(now) * 1000).toISOString().replace('.000', '');
    throw new WebhookError([
      `The webhook was signed ${Math.abs(age)} seconds ${age > 0 ? 'before' : 'after'} the time of this machine, ${here}; `
        + `${tolerance} are accepted. It is a repeat, or a clock is wrong.`,
    ]);
  }
  try {
    return JSON.parse(new TextDecoder().decode(raw));
  } catch {
    throw new WebhookError(['The body of the webhook is not JSON.']);
  }
}

/**
 * How long a call is repeated that does not get through: for retryFor seconds, counted from the first failure since
 * there was progress.
 */
class Retries {
  #client;
  #retryFor;
  #deadline;
  #pause;

  constructor(client, retryFor) {
    this.#client = client;
    this.#retryFor = retryFor;
    this.progress();
  }

  progress() {
    this.#deadline = null;
    this.#pause = FIRST_PAUSE;
  }

  /** Sleeps until the next try; throws the error where there is none. */
  async wait(error, signal) {
    if (!(error instanceof MillraceError && error.retryable) || error instanceof DownloadError) {
      throw error;
    }
    const now = this.#client._clock();
    this.#deadline ??= now + this.#retryFor;
    const pause = Math.max(error._retryAfter ?? 0, this.#pause);
    if (pause === this.#pause) {
      this.#pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
    if (now + pause > this.#deadline) {
      throw error;
    }
    await this.#client._sleep(pause, signal);
  }
}

/** Aborts what takes too long, or what the caller cancels. end() lets go of its connection. */
class Deadline {
  #abort = new AbortController();
  #seconds;
  #timer;
  #caller;
  #cancel = () => this.#abort.abort(this.#caller.reason);
  /** The error, once the time has passed. */
  passed = null;

  constructor(seconds, caller) {
    this.#seconds = seconds;
    this.#caller = caller;
    caller?.addEventListener('abort', this.#cancel, {once: true});
    if (caller?.aborted) {
      this.#cancel();
    }
    this.restart();
  }

  get signal() {
    return this.#abort.signal;
  }

  restart() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.passed = new Error(`nothing came within ${this.#seconds} seconds`);
      this.#abort.abort(this.passed);
    }, this.#seconds * 1000);
  }

  pause() {
    clearTimeout(this.#timer);
  }

  throwIfCancelled() {
    this.#caller?.throwIfAborted();
  }

  end() {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
    this.#abort.abort();
  }
}

function unlessMissing(error) {
  if (error.code !== 'ENOENT') {
    throw error;
  }
  return null;
}

/** Where a path leads in the end, whether something is there or not. */
async function followed(path) {
  const {fs, path: paths} = node;
  for (let at = path; ; ) {
    const link = await fs.readlink(at).catch(e => (e.code === 'EINVAL' ? null : unlessMissing(e)));
    if (link === null) {
      return at;
    }
    at = paths.resolve(await fs.realpath(paths.dirname(at)), link);
  }
}

/** A file on the disk of a Node process. */
class DiskFile {
  #handle;
  #length = 0;
  #hash = node.crypto.createHash('sha256');

  constructor(handle) {
    this.#handle = handle;
  }

  static async create(path) {
    return new DiskFile(await node.fs.open(path, 'wx+'));
  }

  /** Its name is removed at once, so that nothing is left of it, whatever happens. */
  static async temporary() {
    const path = node.path.join(node.os.tmpdir(), `millrace-${uuid()}`);
    const file = new DiskFile(await node.fs.open(path, 'wx+', 0o600));
    await node.fs.rm(path);
    return file;
  }

  async restart() {
    this.#length = 0;
    this.#hash = node.crypto.createHash('sha256');
    await this.#handle.truncate();
  }

  async write(chunk) {
    this.#hash.update(chunk);
    for (let written = 0; written < chunk.length; ) {
      const {bytesWritten} = await this.#handle.write(chunk, written, chunk.length - written, this.#length);
      written += bytesWritten;
      this.#length += bytesWritten;
    }
  }

  async sha256() {
    return this.#hash.digest('hex');
  }

  async *chunks() {
    for (let position = 0; position < this.#length; ) {
      const {buffer, bytesRead} = await this.#handle.read(Buffer.alloc(CHUNK), 0, CHUNK, position);
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async *unpacked() {
    const {stream, zlib} = node;
    // The callback takes the error, which the reader gets as well.
    yield* stream.pipeline(stream.Readable.from(this.chunks()), zlib.createGunzip(), () => {});
  }

  close() {
    return this.#handle.close();
  }
}

/** A file in memory. */
class MemoryFile {
  #chunks = [];

  async restart() {
    this.#chunks = [];
  }

  async write(chunk) {
    this.#chunks.push(chunk);
  }

  async sha256() {
    const digest = await crypto.subtle.digest('SHA-256', await this.blob().arrayBuffer());
    return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('');
  }

  blob() {
    return new Blob(this.#chunks);
  }

  async *chunks() {
    yield* this.#chunks;
  }

  async *unpacked() {
    yield* read(this.blob().stream().pipeThrough(new DecompressionStream('gzip')));
  }

  async close() {
    this.#chunks = [];
  }
}

function sleep(seconds, signal) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      signal?.aborted ? reject(signal.reason) : resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) {
      done();
    }
  });
}

function noAnswer(sentence, cause) {
  const error = new NoAnswerError([sentence], {retryable: true, cause});
  error._ambiguous = true;
  return error;
}

function ofReport(error, reportId) {
  if (error instanceof MillraceError) {
    error.reportId ??= reportId;
  }
  return error;
}

/**
 * The body of an answer as it comes. One that breaks off ends too early, or in a NoAnswerError. The deadline is for
 * each chunk, or for all of them; the time that its reader takes counts in the second case only.
 */
async function* chunks(answer, deadline, each = true) {
  if (!answer.body) {
    return;
  }
  const reader = read(answer.body);
  try {
    for (;;) {
      let next;
      if (each) {
        deadline.restart();
      }
      try {
        next = await reader.next();
      } catch (e) {
        deadline.throwIfCancelled();
        const cause = deadline.passed ?? e.cause ?? e;
        throw noAnswer(`The connection broke: ${cause.message || cause.code || cause}.`, e);
      }
      if (next.done) {
        return;
      }
      if (each) {
        deadline.pause();
      }
      yield next.value;
    }
  } finally {
    // A reader that stops early lets go of the connection; of one that broke there is nothing to let go.
    await reader.return().catch(() => {});
  }
}

/** Not every browser can iterate over a stream. */
async function* read(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield next.value;
    }
  } finally {
    await reader.cancel();
  }
}

/** The whole body of an answer, which must have come within the time of the deadline. */
async function readText(answer, deadline) {
  const parts = [];
  let length = 0;
  for await (const chunk of chunks(answer, deadline, false)) {
    parts.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) {
      throw new ServiceError([`The answer has more than ${MOST_BYTES} bytes.`], {status: answer.status});
    }
  }
  return new Blob(parts).text();
}

/** The error that an answer is. */
function refusal(answer, text, resumed = false) {
  let problem = null;
  try {
    problem = JSON.parse(text);
  } catch {
    // A proxy's page.
  }
  const {errors, detail, code = null, report_id: reportId = null, request_id: given = null} = problem ?? {};
  const requestId = given ?? answer.headers.get('x-request-id');
  let sentences = errors?.length ? errors : [detail ?? `The service answered ${answer.status} without saying why.`];
  if (answer.type === 'opaqueredirect' || (answer.status >= 300 && answer.status < 400)) {
    sentences = [`The service answered ${answer.status} and leads elsewhere; is the client's address that of the service?`];
  }
  // A file or a feed is resumed after any failure of the service or the storage.
  const retryable = UNAVAILABLE.has(answer.status) || (resumed && answer.status >= 500);
  const error = new ServiceError(sentences, {status: answer.status, retryable, reportId, code, requestId});
  error._retryAfter = seconds(answer.headers.get('retry-after'));
  // Without a report_id the service says that nothing was accepted.
  error._ambiguous = [502, 504].includes(answer.status) || (answer.status === 503 && reportId !== null);
  return error;
}

function seconds(header) {
  return /^[0-9]{1,9}$/.test(header ?? '') ? Number(header) : null;
}

/** An entity tag by which a range may be asked for. */
function strong(tag) {
  return tag?.startsWith('"') ? tag : null;
}

function quote(value) {
  return encodeURIComponent(String(value)).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function uuid() {
  // Browsers have randomUUID on secure pages only.
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
  const variant = (8 + (Number.parseInt(hex[16], 16) % 4)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function base64(text) {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1
    ? Uint8Array.from(atob(text.replace(/=+$/, '')), c => c.charCodeAt(0))
    : new Uint8Array();
}

function secretBytes(secret) {
  const key = base64(String(secret).trim().replace(/^whsec_/, ''));
  if (key.length === 0) {
    throw new WebhookError(['A webhook secret is whsec_ and base64.']);
  }
  return key;
}

async function* texts(bytes) {
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of bytes) {
    yield decoder.decode(chunk, {stream: true});
  }
  yield decoder.decode();
}

/** Lines that end in LF, CR or CR LF; what follows the last end is left out. */
async function* lines(parts) {
  let rest = '';
  let afterCr = false;
  for await (const part of parts) {
    const text = afterCr && part.startsWith('\n') ? part.slice(1) : part;
    if (part === '' || text === '') {
      afterCr &&= part === '';
      continue;
    }
    afterCr = text.endsWith('\r');
    const all = (rest + text).split(/\r\n|\r|\n/);
    rest = all.pop();
    if (rest.length > MOST_BYTES) {
      throw new ServiceError([`A line of the feed has more than ${MOST_BYTES} bytes.`]);
    }
    yield* all;
  }
}

/** Server-sent events; retry is in seconds. A part that breaks off is left out. */
async function* feed(all) {
  const none = {id: null, type: 'message', data: null, retry: null};
  let part = {...none};
  for await (const line of all) {
    const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
    if (line === '') {
      yield part;
      part = {...none};
    } else if (field === 'data') {
      part.data = part.data === null ? (value ?? '') : `${part.data}\n${value ?? ''}`;
    } else if (field === 'event') {
      part.type = value ?? '';
    } else if (field === 'id' && !value?.includes('\0')) {
      part.id = value ?? '';
    } else if (field === 'retry' && /^[0-9]+$/.test(value ?? '')) {
      part.retry = Number(value) / 1000;
    }
  }
}

function eventData(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(['An event of the feed is not JSON.']);
  }
}

/** The first bytes tell which form the file has. */
async function* rowsOf(file) {
  const head = await peek(file.chunks());
  const packed = head.startsWith('\x1f\x8b');
  const inner = packed ? await peek(file.unpacked()) : head;
  const bytes = () => (packed ? file.unpacked() : file.chunks());
  const kind = inner.startsWith('PAR1') ? 'Parquet' : inner.startsWith('\x28\xb5\x2f\xfd') ? 'zstd' : null;
  if (kind) {
    const sentence = `Rows are read from CSV and JSON Lines, plain or gzip; this file is ${kind}: write it to a file.`;
    throw new DownloadError([sentence]);
  }
  if (inner.startsWith('{')) {
    for await (const line of lines(texts(bytes()))) {
      yield JSON.parse(line);
    }
  } else {
    yield* csvRows(texts(bytes()));
  }
}

/** The first four bytes as Latin-1. */
async function peek(bytes) {
  let head = '';
  for await (const chunk of bytes) {
    head += String.fromCharCode(...chunk.subarray(0, 4));
    if (head.length >= 4) {
      break;
    }
  }
  return head.slice(0, 4);
}

/** The rows of CSV (RFC 4180) with a header; an empty cell is null. Exported for its test. */
export async function* csvRows(parts) {
  let header = null;
  let number = 0;
  for await (const cells of records(parts)) {
    if (cells === null) {
      throw new DownloadError([`Row ${number + 1} of the file is not CSV.`]);
    } else if (header === null) {
      header = cells;
    } else {
      number++;
      if (cells.length !== header.length) {
        throw new DownloadError([`Row ${number} of the file has ${cells.length} cells, and the header has ${header.length}.`]);
      }
      yield Object.fromEntries(header.map((name, i) => [name, cells[i] || null]));
    }
  }
}

/** Lists of cells; null for one that is not CSV. */
async function* records(parts) {
  const [START, PLAIN, QUOTED, QUOTE] = [0, 1, 2, 3];
  let state = START;
  let cells = [];
  let cell = '';
  let afterCr = false;
  for await (const part of parts) {
    for (const c of part) {
      if (state === QUOTED) {
        if (c === '"') {
          state = QUOTE;
        } else {
          cell += c;
        }
      } else if (c === '"' && state === START) {
        state = QUOTED;
      } else if (c === '"' && state === QUOTE) {
        cell += c;
        state = QUOTED;
      } else if (c === ',') {
        cells.push(cell);
        cell = '';
        state = START;
      } else if (c === '\n' && afterCr) {
        // The end of a line has two characters.
      } else if (c === '\r' || c === '\n') {
        yield [...cells, cell];
        cells = [];
        cell = '';
        state = START;
      } else if (state === QUOTE) {
        yield null;
      } else {
        cell += c;
        state = PLAIN;
      }
      afterCr = c === '\r' && state !== QUOTED;
    }
  }
  if (state === QUOTED) {
    yield null;
  } else if (cells.length > 0 || state !== START) {
    yield [...cells, cell];
  }
}
