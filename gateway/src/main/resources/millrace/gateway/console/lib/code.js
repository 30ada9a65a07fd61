// A request as code that runs as it stands, with the standard library alone. The key is an environment variable: what people
// copy ends in repositories.

/** Longer lists stand in a file beside the code. */
const INLINE = 20;

export const LANGUAGES = ['curl', 'Python', 'JavaScript', 'Java', 'CLI'];

/** @returns {text, file: null or {name, field}} file: what the code reads from */
export function code(language, {origin, dataset, field, request}) {
  const entities = request[field] ?? [];
  const long = entities.length > INLINE;
  const path = `${origin}/v3/batch`;
  const json = long ? null : pretty(request);
  const text = {
    curl: () => curl(path, dataset, json),
    Python: () => python(path, dataset, json),
    JavaScript: () => javascript(path, dataset, json),
    Java: () => java(path, dataset, json),
    CLI: () => cli(origin, dataset, field, request, long),
  }[language]();
  return {text, file: long ? (language === 'CLI' ? `${field}.txt` : 'request.json') : null};
}

/** A field a line. */
const pretty = (request) => `{\n${Object.entries(request).filter(([, value]) => value !== undefined)
  .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value).replaceAll('","', '", "')}`).join(',\n')}\n}`;
const indent = (text, by) => text.replaceAll('\n', `\n${by}`);
const shell = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function curl(path, dataset, json) {
  const body = json === null ? '@request.json' : shell(json);
  return `answer=$(curl -sS ${path}/${dataset}/request-report \\
  -H "api-key: $MILLRACE_KEY" -H 'content-type: application/json' \\
  -d ${body})
report=$(sed -n 's/.*"report_id":"\\([^"]*\\)".*/\\1/p' <<< "$answer")
[ -n "$report" ] || echo "$answer"
while [ -n "$report" ] && ! curl -sS "${path}/request-status/$report" -H "api-key: $MILLRACE_KEY" |
  tee status.json | grep -E '"status":"(complete|internal_error)"|"errors"'; do sleep 1; done
[ -n "$report" ] && curl -sS -o report "$(sed 's/.*"download_url":"\\([^"]*\\)".*/\\1/' status.json)"`;
}

function python(path, dataset, json) {
  const literal = json === null ? 'json.load(open("request.json"))' : json.replace(/^(  "\w+": )true(,?)$/gm, '$1True$2');
  return `import json, os, time, urllib.request

def call(path, body=None):
    request = urllib.request.Request("${path}/" + path, body and json.dumps(body).encode(),
        {"api-key": os.environ["MILLRACE_KEY"], "content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer), int(answer.headers.get("Retry-After", 1))

request = ${literal}
report = call("${dataset}/request-report", request)[0]["report_id"]
status, wait = call("request-status/" + report)
while status["status"] == "processing":
    time.sleep(wait)
    status, wait = call("request-status/" + report)
if status["status"] != "complete":
    raise SystemExit(status["error"]["message"])
urllib.request.urlretrieve(status["download_url"], "report")`;
}

function javascript(path, dataset, json) {
  const literal = json === null ? "JSON.parse(await readFile('request.json', 'utf8'))" : json;
  return `import {${json === null ? 'readFile, ' : ''}writeFile} from 'node:fs/promises';

const headers = {'api-key': process.env.MILLRACE_KEY, 'content-type': 'application/json'};
const call = async (path, options) => {
  const answer = await fetch('${path}/' + path, {headers, ...options});
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.errors.join(' '));
  return {...body, wait: 1000 * (answer.headers.get('retry-after') ?? 1)};
};

const request = ${literal};
const {report_id} = await call('${dataset}/request-report', {method: 'POST', body: JSON.stringify(request)});
let status = await call('request-status/' + report_id);
while (status.status === 'processing') {
  await new Promise((resolve) => setTimeout(resolve, status.wait));
  status = await call('request-status/' + report_id);
}
if (status.status !== 'complete') throw new Error(status.error.message);
await writeFile('report', Buffer.from(await (await fetch(status.download_url)).arrayBuffer()));`;
}

function java(path, dataset, json) {
  const body = json === null
    ? 'BodyPublishers.ofFile(Path.of("request.json"))'
    : `BodyPublishers.ofString("""
        ${indent(json.replaceAll('\\', '\\\\'), '        ')}""")`;
  return `import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.regex.Pattern;

HttpClient http = HttpClient.newHttpClient();

String call(HttpRequest.Builder request) throws Exception {
    var answer = http.send(request.header("api-key", System.getenv("MILLRACE_KEY")).build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
    return answer.body();
}

String field(String json, String name) {
    var found = Pattern.compile('"' + name + "\\":\\"([^\\"]*)\\"").matcher(json);
    return found.find() ? found.group(1) : "";
}

void main() throws Exception {
    var uri = "${path}/";
    var accepted = call(HttpRequest.newBuilder(URI.create(uri + "${dataset}/request-report"))
        .header("content-type", "application/json").POST(${body}));
    String status;
    do {
        Thread.sleep(1000);
        status = call(HttpRequest.newBuilder(URI.create(uri + "request-status/" + field(accepted, "report_id"))));
    } while (field(status, "status").equals("processing"));
    if (!field(status, "status").equals("complete")) throw new IllegalStateException(status);
    http.send(HttpRequest.newBuilder(URI.create(field(status, "download_url"))).build(), BodyHandlers.ofFile(Path.of("report")));
}`;
}

/** Fields that have an option of their own; all others go through --set. */
const OPTIONS = {
  domains: 'domains', keywords: 'keywords', countries: 'countries', metrics: 'metrics', start_date: 'from', end_date: 'to', window_size: 'window',
  granularity: 'granularity', response_format: 'format', compression: 'compression', webhook_url: 'webhook-url', max_credits: 'max-credits',
  report_name: 'report-name', retention_days: 'retention-days',
};

function cli(origin, dataset, field, request, long) {
  const parts = [`MILLRACE_URL=${origin} millrace report run ${dataset}`];
  for (const [name, value] of Object.entries(request).filter(([, v]) => v !== undefined)) {
    const option = OPTIONS[name];
    // A list as it is typed: not what its commas would take apart, an @ read from a file, or a - take for an option.
    const listed = Array.isArray(value) && value.every((v) => !/^[@-]|[",\n]/.test(v));
    if (name === field && long) {
      parts.push(option ? `--${option} @${field}.txt` : `--set ${name}=@${field}.txt`);
    } else if (name === 'latest' || name === 'all_history') {
      parts.push(`--${name.replace('_', '-')}`);
    } else if (name === 'tags') {
      parts.push(...Object.entries(value).map(([tag, text]) => `--tag ${shell(`${tag}=${text}`)}`));
    } else if (option && (listed || !Array.isArray(value))) {
      parts.push(`--${option} ${shell(String(value))}`);
    } else {
      parts.push(`--set ${shell(`${name}=${JSON.stringify(value)}`)}`);
    }
  }
  // Several files go into a folder.
  const several = request.split || request.num_of_files;
  parts.push(several ? '-o report' : `-o report.${{json: 'jsonl', parquet: 'parquet'}[request.response_format] ?? 'csv'}`);
  return parts.join(' \\\n  ');
}
