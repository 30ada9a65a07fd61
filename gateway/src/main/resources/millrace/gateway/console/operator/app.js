import {api} from '../lib/api.js';
import {Poll} from '../lib/resource.js';
import {show} from '../lib/shell.js';
import {Status} from './status.js';

const AGAIN = 4_000;
let watch = null;

show({
  // The other pages are loaded when they are first opened.
  routes: [
    [/^\/?$/, () => Status],
    [/^\/accounts$/, async () => (await import('./accounts.js')).Accounts],
    [/^\/accounts\/([\w-]{1,64})$/, async () => (await import('./account.js')).Account],
    [/^\/reports$/, async () => (await import('./reports.js')).Reports],
    [/^\/reports\/([0-9a-f-]{8,35})$/, async () => (await import('./reports.js')).Reports],
    [/^\/reports\/([0-9a-f-]{36})$/, async () => (await import('./report.js')).Report],
    [/^\/usage$/, async () => (await import('./usage.js')).Usage],
    [/^\/data$/, async () => (await import('./data.js')).Data],
  ],
  links: [['', 'Status'], ['accounts', 'Accounts'], ['reports', 'Reports'], ['usage', 'Usage'], ['data', 'Data']],
  more: [['/handbook/operation', 'Handbook'], ['/openapi.yaml', 'Admin API']],
  key: {
    name: 'Admin key',
    help: 'It is in the file that gateway.admin.keys names: data/admin-keys with ./millrace.',
    another: 'It may have been taken out of the file of admin keys. Enter another one:',
  },
  state: () => ['good', 'Connected'],
  begin: () => {
    // A page that asks for nothing by itself would not notice that the gateway is back.
    watch ??= new Poll(AGAIN, () => (api.reachable ? null : api.get('/admin/v1/services').catch(() => null)));
  },
  end: () => {
    watch?.stop();
    watch = null;
  },
});
