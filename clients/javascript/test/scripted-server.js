/** A server that plays the exchanges of a scenario and notes what is wrong with the requests. */
import net from 'node:net';
import {once} from 'node:events';
import {setTimeout} from 'node:timers/promises';

export class ScriptedServer {
  wrong = [];
  #exchanges;
  #files;
  #next = 0;
  #sleepsUntilUp = 0;
  #keys = new Set();
  #server;
  #port = 0;
  #received = 0;
  #sockets = new Set();
  #awaitingReceived = [];

  static async start(exchanges, files = {}) {
    const server = new ScriptedServer();
    server.#exchanges = exchanges;
    server.#files = files;
    await server.#listen();
    server.base = `http://127.0.0.1:${server.#port}`;
    if (server.#down()) {
      await server.#stop();
    }
    return server;
  }

  async #listen() {
    this.#server = net.createServer(socket => this.#serve(socket));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = this.#server.address().port;
  }

  #down() {
    return this.#exchanges[this.#next]?.down !== undefined;
  }

  /** Refuses connections until the client has slept often enough. */
  async #stop() {
    this.#sleepsUntilUp = this.#exchanges[this.#next++].down;
    this.#server.close();
  }

  /** To be called for each sleep of the client. */
  async clientSleeps() {
    if (this.#sleepsUntilUp > 0 && --this.#sleepsUntilUp === 0) {
      await this.#listen();
    }
  }

  /** To be called with the number of bytes that the client has read of an answer's body. */
  clientHas(bytes) {
    this.#received = bytes;
    this.#awaitingReceived = this.#awaitingReceived.filter(([wanted, resolve]) => bytes < wanted || resolve());
  }

  /** Ends the server; everything that was to be asked for must have been. */
  close() {
    this.#server.close();
    // Node's fetch connects anew after a request that was aborted, and keeps that connection for a while.
    this.#sockets.forEach(socket => socket.destroy());
    if (this.#next < this.#exchanges.length) {
      this.wrong.push(`only ${this.#next} of ${this.#exchanges.length} requests came`);
    }
  }

  #serve(socket) {
    let data = Buffer.alloc(0);
    let done = false;
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', async chunk => {
      data = Buffer.concat([data, chunk]);
      const end = data.indexOf('\r\n\r\n');
      if (done || end < 0) {
        return;
      }
      const [first, ...rest] = data.subarray(0, end).toString().split('\r\n');
      const headers = Object.fromEntries(rest.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
      const length = Number(headers['content-length'] ?? 0);
      if (data.length < end + 4 + length) {
        return;
      }
      done = true;
      const [method, path] = first.split(' ');
      const body = data.subarray(end + 4).toString();
      try {
        await this.#exchange(socket, {method, path, headers, body: length ? JSON.parse(body) : null});
      } catch (e) {
        this.wrong.push(String(e));
        socket.destroy();
      }
    });
  }

  async #exchange(socket, request) {
    const exchange = this.#exchanges[this.#next];
    if (!exchange) {
      this.wrong.push(`${request.method} ${request.path} is one request too many`);
      socket.destroy();
      return;
    }
    this.#next++;
    this.#check(exchange.request ?? {}, request);
    if (this.#down()) {
      await this.#stop();
    }
    await this.#answer(socket, exchange.answer);
  }

  #check(expected, actual) {
    for (const name of ['method', 'path', 'body']) {
      if (name in expected && JSON.stringify(expected[name]) !== JSON.stringify(actual[name])) {
        this.wrong.push(`request ${this.#next}: ${name} is ${JSON.stringify(actual[name])}, not ${JSON.stringify(expected[name])}`);
      }
    }
    for (const [name, value] of Object.entries(expected.headers ?? {})) {
      const given = actual.headers[name] ?? null;
      if (value === '*') {
        this.#keys.add(given);
        if (!given || this.#keys.size > 1) {
          this.wrong.push(`request ${this.#next}: ${name} is ${given} of ${[...this.#keys]}`);
        }
      } else if (given !== value) {
        this.wrong.push(`request ${this.#next}: ${name} is ${given}, not ${value}`);
      }
    }
  }

  async #answer(socket, answer) {
    if (answer.close) {
      // Without a byte some clients repeat the request by themselves.
      socket.end('HTTP/1.1 ');
      return;
    }
    const headers = Object.fromEntries(Object.entries(answer.headers ?? {}).map(([k, v]) => [k, v.replaceAll('{base}', this.base)]));
    let body = Buffer.alloc(0);
    if ('body' in answer) {
      body = Buffer.from(JSON.stringify(answer.body).replaceAll('{base}', this.base));
      headers['content-type'] ??= 'application/json';
    } else if ('text' in answer) {
      body = Buffer.from(answer.text);
    } else if ('file' in answer) {
      body = this.#file(answer.file);
      const first = answer.from ?? 0;
      if (answer.status === 206) {
        headers['content-range'] = `bytes ${first}-${body.length - 1}/${body.length}`;
      }
      body = body.subarray(first);
    }
    Object.assign(headers, {'content-length': body.length, connection: 'close'});
    const head = `HTTP/1.1 ${answer.status} So\r\n${Object.entries(headers).map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`;
    if (answer.drip) {
      socket.write(head);
      for (let i = 0; i < body.length && !socket.destroyed; i++) {
        socket.write(body.subarray(i, i + 1));
        await setTimeout(50);
      }
      socket.end();
      return;
    }
    const sent = answer.cut ?? answer.stall ?? body.length;
    this.#received = 0;
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, sent)]));
    if (answer.cut !== undefined && this.#received < answer.cut) {
      // fetch discards what it has and was not read, when the connection breaks.
      await new Promise(resolve => this.#awaitingReceived.push([answer.cut, resolve]));
    }
    if (answer.stall === undefined) {
      socket.end();
      socket.resume();
    }
  }

  #file(name) {
    const file = this.#files[name];
    return 'text' in file ? Buffer.from(file.text) : Buffer.from(file.base64, 'base64');
  }
}
