/** node --test test/millrace.test.js */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import * as millrace from '../millrace.js';
import {ScriptedServer} from './scripted-server.js';

const {Client, DownloadError, MillraceError, NoAnswerError, verifyWebhook, WebhookError} = millrace;
const testdata = async name => JSON.parse(await readFile(new URL(`../../testdata/${name}.json`, import.meta.url), 'utf8'));
const {files, scenarios} = await testdata('scenarios');
const scenario = name => scenarios.find(s => s.name === name) ?? assert.fail(name);

const all = async rows => {
  const list = [];
  for await (const row of rows) {
    list.push(row);
  }
  return list;
};

const take = async (rows, most) => {
  const list = [];
  for await (const row of rows) {
    list.push(row);
    if (list.length === most) {
      break;
    }
  }
  return list;
};

/** fetch, which tells the server how much of each body was read. */
const counting = server => async (url, options) => {
  const response = await fetch(url, options);
  const reader = response.body?.getReader();
  let bytes = 0;
  const body =
    reader &&
    new ReadableStream(
      {
        async pull(controller) {
          const {done, value} = await reader.read();
          if (done) {
            controller.close();
          } else {
            controller.enqueue(value);
            bytes += value.length;
            server.clientHas(bytes);
          }
        },
        cancel: reason => reader.cancel(reason),
      },
      {highWaterMark: 0},
    );
  return {status: response.status, ok: response.ok, type: response.type, headers: response.headers, body};
};

async function play(client, call, folder) {
  switch (call.method) {
    case 'rows':
      return all(await client.download(call.report_id));
    case 'run':
      return all(await client.run(call.dataset, call.request));
    case 'to_file':
      return readFile(await (await client.download(call.report_id)).toFile(path.join(folder, 'file')), 'utf8');
    case 'to_folder': {
      const written = await (await client.download(call.report_id)).toFolder(folder);
      const files = written.map(async file => [path.basename(file), await readFile(file, 'utf8')]);
      return Object.fromEntries(await Promise.all(files));
    }
    case 'submit':
    case 'validate':
      return client[call.method](call.dataset, call.request);
    case 'wait':
      return client.wait(call.report_id, {timeout: call.timeout});
    case 'status':
    case 'cancel':
    case 'retry':
      return client[call.method](call.report_id);
    case 'erase':
      return (await client.erase(call.report_id)) ?? null;
    case 'history':
      return all(client.history(call.filters));
    case 'entities':
      return client.entities(call.dataset, call.prefix, call.limit);
    case 'events':
      return take(client.events({types: call.types, lastEventId: call.last_event_id}), call.take);
    case 'call':
      return client.call(call.http, call.path, {body: call.body});
    default:
      return client[call.method]();
  }
}

const temporary = async work => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'millrace-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, {recursive: true});
  }
};

test('the table of scenarios is there', () => assert.ok(scenarios.length > 50));

for (const {name, client: options = {}, call, exchanges, result, error, sleeps} of scenarios) {
  test(name, () =>
    temporary(async folder => {
      const server = await ScriptedServer.start(exchanges, files);
      const {retry_for: retryFor, ...more} = options;
      const client = new Client('secret-key', `${server.base}/`, {...more, retryFor, fetch: counting(server)});
      const slept = [];
      client._sleep = async seconds => {
        slept.push(seconds);
        await server.clientSleeps();
      };
      client._clock = () => slept.reduce((a, b) => a + b, 0);
      let actual;
      let thrown;
      try {
        actual = await play(client, call, folder);
      } catch (e) {
        if (!(e instanceof MillraceError)) {
          throw e;
        }
        thrown = e;
      }
      server.close();
      assert.deepEqual(server.wrong, [], `requests; ended in ${thrown}`);
      if (error) {
        assert.ok(thrown, 'an error');
        assert.equal(thrown.constructor.name, error.type);
        assert.equal(thrown.name, error.type);
        for (const [field, value] of Object.entries(error)) {
          if (!['type', 'has_idempotency_key'].includes(field)) {
            assert.deepEqual(thrown[{report_id: 'reportId', request_id: 'requestId'}[field] ?? field], value, field);
          }
        }
        if (error.has_idempotency_key) {
          assert.ok(thrown.idempotencyKey);
        }
        assert.ok(!String(thrown).includes('secret-key'));
        assert.deepEqual(await readdir(folder), []);
      } else {
        assert.equal(thrown, undefined);
        assert.deepEqual(JSON.parse(JSON.stringify(actual).replaceAll(server.base, '{base}')), result);
      }
      assert.deepEqual(slept, sleeps);
    }),
  );
}

