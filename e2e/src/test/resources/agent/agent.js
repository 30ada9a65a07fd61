// An agent's session with the protocol's own client, which checks each result against the schema that its tool declares.
// Prints what came of each step, one JSON object a line.
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const address = new URL('/mcp', process.env.MILLRACE_URL);
const headers = {Authorization: `Bearer ${process.env.MILLRACE_KEY}`};
const client = new Client({name: 'agent', version: '1'});
await client.connect(new StreamableHTTPClientTransport(address, {requestInit: {headers}}));

const print = (step, value) => console.log(JSON.stringify({step, ...value}));

async function call(name, args) {
  const {isError, structuredContent, content} = await client.callTool({name, arguments: args});
  print(name, {isError, result: isError ? JSON.parse(content[0].text) : structuredContent});
  return structuredContent;
}

print('tools', {result: (await client.listTools()).tools.map(tool => tool.name)});
const {resources} = await client.listResources();
const guide = await client.readResource({uri: resources.find(({uri}) => uri.endsWith('/requests')).uri});
print('resources', {result: guide.contents[0].text});

const request = {
  dataset: 'demographics', domains: ['amber-bank.example'], countries: ['US'], metrics: ['demographics_share'],
  granularity: 'monthly', start_date: '2026-10', end_date: '2026-10',
};
await call('list_datasets', {});
await call('find_entities', {dataset: 'demographics', prefix: 'amber', limit: 2});
await call('request_report', request);
const {quote} = await call('quote_report', request);
const status = await call('request_report', {...request, quote: quote.token, wait: 60});
await call('report_status', {report_id: status.report_id});
await call('preview_report', {report_id: status.report_id, rows: 2});
await call('credits', {});
await call('cancel_report', {report_id: status.report_id});
await client.close();
