// A chart on the page: its heading and help, choices, the picture, the rows behind it, and buttons that save them.

import {csvOf} from './csv.js';
import {choice, element} from './element.js';
import {saveCsv, savers} from './save.js';
import {dataOf} from './sources.js';
import {tooltipFor} from './tooltip.js';
import {digits, fittingUnit, readable, unitOf} from './units.js';
import {specification, viewOf} from './views.js';
import {zoomControls} from './zoom.js';

const quantities = require('./quantities.json');  // what columns are called

const mostDrawnAsVectors = 3000;
const mostListed = 200;

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
let printing = false;
let number = 0;

/** Paper is light, whatever the screen is. */
export function setPrinting(now) {
  printing = now;
}

export class Figure {
  /** `state.run` is the run that the reader has chosen. */
  constructor(chart, tables, state) {
    this.chart = chart;
    this.tables = tables;
    this.state = state;
    this.chosen = {};
    this.id = `figure-${++number}`;
    this.place = element('div', {class: 'view', role: 'group', 'aria-label': `${chart.title}. ${chart.help}`});
    this.controls = element('div', {class: 'controls'});
    this.note = element('p', {class: 'note'});
    this.element = element('figure', {id: this.id, class: 'chart', 'data-form': chart.form, 'aria-labelledby': `${this.id}-title`},
      element('h3', {id: `${this.id}-title`}, chart.title), element('p', {class: 'help'}, chart.help),
      this.controls, this.place, this.note, this.footer());
    this.drawn = false;
  }

  /** Finds what there is to show; returns whether that is anything. */
  update() {
    this.data = dataOf(this.chart, this.tables, this.state.run, this.chosen);
    this.span = undefined;  // other intervals are shown whole
    this.element.hidden = !this.data;
    if (this.data && this.drawn) this.draw();
    return Boolean(this.data);
  }

  /** The chart with the titles that a choice brings along. */
  completeChart() {
    const chosen = Object.entries(this.data.titles ?? {}).map(([role, column]) => [role, quantities[column] ?? column]);
    return {...this.chart, titles: {...this.chart.titles, ...Object.fromEntries(chosen)}};
  }

  makeView(data, dark, more, options) {
    return viewOf(specification(this.completeChart(), data, dark, {...this.data.signals, ...more}), dark, options);
  }

  draw() {
    this.drawn = true;
    this.view?.finalize();
    this.showChoices();
    const {shown, total, intervals} = this.data;
    this.note.textContent = shown < total ? `${digits(shown)} of ${digits(total)} are shown${this.reasonOf()}.` : '';
    const width = Math.max(300, this.place.clientWidth);
    const more = intervals ? {titles: {start: `time, ${this.timeUnit(intervals.whole)}`}} : {};
    this.view = this.makeView(this.data, prefersDark.matches && !printing, more, {
      container: this.place, renderer: this.data.rows.length > mostDrawnAsVectors || intervals ? 'canvas' : 'svg',
    });
    this.view.tooltip(tooltipFor((row) => this.describe(row))).width(width);
    if (intervals) this.showSpan(this.span ?? intervals.whole);
    else this.view.runAsync();
  }

  reasonOf() {
    const {by, ascending} = this.chart.keep ?? {};
    return by ? `, those with the ${ascending ? 'smallest' : 'largest'} ${quantities[by] ?? by}` : '';
  }

  timeUnit([from, to]) {
    return fittingUnit(unitOf(this.chart.columns.start), to - from).name;
  }

  /** Shows the part of a timeline between two times. */
  showSpan(span) {
    const {intervals} = this.data;
    this.span = span;
    const {name, factor} = fittingUnit(unitOf(this.chart.columns.start), span[1] - span[0]);
    const rows = intervals.drawn(span, this.view.width()).map((row) => ({...row, start: row.start / factor, end: row.end / factor}));
    this.view.signal('span', span.map((time) => time / factor)).signal('titles', {start: `time, ${name}`});
    this.view.data('table', rows).runAsync();
    this.factor = factor;
    this.element.dataset.span = span.join(' ');
  }