test('refuses arguments that cannot work', () => {
  for (const key of ['', 'a b', 'a\nb', 'ü', undefined]) {
    assert.throws(() => new Client(key, 'http://x'), /key: must be the text of a batch key/);
  }
  assert.throws(() => new Client('k', 'x:80'), /must begin with http/);
});

test('a name that does not resolve is no answer', async () => {
  const client = new Client('k', 'http://nowhere.invalid', {retryFor: 0});
  await assert.rejects(client.credits(), e => e instanceof NoAnswerError && /nowhere.invalid/.test(e.message) && !e._ambiguous);
});

test("the caller's own Idempotency-Key is sent", async () => {
  const server = await ScriptedServer.start([{request: {headers: {'idempotency-key': 'mine'}}, answer: {status: 200, body: {}}}]);
  await new Client('k', server.base).submit('demographics', {limit: 1}, {idempotencyKey: 'mine'});
  server.close();
  assert.deepEqual(server.wrong, []);
});

test('calls run beside each other', async () => {
  const server = await ScriptedServer.start(Array(20).fill({answer: {status: 200, body: {remaining_credits: 7}}}));
  const client = new Client('k', server.base);
  const answers = await Promise.all(Array.from({length: 20}, () => client.credits()));
  server.close();
  assert.deepEqual(server.wrong, []);
  assert.deepEqual(answers, Array(20).fill({remaining_credits: 7}));
});

test('a signal cancels an answer that does not come, a sleep and a feed', async () => {
  const reason = new Error('enough');
  const stalled = await ScriptedServer.start([{answer: {status: 200, text: 'retry: 1\n\n', stall: 0}}]);
  const inTime = new AbortController();
  const waiting = new Client('k', stalled.base).credits({signal: inTime.signal});
  setImmediate(() => inTime.abort(reason));
  await assert.rejects(waiting, e => e === reason);
  stalled.close();

  const busy = await ScriptedServer.start([{answer: {status: 503, headers: {'retry-after': '60'}, body: {errors: ['Busy.']}}}]);
  const asleep = new AbortController();
  const client = new Client('k', busy.base);
  const sleep = client._sleep;
  client._sleep = (seconds, signal) => {
    setImmediate(() => asleep.abort(reason));
    return sleep(seconds, signal);
  };
  await assert.rejects(client.status('1', {signal: asleep.signal}), e => e === reason);
  busy.close();

  const quiet = await ScriptedServer.start([{answer: {status: 200, text: 'data: {}\n\ndata: 1', stall: 10}}]);
  const listening = new AbortController();
  const feed = new Client('k', quiet.base).events({signal: listening.signal});
  assert.deepEqual((await feed.next()).value, {position: null, type: 'message', data: {}});
  const next = feed.next();
  setImmediate(() => listening.abort(reason));
  await assert.rejects(next, e => e === reason);
  quiet.close();
});

test('a new file replaces the old one only when it is whole', () =>
  temporary(async folder => {
    const file = path.join(folder, 'report.csv');
    await writeFile(file, 'of yesterday');
    for (const {exchanges, call, result} of [scenario('an altered file gives no rows'), scenario('a file is written whole')]) {
      const server = await ScriptedServer.start(exchanges, files);
      const client = new Client('secret-key', server.base, {fetch: counting(server)});
      client._sleep = async () => {};
      const report = await client.download(call.report_id);
      if (result) {
        assert.equal(await report.toFile(file), file);
        assert.equal(await readFile(file, 'utf8'), result);
      } else {
        await assert.rejects(report.toFile(file), DownloadError);
        assert.equal(await readFile(file, 'utf8'), 'of yesterday');
      }
      server.close();
    }
    assert.deepEqual(await readdir(folder), ['report.csv']);
  }));

/** toFile of a report whose file is whole; resolves to its content. */
async function downloaded(file) {
  const {exchanges, call, result} = scenario('a file is written whole');
  const server = await ScriptedServer.start(exchanges, files);
  const client = new Client('secret-key', server.base, {fetch: counting(server)});
  client._sleep = async () => {};
  assert.equal(await (await client.download(call.report_id)).toFile(file), file);
  server.close();
  return result;
}

