"""What an OpenAPI document allows: its operations, and strategies of Hypothesis for what they take."""

import json
import re
from dataclasses import dataclass, field
from datetime import date, datetime

import jsonschema_rs
import yaml
from hypothesis import strategies as st


def parse_yaml(text):
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@dataclass
class Operation:
    id: str
    method: str
    path: str
    parameters: list
    bodies: dict  # schema by media type
    needs_body: bool
    responses: dict  # by status
    secured: bool
    examples: dict = field(default_factory=dict)  # values by name of a field

    def validates(self):
        return self.id.startswith("requestValidate_")


class Document:
    def __init__(self, text):
        self.root = parse_yaml(text)
        self.checkers = {}
        self.operations = {}
        for path, item in self.root["paths"].items():
            for method, node in item.items():
                if "operationId" in node:
                    self.operations[node["operationId"]] = self.operation(path, method, node, item.get("parameters", []))

    def operation(self, path, method, node, of_path):
        body = self.resolved(node.get("requestBody", {}))
        content = body.get("content", {})
        operation = Operation(
            id=node["operationId"],
            method=method.upper(),
            path=path,
            parameters=[self.resolved(p) for p in [*of_path, *node.get("parameters", [])]],
            bodies={media: value["schema"] for media, value in content.items()},
            needs_body=body.get("required", False),
            responses={str(status): self.resolved(r) for status, r in node["responses"].items()},
            secured=bool(node.get("security", self.root.get("security"))),
        )
        for value in content.values():
            collect(value.get("example"), operation.examples)
        return operation

    def resolved(self, node):
        while "$ref" in node:
            target = self.root
            for name in node["$ref"][2:].split("/"):
                target = target[name.replace("~1", "/").replace("~0", "~")]
            node = merged(target, {word: value for word, value in node.items() if word != "$ref"})
        return node

    def faults(self, schema, value):
        """Sentences about what the schema forbids in the value."""
        text = json.dumps(schema, sort_keys=True)
        if text not in self.checkers:
            whole = {**schema, "components": self.root["components"]}
            self.checkers[text] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        return [f"{'/'.join(map(str, e.instance_path))}: {e.message}" for e in self.checkers[text].iter_errors(value)]

    def allows(self, schema, value):
        return not self.faults(schema, value)


def merged(one, other):
    """A schema that wants what both want, as far as our documents need it."""
    both = dict(one)
    for word, value in other.items():
        if word == "properties":
            fields = both.get(word, {})
            both[word] = {**fields, **{name: merged(fields.get(name, {}), value[name]) for name in value}}
        elif word == "required":
            both[word] = [*both.get(word, []), *value]
        else:
            both[word] = value
    return both


def collect(example, into):
    """Adds the values of each field of an example, however deep it is."""
    for each in example if isinstance(example, list) else []:
        collect(each, into)
    for name, value in example.items() if isinstance(example, dict) else []:
        into.setdefault(name, []).append(value)
        collect(value, into)


class Values:
    """Strategies of what the schemas of an operation allow, as far as they show it: the rest is to be filtered."""

    def __init__(self, document, operation, receiver):
        self.document = document
        self.examples = operation.examples
        self.made = {}
        self.header = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1)
        # Nothing is sent to a stranger, and no call waits for long.
        self.own = {
            "webhook_url": st.text("abc", max_size=3).map(lambda end: receiver + end),
            "wait": st.integers(0, 1),
        }

    def of(self, schema, name=""):
        if name in self.own:
            return self.own[name]
        key = json.dumps(schema, sort_keys=True)
        if key not in self.made:
            self.made[key] = st.one_of([self.plain(s) for s in self.variants(schema)])
        return self.made[key]

    def variants(self, schema):
        """The schema without references and choices, once for each way through these."""
        schema = self.document.resolved(schema)
        found = [{word: value for word, value in schema.items() if word not in ("allOf", "anyOf", "oneOf")}]
        for part in schema.get("allOf", []):
            found = [merged(one, other) for one in found for other in self.variants(part)]
        for word in ("anyOf", "oneOf"):
            choices = [v for choice in schema.get(word, []) for v in self.variants(choice)]
            found = [merged(one, other) for one in found for other in choices or [{}]]
        return found

    def plain(self, schema):
        unwanted = schema.get("not", {}).get("type")
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from([v for v in schema["enum"] if v is not None or unwanted != "null"])
        types = schema.get("type", "object" if "properties" in schema else "string")
        types = [types] if isinstance(types, str) else types
        return st.one_of([getattr(self, f"{t}s")(schema) for t in types if t != unwanted])

    def nulls(self, _):
        return st.none()

    def booleans(self, _):
        return st.booleans()

    def integers(self, schema):
        least, most = schema.get("minimum", -(2**31)), schema.get("maximum", 2**31)
        return st.sampled_from([least, most]) | st.integers(least, min(most, least + 100)) | st.integers(least, most)

    def strings(self, schema):
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        times = st.datetimes(datetime(2024, 1, 1), datetime(2099, 12, 31))
        if "pattern" in schema:
            texts = st.from_regex(re.compile(re.sub(r"\$$", r"\\Z", schema["pattern"]), re.ASCII))
        elif schema.get("format") == "uuid":
            texts = st.uuids().map(str)
        elif schema.get("format") == "date":
            texts = st.dates(date(2024, 1, 1), date(2027, 12, 31)).map(str)
        elif schema.get("format") == "date-time":
            texts = times.map(lambda t: f"{t.isoformat()}Z") | times.map(lambda t: f"{t.isoformat('T', 'milliseconds')}+02:00")
        else:
            texts = st.text(min_size=least, max_size=min(most or least + 40, least + 40))
        if "example" in schema:
            texts |= st.just(schema["example"])
        if most and most <= 1000 and self.document.allows(schema, "x" * most):
            texts |= st.characters(codec="utf-8").map(lambda c: c * most)
        return texts.filter(lambda text: least <= len(text) <= (most or len(text)))

    def arrays(self, schema):
        least = schema.get("minItems", 0)
        return st.lists(
            self.of(schema["items"]),
            min_size=least,
            max_size=min(schema.get("maxItems", least + 3), least + 3),
            unique_by=json.dumps if schema.get("uniqueItems") else None,
        )

    def objects(self, schema):
        fields = schema.get("properties", {})
        required = [name for name in schema.get("required", []) if name in fields]
        optional = sorted(set(fields) - set(required))
        others = schema.get("additionalProperties")

        @st.composite
        def made(draw):
            usual = draw(st.booleans())
            chosen = draw(st.lists(st.sampled_from(optional), max_size=3, unique=True)) if optional else []
            value = {}
            for name in dict.fromkeys([*required, *chosen]):
                known = self.examples.get(name)
                as_known = known and name not in self.own and (usual or draw(st.booleans()))
                value[name] = draw(st.sampled_from(known) if as_known else self.of(fields[name], name))
            if isinstance(others, dict):
                names = self.of({"type": "string", **schema.get("propertyNames", {})})
                value.update(draw(st.dictionaries(names, self.of(others), max_size=3)))
            return value

        return made()
