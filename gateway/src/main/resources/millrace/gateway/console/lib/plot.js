// Plots as SVG: stacked bars per day, and lines over time. Each has axes with units, a legend, and its figures as a table.

import {html, nothing, render, svg} from '../lit-html/lit-html.js';
import {compact, figure, longDay, day as dayName} from './format.js';

const MARGIN = {top: 22, right: 10, bottom: 24, left: 44};
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '5 5', '1 4'];
const MARKS = [
  (x, y) => svg`<circle cx=${x} cy=${y} r="3.2"/>`,
  (x, y) => svg`<rect x=${x - 3} y=${y - 3} width="6" height="6"/>`,
  (x, y) => svg`<path d="M${x} ${y - 4}l4 7h-8z"/>`,
  (x, y) => svg`<path d="M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z"/>`,
  (x, y) => svg`<path d="M${x} ${y + 4}l4 -7h-8z"/>`,
  (x, y) => svg`<path d="M${x - 4} ${y - 1.3}h8v2.6h-8zM${x - 1.3} ${y - 4}h2.6v8h-2.6z"/>`,
];
/** More points than this are a line without marks. */
const MOST_MARKS = 60;

/** Round numbers from 0, or from below the smallest, to above the largest. */
export function ticks(low, high, wanted) {
  if (!(high > low)) {
    high = low + (Math.abs(low) || 1);
  }
  const rough = (high - low) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((s) => s * power).find((s) => s >= rough * 0.999);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({length: last - first + 1}, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/**
 * The property `plot`:
 *
 * - kind: `bars` (stacked) or `lines`, or `steps` (a value holds until the next)
 * - label: what it shows, one sentence for screen readers
 * - unit: of the figures
 * - xs: for bars days (2026-11-20), else milliseconds
 * - x: writes one of xs; by default a day
 * - series: [{name, colour: 1 to 6, values: one per x, null where there is none}]
 * - height: in pixels, 220 by default
 */
class Plot extends HTMLElement {
  #plot = null;
  #width = 0;
  #at = null;
  #table = false;
  #observer = new ResizeObserver((entries) => this.#resized(entries[0].contentRect.width));

  set plot(plot) {
    if (plot !== this.#plot) {
      this.#plot = plot;
      this.#at = null;
      this.#draw();
    }
  }

  connectedCallback() {
    this.#width = this.clientWidth;
    this.#observer.observe(this);
    this.#draw();
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  #resized(width) {
    if (Math.abs(width - this.#width) >= 1) {
      this.#width = width;
      this.#draw();
    }
  }

  #draw() {
    if (this.#plot && this.isConnected && this.#width > 0) {
      render(this.#view(), this);
    }
  }

  #view() {
    const {kind, label, unit, xs, series, height = 220, x: name = dayName} = this.#plot;
    const inner = {width: this.#width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom};
    const bars = kind === 'bars';
    const totals = bars
      ? xs.map((_, i) => series.reduce((sum, s) => sum + (s.values[i] ?? 0), 0))
      : series.flatMap((s) => s.values).filter((v) => v !== null && v !== undefined);
    const low = bars ? 0 : Math.min(...totals);
    const high = Math.max(...totals, bars ? 1 : -Infinity);
    // A line whose figures are far from 0 would be flat if its axis began there.
    const marks = totals.length ? ticks(bars || low <= (high - low) * 2 ? Math.min(0, low) : low, high, 4) : [0, 1];
    const bottom = marks[0];
    const span = marks.at(-1) - bottom || 1;
    const y = (value) => MARGIN.top + inner.height * (1 - (value - bottom) / span);
    const first = bars ? 0 : xs[0];
    const reach = bars ? xs.length : (xs.at(-1) - xs[0]) || 1;
    const x = (i) => MARGIN.left + inner.width * (bars ? (i + 0.5) / reach : xs.length === 1 ? 0.5 : (xs[i] - first) / reach);
    const labels = this.#labels(xs, inner.width, name);
    const geometry = {xs, series, x, y, inner, bars, bottom};
    return html`<figure class="plot">
      <div class="plot-area" @pointermove=${(e) => this.#point(e, geometry)} @pointerleave=${() => this.#leave()}>
        <svg width=${this.#width} height=${height} role="img" aria-label="${label} A button beside it shows its figures as a table.">
          <text x="0" y="10">${unit}</text>
          ${marks.map((m) => svg`<line class="grid" x1=${MARGIN.left} x2=${this.#width - MARGIN.right} y1=${y(m)} y2=${y(m)}/>
            <text x=${MARGIN.left - 8} y=${y(m) + 4} text-anchor="end">${span < 10 ? figure(m) : compact(m)}</text>`)}
          ${labels.map((i) => svg`<text x=${x(i)} y=${height - 6} text-anchor=${this.#anchor(x(i), name(xs[i]))}>${name(xs[i])}</text>`)}
          ${this.#at === null ? nothing
            : svg`<line class="cursor" x1=${x(this.#at)} x2=${x(this.#at)} y1=${MARGIN.top} y2=${MARGIN.top + inner.height}/>`}
          ${bars ? this.#bars(geometry) : this.#lines(geometry, kind)}
        </svg>
        <button type="button" class="quiet as-table" aria-expanded=${this.#table ? 'true' : 'false'} aria-label="${this.#table ? 'Hide' : 'Show'} the figures of ${unit} as a table"
          @click=${() => this.#toggle()}>${this.#table ? 'Hide table' : 'Table'}</button>
        ${this.#at === null ? nothing : this.#tip(geometry, name)}
      </div>
      <figcaption class="legend">
        ${series.map((s, i) => html`<span title=${s.name}><span class="swatch d${s.colour} ${bars ? '' : `m${i % 6}`}" aria-hidden="true"></span>${s.name}</span>`)}
      </figcaption>
      ${this.#table ? this.#figures() : nothing}
    </figure>`;
  }

  /** So that no label leaves the plot. */
  #anchor(x, text) {
    const half = text.length * 3.1;
    return x < half ? 'start' : x > this.#width - half ? 'end' : 'middle';
  }

  /** Indexes of the x values that are written, so that no two touch. */
  #labels(xs, width, name) {
    const room = Math.max(...[0, xs.length - 1].map((i) => (xs.length ? name(xs[i]).length : 0))) * 6.4 + 18;
    const most = Math.max(1, Math.floor(width / room));
    const step = [1, 2, 3, 4, 7, 14, 28, 56].find((s) => xs.length / s <= most) ?? Math.ceil(xs.length / most);
    const indexes = [];
    for (let i = xs.length - 1; i >= 0; i -= step) {
      indexes.unshift(i);
    }
    // Times are not evenly apart: what would touch its neighbour is left out.
    const first = xs[0];
    const reach = xs.at(-1) - first;
    if (this.#plot.kind === 'bars' || !reach) {
      return indexes;
    }
    // The last one ends at the edge, so that half of it lies more to the left.
    let next = Infinity;
    return indexes.toReversed().filter((i) => {
      const at = (width * (xs[i] - first)) / reach;
      const fits = next - at >= room;
      next = !fits ? next : next === Infinity ? at - room / 2 : at;
      return fits;
    });
  }

  #bars({xs, series, x, y, inner}) {
    const width = Math.max(1, Math.min(36, (inner.width / xs.length) * 0.7));
    return xs.map((_, i) => {
      let below = 0;
      return series.map((s) => {
        const value = s.values[i] ?? 0;
        const from = below;
        below += value;
        // One pixel apart, so that neighbours are told apart without their colours.
        const height = Math.max(0, y(from) - y(below) - (from > 0 ? 1 : 0));
        return value > 0
          ? svg`<rect class="d${s.colour}" x=${x(i) - width / 2} y=${y(below)} width=${width} height=${Math.max(height, 0.5)}/>`
          : nothing;
      });
    });
  }

  #lines({xs, series, x, y}, kind) {
    return series.map((s, n) => {
      let path = '';
      let broken = true;
      let before = 0;
      s.values.forEach((value, i) => {
        if (value === null || value === undefined) {
          broken = true;
          return;
        }
        const to = `${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
        path += broken ? `M${to}` : kind === 'steps' ? `L${x(i).toFixed(1)} ${y(before).toFixed(1)}L${to}` : `L${to}`;
        before = value;
        broken = false;
      });
      const marked = kind === 'lines' && xs.length <= MOST_MARKS;
      return svg`<g class="d${s.colour}">
        <path class="line" d=${path} stroke-dasharray=${DASHES[n % 6]}/>
        ${marked ? s.values.map((v, i) => (v === null || v === undefined ? nothing : MARKS[n % 6](x(i), y(v)))) : nothing}
      </g>`;
    });
  }

  #point(event, {xs, x}) {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    let nearest = 0;
    xs.forEach((_, i) => {
      nearest = Math.abs(x(i) - at) < Math.abs(x(nearest) - at) ? i : nearest;
    });
    if (nearest !== this.#at) {
      this.#at = nearest;
      this.#draw();
    }
  }

  #leave() {
    this.#at = null;
    this.#draw();
  }

  #tip({xs, series, x, bars}, name) {
    const i = this.#at;
    const values = series.filter((s) => s.values[i] !== null && s.values[i] !== undefined && (!bars || s.values[i] > 0));
    const left = x(i) > this.#width / 2;
    const style = left ? `right:${this.#width - x(i) + 12}px` : `left:${x(i) + 12}px`;
    return html`<div class="tip" .style=${style} aria-hidden="true">
      <strong>${name(xs[i])}</strong>
      ${values.toReversed().map((s) => html`<div><span class="swatch d${s.colour}"></span>${s.name}<b>${figure(s.values[i])}</b></div>`)}
      ${values.length ? nothing : html`<div>nothing</div>`}
    </div>`;
  }

  #toggle() {
    this.#table = !this.#table;
    this.#draw();
  }

  #figures() {
    const {xs, series, unit, x = longDay} = this.#plot;
    return html`<div class="scroll plot-table" tabindex="0" role="region" aria-label="Figures of the plot"><table>
      <thead><tr><th scope="col">${unit}</th>${series.map((s) => html`<th scope="col" class="n">${s.name}</th>`)}</tr></thead>
      <tbody>${xs.map((at, i) => html`<tr><th scope="row">${x(at)}</th>
        ${series.map((s) => html`<td class="n">${figure(s.values[i])}</td>`)}</tr>`)}</tbody>
    </table></div>`;
  }
}

customElements.define('m-plot', Plot);
