"""Calls an API as its OpenAPI document allows and as it does not, and says where the two differ.

Calls are made from the schemas with Hypothesis, and ids come from the links of the document. The same seed makes the same
calls, with other ids. Prints how each operation answered, and each difference once, with the shortest call that shows it.
Exit codes: 0 without a difference, 1 with one.
"""

import argparse
import collections
import copy
import http.client
import http.server
import json
import random
import re
import shlex
import sys
import threading
import time
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote, urlsplit
from urllib.request import urlopen

import yaml
from hypothesis import HealthCheck, Phase, assume, given, seed, settings, strategies as st
from hypothesis.errors import Unsatisfiable

from openapi_document import Document, Operation, Values, parse_yaml

TIMEOUT = 20
LONGEST_PAUSE = 5
KNOWN_IDS = 6
SHOWN = 40
MADE_AT_ONCE = 40
DEEPEST_LINK = 3

SUBMISSION = "request(Report|Validate)_"

# Differences that are none: kind, operations, what the answer says, and why the document cannot say it.
ALLOWED = [
    ("refused", "", "cursor: must be the next_cursor", "what a cursor looks like is nobody's business"),
    ("refused", "events", "must be the id of an event of this feed", "nor is that of an event's id"),
    ("refused", "makeKey|changeKey|issueKey", "expires_at: must be a time in the future", "a schema knows no clock"),
    ("refused", "createAccount|setEntitlements", "end_date must not be before start_date", "it compares two fields"),
    ("refused", "usageCsv|creditUsage|statistics", "must not be before from|must be at most", "it compares two fields"),
    ("refused", "requestStatus", "min_sequence: the report has ended", "it depends on the report"),
    ("refused", "download", "not one that was signed here", "a schema checks no signature"),
    ("refused", "reportHistory", "tag: names .* twice", "it compares parts of texts"),
    ("refused", "preview", "a preview needs csv or json", "it depends on the report"),
    ("refused", SUBMISSION, "not available to this account|history of this account|the newest period", "what the account may see"),
    ("refused", SUBMISSION, "is before start_date|period begins from|holds no whole|not in the calendar", "it needs a calendar"),
    ("refused", SUBMISSION, "says something else than", "it compares two places of one field"),
    ("refused", SUBMISSION, "max_credits: the estimate", "it needs the price"),
    ("refused", SUBMISSION, "has no granularity|no figures by|is not offered for|quote:", "it depends on other fields"),
    ("refused", "request(Report|Validate)_v[45]", "is missing|is not a (metric|granularity|field) of|rows come by", "one schema for all datasets"),
    ("refused", SUBMISSION, r"split\.max_rows: .* is too small", "how many rows a file needs follows from names and periods"),
    ("refused", SUBMISSION, "num_of_files: cannot be sent with .*split", "in the nested body they are in different places"),
    ("accepted", "mcp", "MCP-Protocol-Version", "initialize may have any version, as the protocol has it"),
    ("accepted", "docs|document|llms|console|guide|schema|asyncapi|openapi|root|liveness|readiness", "unknown surprise", "links may add to a page"),
]

# Operations that never succeed here, and why.
UNREACHED = {
    "cancel": "reports may end before",
    "retry": "no report fails but those that are cancelled",
    "switchVersion": "each dataset has one version",
}

WRONG_TEXTS = ["", " ", "x", "-1", "0", "1.5", "1e3", "9" * 20, "a" * 2100, "null", "true", "é", "2026-02-30", "a,b", "ep_x"]
WRONG_VALUES = [None, True, 0, -1, 1.5, 2**63 - 1, "", " ", "x", "é" * 2100, "2026-02-30", [], [None], ["x"], {}, {"x": 1}]


@dataclass(frozen=True)
class Call:
    operation: Operation
    known: int  # which of the known ids it takes; none if negative
    texts: dict  # of parameters, by place and name; lists of them in the query
    media: str | None = None
    body: object = None
    key: bool = True
    wrong: str = ""  # what the document forbids

    def with_ids(self, ids):
        """The same call with these parameters."""
        texts = copy.deepcopy(self.texts)
        for name, value in ids.items():
            if f"{{{name}}}" in self.operation.path:
                texts["path"][name] = str(value)
            else:
                texts["query"][name] = [str(value)]
        return replace(self, texts=texts)

    def target(self):
        path = re.sub(r"{(\w+)}", lambda m: quote(self.texts["path"][m[1]], safe=""), self.operation.path)
        query = [f"{quote(name)}={quote(t, safe='')}" for name, several in self.texts["query"].items() for t in several]
        return path + ("?" + "&".join(query) if query else "")

    def content(self):
        """The media type and the bytes."""
        if self.media is None:
            return None, None
        if not self.media.startswith("multipart/"):
            return self.media, json.dumps(self.body, ensure_ascii=False).encode()
        parts = [
            f'--part\r\ncontent-disposition: form-data; name="{name}"\r\ncontent-type: application/json\r\n\r\n'
            f"{json.dumps(value, ensure_ascii=False)}\r\n"
            for name, value in self.body.items()
        ]
        return f"{self.media}; boundary=part", ("".join(parts) + "--part--\r\n").encode()