  showChoices() {
    const {choices = {}, chosen = {}, intervals} = this.data;
    this.controls.replaceChildren(...Object.entries(choices).filter(([, options]) => options.length > 1).map(([role, options]) =>
      choice(role === 'value' ? 'Quantity' : `${role} axis`, options, chosen[role], (option) => {
        this.chosen = {...chosen, [role]: option};
        this.update();
      }, quantities)));
    if (!intervals) return;
    const plot = () => ({left: this.view.origin()[0], width: this.view.width()});
    this.controls.append(zoomControls(this.place, intervals.whole, () => this.span, (span) => this.showSpan(span), plot));
  }

  /** Returns what a mark stands for as [label, text] pairs. */
  describe(row) {
    const {titles = {}, columns = {}} = this.completeChart();
    if (this.data.intervals) return this.describeInterval(row);
    const withUnit = (role) => (typeof row[role] === 'number' ? `${digits(row[role])} ${this.data.units[role] ?? ''}`.trim() : row[role]);
    const roles = ['run', 'category', 'x', 'y', 'start'].filter((role) => row[role] !== undefined && row[role] !== null);
    const lines = roles.map((role) => [titles[role] ?? columns[role] ?? role, withUnit(role)]);
    const label = this.data.parts.length > 1 && this.chart.form !== 'points' ? row.part : titles.value ?? row.part;
    if (this.chart.form === 'points') lines.unshift(['', row.part]);
    return [...lines, [label, withUnit('value')]];
  }

  describeInterval(row) {
    const unit = unitOf(this.chart.columns.start);
    const {table} = this.data.intervals;
    const lines = [['', row.lane], ['', row.part]];
    if (row.row === undefined) lines.push(['busy', readable(Math.min(1, row.busy), 'share')]);
    for (const column of row.row === undefined ? [] : this.chart.details)
      lines.push([column.replaceAll('_', ' '), readable(table.cell(column, row.row), unitOf(column))]);
    return [...lines, ['lasts', readable((row.end - row.start) * this.factor, unit)]];
  }

  footer() {
    const name = `${this.chart.title}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const image = (kind) => element('button', {type: 'button', click: () => savers[kind](name, () => this.imageView())}, kind);
    const list = element('div', {class: 'rows', tabindex: 0});
    return element('figcaption', {},
      element('details', {toggle: () => list.replaceChildren(this.listOf())}, element('summary', {}, 'Rows'), list),
      element('span', {class: 'save', role: 'group', 'aria-label': `Save ${this.chart.title}`}, 'Save ', image('SVG'), image('PNG'),
        element('button', {type: 'button', click: () => saveCsv(name, csvOf(this.sourceTables(), this.runInScope()))}, 'CSV')));
  }

  /** A view in light colours, for paper, of what the page shows. */
  imageView() {
    const view = this.makeView(this.data, false, {}, {renderer: 'none'}).background('white').width(this.view.width());
    if (!this.data.intervals) return view;
    return view.signal('span', this.view.signal('span')).signal('titles', this.view.signal('titles')).data('table', this.view.data('table').map(
      ({lane, start, end, part, busy}) => ({lane, start, end, part, busy})));
  }

  runInScope() {
    return this.chart.scope === 'run' ? this.state.run : undefined;
  }

  sourceTables() {
    return this.tables.of(this.chart.table, this.runInScope());
  }

  listOf() {
    const [table] = this.sourceTables();
    const rows = table.rowsOf(this.runInScope());
    const names = [...table.columns.keys()];
    const line = (row) => element('tr', {}, ...names.map((name) => element('td', {}, String(table.cell(name, row) ?? ''))));
    return element('table', {},
      rows.length > mostListed ? element('caption', {}, `The first ${mostListed} of ${digits(rows.length)} rows; the CSV file has all.`) : null,
      element('thead', {}, element('tr', {}, ...names.map((name) => element('th', {scope: 'col'}, name)))),
      element('tbody', {}, ...rows.slice(0, mostListed).map(line)));
  }
}
