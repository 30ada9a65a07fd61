"""A server that plays the exchanges of a scenario and notes what is wrong with the requests."""

import base64
import json
import socket
import threading


class ScriptedServer:
    def __init__(self, exchanges, files):
        self._exchanges = exchanges
        self._files = files
        self.wrong = []
        self._idempotency_keys = set()
        self._next = 0
        self._sleeps_until_up = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._port = self._listener.getsockname()[1]
        self.base = f"http://127.0.0.1:{self._port}"
        self._thread = None
        self._closed = False
        self._listen()

    def _listen(self):
        if self._down():
            self._sleeps_until_up = self._exchanges[self._next]["down"]
            self._next += 1
            self._listener.close()
        else:
            self._thread = threading.Thread(target=self._serve, args=(self._listener,), daemon=True)
            self._thread.start()

    def _down(self):
        return self._next < len(self._exchanges) and "down" in self._exchanges[self._next]

    def client_sleeps(self):
        """To be called for each sleep of the client."""
        if self._sleeps_until_up:
            self._sleeps_until_up -= 1
            if not self._sleeps_until_up:
                self._listener = socket.create_server(("127.0.0.1", self._port))
                self._listen()

    def close(self):
        """Ends the server; everything that was to be asked for must have been."""
        self._closed = True
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        if self._thread:
            self._thread.join(10)
        if self._next < len(self._exchanges):
            self.wrong.append(f"only {self._next} of {len(self._exchanges)} requests came")

    def _serve(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(10)
                try:
                    if not self._exchange(connection):
                        return
                except Exception as e:  # the test shows it
                    if not self._closed:
                        self.wrong.append(repr(e))

    def _exchange(self, connection):
        stream = connection.makefile("rb")
        method, path, _ = stream.readline().decode().split()
        headers = {}
        while True:
            line = stream.readline().decode().strip()
            if not line:
                break
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = stream.read(int(headers.get("content-length", 0)))
        if self._next >= len(self._exchanges):
            self.wrong.append(f"{method} {path} is one request too many")
            return True
        exchange = self._exchanges[self._next]
        self._next += 1
        self._check(exchange.get("request", {}), method, path, headers, body)
        down = self._down()
        if down:
            self._sleeps_until_up = self._exchanges[self._next]["down"]
            self._next += 1
            self._listener.close()
        self._answer(connection, exchange["answer"])
        return not down

    def _check(self, expected, method, path, headers, body):
        actual = {"method": method, "path": path, "body": json.loads(body) if body else None}
        for name in ("method", "path", "body"):
            if name in expected and expected[name] != actual[name]:
                self.wrong.append(f"request {self._next}: {name} is {actual[name]}, not {expected[name]}")
        for name, value in expected.get("headers", {}).items():
            given = headers.get(name)
            if value == "*":
                self._idempotency_keys.add(given)
                if not given or len(self._idempotency_keys) > 1:
                    self.wrong.append(f"request {self._next}: {name} is {given} of {self._idempotency_keys}")
            elif given != value:
                self.wrong.append(f"request {self._next}: {name} is {given}, not {value}")

    def _answer(self, connection, answer):
        if answer.get("close"):
            connection.sendall(b"HTTP/1.1 ")  # without a byte some clients repeat the request by themselves
            return
        headers = {k: v.replace("{base}", self.base) for k, v in answer.get("headers", {}).items()}
        body = b""
        if "body" in answer:
            body = json.dumps(answer["body"]).replace("{base}", self.base).encode()
            headers.setdefault("content-type", "application/json")
        elif "text" in answer:
            body = answer["text"].encode()
        elif "file" in answer:
            body = self.file(answer["file"])
            first = answer.get("from", 0)
            if answer["status"] == 206:
                headers["content-range"] = f"bytes {first}-{len(body) - 1}/{len(body)}"
            body = body[first:]
        head = f"HTTP/1.1 {answer['status']} So\r\n"
        headers.update({"content-length": len(body), "connection": "close"})
        head += "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n"
        if answer.get("drip"):
            connection.sendall(head.encode())
            try:
                for i in range(len(body)):
                    connection.sendall(body[i : i + 1])
                    threading.Event().wait(0.05)
            except OSError:
                pass  # the client gave up
            return
        cut = answer.get("cut", answer.get("stall", len(body)))
        connection.sendall(head.encode() + body[:cut])
        if "stall" in answer:
            connection.recv(1)  # until the client gives up

    def file(self, name):
        file = self._files[name]
        return file["text"].encode() if "text" in file else base64.b64decode(file["base64"])
