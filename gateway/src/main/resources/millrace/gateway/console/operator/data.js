import {api} from '../lib/api.js';
import {formDialog, reasonField, reasonOf} from '../lib/dialog.js';
import {datasetName, longDay, plural, time, whole} from '../lib/format.js';
import {Resource} from '../lib/resource.js';
import {card, empty, html, loaded, pill, skeletonRows, toast} from '../lib/view.js';

/** Datasets, which version new reports read, and the way back to another one. */
export class Data {
  title = 'Data';
  #app;
  #datasets;

  constructor(app) {
    this.#app = app;
    this.#datasets = new Resource((signal) => api.get('/admin/v1/datasets', {signal}), () => app.update());
    this.#datasets.reload();
  }

  leave() {
    this.#datasets.stop();
  }

  missed() {
    this.#datasets.reload();
  }

  async #switch(dataset, version) {
    const done = await formDialog({
      title: `Make ${version} current?`,
      text: `New reports of ${datasetName(dataset.dataset)} read version ${version} then, and not ${dataset.version}. Open ones go on with theirs.`,
      action: 'Make it current',
      danger: true,
      body: reasonField,
      submit: (fields) => api.put(`/admin/v1/datasets/${dataset.dataset}/version`, {version, from: dataset.version, ...reasonOf(fields)}),
    });
    if (done) {
      toast(`New reports of ${datasetName(dataset.dataset)} read version ${version}.`);
    }
    this.#datasets.reload();
  }

  actions() {
    return html`<button @click=${() => this.#datasets.reload()}>Look again</button>`;
  }

  view() {
    return loaded(this.#datasets, ({datasets}) => datasets.map((d) => this.#dataset(d)), html`
      <div class="card">${skeletonRows(12, 4)}</div>`);
  }

  #dataset(dataset) {
    const note = dataset.version
      ? dataset.row_count === undefined ? 'being counted'
        : `${plural(dataset.row_count, 'row')}, ${whole(dataset.entity_count)} names`
      : 'no data';
    return card({title: datasetName(dataset.dataset), id: `data-${dataset.dataset}`, note, body: this.#versions(dataset)});
  }

  #versions(dataset) {
    if (!dataset.version) {
      return empty('No data', html`No processor has told of data of this dataset. Load some: <code>millrace import ${dataset.dataset} file.csv</code>`);
    }
    const periods = Object.entries(dataset.periods ?? {});
    return html`
      ${periods.length ? html`<p class="soft lead">${periods.map(([granularity, {first, last}]) => `${granularity}: ${longDay(first)} – ${longDay(last)}`).join(' · ')}</p>` : ''}
      ${dataset.switchable ? html`<table class="fixed">
        <colgroup><col><col class="c-time hide-s"><col class="c-state"><col class="c-actions"></colgroup>
        <thead><tr><th scope="col">Version</th><th scope="col" class="hide-s">Finished</th><th scope="col">State</th><th scope="col" class="n">Actions</th></tr></thead>
        <tbody>${dataset.versions.map((v) => html`<tr>
          <td title=${v.version}>${v.version}</td><td class="hide-s">${time(v.updated_at)}</td>
          <td>${v.current ? pill('good', 'current') : pill('mild', 'kept')}</td>
          <td><div class="rows-actions">${v.current ? html`<span class="faint">–</span>`
            : html`<button class="quiet" aria-label="Make ${v.version} of ${datasetName(dataset.dataset)} current" @click=${() => this.#switch(dataset, v.version)}>Make current</button>`}</div></td></tr>`)}</tbody>
      </table>` : html`<p>Version <strong>${dataset.version}</strong> is current. The warehouse itself says so, in its table <code>millrace_versions</code>: switch there.</p>`}`;
  }
}