test('a link stays and leads to the new file', () =>
  temporary(async folder => {
    await mkdir(path.join(folder, 'deep'));
    await writeFile(path.join(folder, 'deep', 'old.csv'), 'of yesterday');
    for (const name of ['old.csv', 'new.csv']) {
      const link = path.join(folder, `link-to-${name}`);
      await symlink(path.join('deep', name), link);
      const content = await downloaded(link);
      assert.equal(await readlink(link), path.join('deep', name));
      assert.equal(await readFile(path.join(folder, 'deep', name), 'utf8'), content);
    }
    assert.deepEqual((await readdir(path.join(folder, 'deep'))).sort(), ['new.csv', 'old.csv']);
  }));

test('a pipe is written to and stays', {skip: process.platform === 'win32'}, () =>
  temporary(async folder => {
    const pipe = path.join(folder, 'pipe');
    const link = path.join(folder, 'link');
    execFileSync('mkfifo', [pipe]);
    await symlink(pipe, link);
    for (const file of [pipe, link]) {
      const received = readFile(pipe, 'utf8');
      assert.equal(await downloaded(file), await received);
    }
    assert.ok((await lstat(pipe)).isFIFO());
    assert.equal(await readlink(link), pipe);
  }));

test('what is no file is not replaced', () =>
  temporary(async folder => {
    const {exchanges, call} = scenario('a file is written whole');
    const server = await ScriptedServer.start(exchanges, files);
    const report = await new Client('secret-key', server.base).download(call.report_id);
    await assert.rejects(report.toFile(folder), {code: 'EISDIR'});
    const loop = path.join(folder, 'loop');
    await symlink(loop, loop);
    await assert.rejects(report.toFile(loop), {code: 'ELOOP'});
    assert.equal(await readlink(loop), loop);
    server.close();
  }));

test('rows that are not read to their end leave nothing', () =>
  temporary(async folder => {
    const {exchanges, call, result} = scenario('JSON Lines have numbers');
    const server = await ScriptedServer.start(exchanges, files);
    const {TMPDIR} = process.env;
    process.env.TMPDIR = folder;
    try {
      for await (const row of await new Client('secret-key', server.base).download(call.report_id)) {
        assert.deepEqual(row, result[0]);
        break;
      }
    } finally {
      process.env.TMPDIR = TMPDIR ?? '/tmp';
    }
    server.close();
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual((await openFiles()).filter(name => name.startsWith(folder)), []);
  }));

/** On Linux; none elsewhere. */
const openFiles = async () => {
  const links = await readdir('/proc/self/fd').catch(() => []);
  return Promise.all(links.map(link => readlink(`/proc/self/fd/${link}`).catch(() => '')));
};

test('a file is given in memory', async () => {
  const {exchanges, call} = scenario('gzip of several members is unpacked');
  const server = await ScriptedServer.start(exchanges, files);
  const blob = await (await new Client('secret-key', server.base).download(call.report_id)).blob();
  server.close();
  assert.deepEqual(Buffer.from(await blob.arrayBuffer()), Buffer.from(files['two-members.jsonl.gz'].base64, 'base64'));
});

for (const {name, text, rows, error} of (await testdata('csv')).cases) {
  test(`CSV: ${name}`, async () => {
    for (const parts of [[text], [...text]]) {
      if (error) {
        await assert.rejects(all(millrace.csvRows(parts)), e => e instanceof DownloadError && e.message === error);
      } else {
        assert.deepEqual(await all(millrace.csvRows(parts)), rows);
      }
    }
  });
}

for (const {name, secrets, headers, body, now, event, error} of (await testdata('webhooks')).cases) {
  test(`webhook: ${name}`, async () => {
    const verified = verifyWebhook(secrets, headers, Buffer.from(body), {now});
    if (error) {
      await assert.rejects(verified, e => e instanceof WebhookError && e.message === error);
      return;
    }
    assert.deepEqual(await verified, event);
    assert.deepEqual(await verifyWebhook(secrets, new Headers(headers), body, {now}), event);
    if (secrets.length === 1) {
      assert.deepEqual(await verifyWebhook(secrets[0], headers, body, {now}), event);
    }
  });
}