def as_texts(value):
    """A parameter as it is in a query, a path or a header."""
    if isinstance(value, list):
        return [str(v) for v in value]
    return [value if isinstance(value, str) else json.dumps(value)]


def as_value(parameter, text):
    """What the text of a parameter means."""
    kind = parameter["schema"].get("type")
    if kind == "array":
        return [text] if parameter.get("explode", True) else text.split(",")
    return int(text) if kind == "integer" and re.fullmatch("-?[0-9]+", text) else text


def can_be_sent(place, text):
    if place == "header":
        return all(" " <= c <= "~" for c in text) and text == text.strip()
    return place != "path" or text not in ("", ".", "..")


def calls_allowed(document, operation, values):
    @st.composite
    def made(draw):
        texts = {"path": {}, "query": {}, "header": {}}
        for p in operation.parameters:
            if p.get("required") or draw(st.integers(0, 3)) == 0:
                free = p["in"] == "header" and "pattern" not in p["schema"]
                value = draw(values.header if free else values.of(p["schema"], p["name"]))
                several = as_texts(value)
                assume(document.allows(p["schema"], value) and all(can_be_sent(p["in"], text) for text in several))
                if p["in"] != "query":
                    texts[p["in"]][p["name"]] = several[0]
                elif several:
                    texts["query"][p["name"]] = several if p.get("explode", True) else [",".join(several)]
        call = Call(operation, draw(st.integers(-1, KNOWN_IDS - 1)), texts)
        if not operation.bodies or not (operation.needs_body or draw(st.booleans())):
            return call
        media = draw(st.sampled_from(sorted(operation.bodies)))
        body = draw(values.of(operation.bodies[media]))
        assume(document.allows(operation.bodies[media], body))
        return replace(call, media=media, body=body)

    return made()


def calls_forbidden(document, operation, values):
    """Calls that the document forbids, each for one reason."""
    allowed = calls_allowed(document, operation, values)
    reasons = [("unknown", "surprise", [])] + [("no key", "", [])] * operation.secured
    reasons += [("body", "", [])] * (8 if operation.bodies else 0) + [("no body", "", [])] * operation.needs_body
    for p in operation.parameters:
        name, place = p["name"], p["in"]
        bad = [t for t in WRONG_TEXTS if can_be_sent(place, t) and not document.allows(p["schema"], as_value(p, t))]
        reasons += [(place, name, bad)] * (2 if bad else 0)
        if place == "query":
            reasons += [("missing", name, [])] * p.get("required", False)
            reasons += [("twice", name, [])] * (p["schema"].get("type") != "array")

    @st.composite
    def made(draw):
        call = draw(allowed)
        reason, name, bad = draw(st.sampled_from(reasons))
        texts = copy.deepcopy(call.texts)
        if reason == "body":
            assume(call.media)
            body = spoiled(draw, call.body)
            faults = document.faults(operation.bodies[call.media], body)
            assume(faults and (isinstance(body, dict) or not call.media.startswith("multipart/")))
            return replace(call, body=body, wrong=f"body: {faults[0][:200]}")
        if reason == "no body":
            return replace(call, media=None, wrong="no body")
        if reason == "no key":
            return replace(call, key=False, wrong="no key")
        if reason == "missing":
            texts["query"].pop(name)
        elif reason == "twice":
            assume(len(texts["query"].get(name, [])) == 1)
            texts["query"][name] *= 2
        elif reason == "unknown":
            texts["query"][name] = ["x"]
        else:
            text = draw(st.sampled_from(bad))
            texts[reason][name] = [text] if reason == "query" else text
        return replace(call, known=-1, texts=texts, wrong=f"{reason} {name}")

    return made()


def spoiled(draw, body):
    """The body with one place replaced or left out, or with much more there."""
    place = ("body", *draw(st.sampled_from(list(places(body)))))
    other, change = draw(st.sampled_from(WRONG_VALUES)), draw(st.integers(0, 3))
    root = {"body": copy.deepcopy(body)}
    holder = root
    for name in place[:-1]:
        holder = holder[name]
    part = holder[place[-1]]
    if change == 0 and holder is not root:
        del holder[place[-1]]
    elif change == 1 and isinstance(part, dict):
        part["surprise"] = other
    elif change == 2 and isinstance(part, (str, list)):
        holder[place[-1]] = part * 500
    else:
        holder[place[-1]] = other
    return root["body"]


