import {api} from './lib/api.js';
import {Account} from './lib/account.js';
import {feed} from './lib/feed.js';
import {show} from './lib/shell.js';
import {bone, html, nothing, toast} from './lib/view.js';
import {Overview} from './pages/overview.js';

const STATES = {live: ['good', 'Live'], polling: ['mild', 'Polling'], stopped: ['mild', 'Paused']};
const account = new Account(() => shown.update());

const shown = show({
  // The other pages are loaded when they are first opened.
  routes: [
    [/^\/?$/, () => Overview],
    [/^\/new$/, async () => (await import('./pages/new-report.js')).NewReport],
    [/^\/reports$/, async () => (await import('./pages/reports.js')).Reports],
    [/^\/reports\/([0-9a-f-]{8,35})$/, async () => (await import('./pages/reports.js')).Reports],
    [/^\/reports\/([0-9a-f-]{36})$/, async () => (await import('./pages/report.js')).Report],
    [/^\/credits$/, async () => (await import('./pages/credits.js')).Credits],
    [/^\/credits\/(20\d\d-\d\d)$/, async () => (await import('./pages/statement.js')).Statement],
    [/^\/webhooks$/, async () => (await import('./pages/webhooks.js')).Webhooks],
    [/^\/webhooks\/([\w.-]+)$/, async () => (await import('./pages/delivery.js')).Delivery],
    [/^\/keys$/, async () => (await import('./pages/keys.js')).Keys],
  ],
  links: [['', 'Overview'], ['new', 'New report'], ['reports', 'Reports'], ['credits', 'Credits'], ['webhooks', 'Webhooks'], ['keys', 'Keys']],
  more: [['/docs/calls', 'API reference'], ['/docs/requests', 'Documentation'], ['/docs/topics', 'Kafka topics']],
  key: {
    name: 'Batch key',
    help: 'No key? The operator of this service can give you one.',
    another: 'It may have been revoked or have expired. Enter another key of the account;',
  },
  state: () => STATES[feed.state] ?? ['mild', 'Connecting'],
  who: () => {
    const {value, error} = account.own;
    return value
      ? html`<strong title=${value.account.id}>${value.account.name}</strong><small title=${account.key?.label ?? nothing}>${account.opens}</small>`
      : error ? nothing : html`<strong>${bone('70%')}</strong><small>${bone('50%')}</small>`;
  },
  begin: () => {
    feed.start();
    return account.load();
  },
  end: () => feed.stop(),
  ofPages: {account},
});

feed.addEventListener('state', () => shown.update());
feed.addEventListener('message', (event) => {
  shown.page()?.event?.(event.detail);
  if (event.detail.type === 'balance_low') {
    toast('Less than 10 % of the credits are left.', 'bad');
  } else if (event.detail.type === 'data_version_available') {
    const {dataset, version, change} = event.detail.data;
    toast(change === 'restored' ? `${dataset} is back at the data of ${version}.` : `New data: ${dataset}, version ${version}.`);
  }
});
feed.addEventListener('missed', () => shown.page()?.missed?.());