def places(value, to=()):
    """The way to each part of a JSON value, itself first."""
    yield to
    for name, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []:
        yield from places(part, (*to, name))


def drawn(strategy, count, number):
    """So many values of a strategy; fewer if there are no more."""
    found = []

    @seed(number)
    @settings(max_examples=count, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def take(value):
        found.append(value)

    try:
        take()
    except Unsatisfiable:
        pass
    return found


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    def media(self):
        return self.headers.get("content-type", "").split(";")[0].strip()

    def fields(self):
        """Those of its JSON; none if that is no object."""
        try:
            value = json.loads(self.body) if self.media().endswith("json") else None
        except ValueError:
            value = None
        return value if isinstance(value, dict) else {}


class Run:
    def __init__(self, document, arguments, receiver):
        self.document = document
        self.arguments = arguments
        self.random = random.Random(arguments.seed)
        self.connection = None
        self.ends = time.monotonic() + arguments.seconds
        self.calls = 0
        self.answers = collections.defaultdict(collections.Counter)  # by operation: how often which status came
        self.known = collections.defaultdict(lambda: collections.deque(maxlen=KNOWN_IDS))  # ids by operation
        self.made = {}  # calls that are allowed, by operation
        self.found = {}  # differences: the shortest call that shows each
        self.allowed = collections.Counter()
        self.values = {o.id: Values(document, o, receiver) for o in document.operations.values()}

    def goes_on(self):
        return self.calls < self.arguments.calls and time.monotonic() < self.ends

    def all(self):
        turn = 0
        while self.goes_on():
            calls = []
            for number, operation in enumerate(self.document.operations.values()):
                parts = self.document, operation, self.values[operation.id]
                at = self.arguments.seed * 1_000_003 + turn * 1_000 + number
                self.made[operation.id] = drawn(calls_allowed(*parts), MADE_AT_ONCE, at)
                calls += self.made[operation.id] + drawn(calls_forbidden(*parts), MADE_AT_ONCE // 2, at)
            self.random.shuffle(calls)
            self.connection = None  # the last one may have been closed meanwhile
            for call in calls:
                if self.goes_on():
                    known = self.known[call.operation.id]
                    self.one(call.with_ids(known[call.known % len(known)]) if known and call.known >= 0 else call)
            turn += 1

    def one(self, call, depth=0):
        """Sends a call, checks the answer, and follows its links."""
        self.calls += 1
        try:
            answer = self.sent(call)
            if answer.status == 429 and not self.reached(call.operation.id):
                time.sleep(min(int(answer.headers["retry-after"]), LONGEST_PAUSE))
                answer = self.sent(call)
        except (OSError, http.client.HTTPException) as e:
            self.connection = None
            return self.difference("no answer", call, f"{type(e).__name__} {e}")
        self.answers[call.operation.id][("!" if call.wrong else "") + str(answer.status)] += 1
        for kind, sentence in self.faults(call, answer):
            self.difference(kind, call, sentence)
        if answer.status >= 300 or call.wrong:
            return
        for operation, ids in self.linked(call, answer):
            self.known[operation].append(ids)
            if depth < DEEPEST_LINK and self.goes_on() and self.made[operation] and self.random.random() < 0.4:
                self.one(self.random.choice(self.made[operation]).with_ids(ids), depth + 1)

    def reached(self, operation):
        return any(status[0] in "23" for status in self.answers[operation])

    def sent(self, call):
        if not self.connection:
            self.connection = http.client.HTTPConnection(urlsplit(self.arguments.address).netloc, timeout=TIMEOUT)
        headers, body = self.head_and_body(call)
        if call.key:
            headers[self.arguments.key_header] = self.arguments.key
        self.connection.request(call.operation.method, call.target(), body, headers)
        response = self.connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        if headers.get("content-type", "").startswith("text/event-stream"):
            self.connection.close()  # it does not end
            return Answer(response.status, headers, b"an event")
        return Answer(response.status, headers, response.read())

    @staticmethod
    def head_and_body(call):
        media, body = call.content()
        return {**call.texts["header"], **({"content-type": media} if media else {})}, body

    def linked(self, call, answer):
        """The operations that the answer leads to, with their parameters."""
        fields = json.loads(answer.body) if answer.media() == "application/json" else {}
        for link in call.operation.responses.get(str(answer.status), {}).get("links", {}).values():
            ids = {name: pointed(text, call, fields) for name, text in link["parameters"].items()}
            if None not in ids.values():
                yield link["operationId"], ids
        if "download_url" in fields:
            url = urlsplit(fields["download_url"])
            yield "download", {"report_id": url.path.rsplit("/", 1)[1], **dict(parse_qsl(url.query))}

    def faults(self, call, answer):
        """What of the answer is not as the document says, as pairs of a kind and a sentence."""
        status, said = answer.status, answer.fields().get("errors") or []
        described = call.operation.responses.get(str(status))
        if described is None:
            yield "undocumented", f"{status} {' '.join(said)}"
        else:
            yield from (("answer", f"{status} {fault}") for fault in self.unlike(described, answer))
        if "x-request-id" not in answer.headers:
            yield "answer", f"{status} does not name its request"
        if status >= 500:
            yield "failed", f"{status} {' '.join(said)}"
        refused = 400 <= status < 500 or (call.operation.validates() and answer.fields().get("is_valid") is False)
        if call.wrong and not refused and status < 500:
            yield "accepted", call.wrong
        # That something is not there, not possible now or too much for now is no matter of the document.
        elif not call.wrong and refused and status not in (402, 404, 409, 410, 412, 416, 429):
            yield from (("refused", f"{status} {sentence}") for sentence in said or ["without a sentence"])

    def unlike(self, described, answer):
        content = described.get("content")
        if not content:
            return ["it has a body"] if answer.body else []
        schemas = [value["schema"] for media, value in content.items() if media.split(";")[0] == answer.media()]
        if not schemas:
            return [f"its content type is {answer.media()}"]
        if not answer.media().endswith(("json", "yaml")):
            return []
        try:
            body = json.loads(answer.body) if answer.media().endswith("json") else parse_yaml(answer.body)
        except (ValueError, yaml.YAMLError) as e:
            return [f"it is not {answer.media()}: {e}"]
        return self.document.faults(schemas[0], body)

    def difference(self, kind, call, sentence):
        for number, (allowed, operations, words, _) in enumerate(ALLOWED):
            if allowed == kind and re.match(operations, call.operation.id) and re.search(words, sentence):
                self.allowed[number] += 1
                return
        headers, body = self.head_and_body(call)
        command = ["curl", "-i", "-X", call.operation.method, self.arguments.address + call.target()]
        command += [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
        command += ["--data-binary", body.decode()] if body else []
        key = f' -H "{self.arguments.key_header}: $KEY"' if call.key else ""
        shown = f"{kind}: {call.operation.id}: {sentence[:400]}\n    {shlex.join(command)}{key}"
        # Of sentences that differ in names and numbers only, one is shown.
        plain = re.sub(r"[^a-z ]+", "", re.sub(r"'.*?'|\".*?\"|“.*?”", "", sentence))[:60]
        kept = self.found.setdefault((kind, call.operation.id, plain), shown)
        if len(shown) < len(kept):
            self.found[kind, call.operation.id, plain] = shown

    def report(self):
        """Prints what was found; returns whether there is a difference."""
        for operation in self.document.operations:
            answers = self.answers[operation]
            counts = "  ".join(f"{status}: {count}" for status, count in sorted(answers.items()))
            print(f"{operation:36} {sum(answers.values()):6}   {counts}")
            if operation not in UNREACHED and not self.reached(operation):
                self.found["unreached", operation] = f"unreached: {operation} never succeeded"
        for number, (kind, operations, words, why) in enumerate(ALLOWED):
            print(f"allowed {self.allowed[number]:6}   {kind} {operations} {words}: {why}")
        print(f"{self.calls} calls of {len(self.document.operations)} operations, those that the document forbids with ! "
              f"before the status; --seed {self.arguments.seed}; {len(self.found)} differences")
        for shown in sorted(self.found.values())[:SHOWN]:
            print(shown)
        return bool(self.found)


def pointed(expression, call, value):
    """What a runtime expression of a link is, or None."""
    if expression.startswith("$request.path."):
        return call.texts["path"][expression.removeprefix("$request.path.")]
    for name in expression.removeprefix("$response.body#/").split("/"):
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, TypeError):
            return None
    return value


class Receiver(http.server.BaseHTTPRequestHandler):
    """Accepts webhooks."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", required=True, help="of the API, for example http://127.0.0.1:8080")
    parser.add_argument("--key-header", required=True, help="the header that carries the key")
    parser.add_argument("--key", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, default=5_000, help="at most")
    parser.add_argument("--seconds", type=int, default=300, help="at most")
    arguments = parser.parse_args()
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    with urlopen(arguments.address + "/openapi.yaml", timeout=TIMEOUT) as document:
        run = Run(Document(document.read()), arguments, f"http://127.0.0.1:{receiver.server_port}/hook")
    run.all()
    return run.report()


if __name__ == "__main__":
    sys.exit(main())
