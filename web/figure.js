// A chart on the page: its heading and help, choices, the picture, the rows behind it, and buttons that save them.

import {csvOf, listed} from './csv.js';
import {choice, element} from './element.js';
import {saveCsv, savers} from './save.js';
import {dataOf} from './sources.js';
import {tooltipFor} from './tooltip.js';
import {digits} from './units.js';
import {specification, viewOf} from './views.js';

const quantities = require('./quantities.json');  // what columns are called

const mostDrawnAsVectors = 3000, mostPrintedAsVectors = 40000;
const mostListed = 200;

const paperWidth = 720;  // in pixels: what a sheet of A4 or letter has between its margins, less a little
const leastWidth = 240;
const paperRows = {heat: {step: 10, rowLetters: 9}, pairs: {step: 20}, timeline: {step: 11, rowLetters: 9}};  // forms of many rows, which a sheet has to hold

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
let printing = false;
let number = 0;

/** Paper is light and has a width of its own, whatever the screen is. */
export function setPrinting(now) {
  printing = now;
}

export function isPrinting() {
  return printing;
}

export class Figure {
  /** `state.run` is the run that the reader has chosen. */
  constructor(chart, tables, state) {
    this.chart = chart;
    this.tables = tables;
    this.state = state;
    this.chosen = {};
    this.drawn = false;
    const title = `figure-${++number}-title`;
    this.place = element('div', {class: 'view', role: 'group', 'aria-label': `${chart.title}. ${chart.help}`});
    this.controls = element('div', {class: 'controls'});
    this.note = element('p', {class: 'note'});
    this.element = element('figure', {'data-form': chart.form, 'aria-labelledby': title},
      element('h3', {id: title}, chart.title), element('p', {class: 'help'}, chart.help),
      this.controls, this.place, this.note, this.footer());
  }

  /** Finds what there is to show, which may be nothing. */
  update() {
    const {shared} = this.chart;
    this.data = dataOf(this.chart, this.tables, this.state.run, (shared && this.state.shared?.[shared]) ?? this.chosen);
    this.element.hidden = !this.data;
    if (this.data && this.drawn) this.draw();
  }

  draw() {
    this.drawn = true;
    this.view?.finalize();
    this.controls.replaceChildren(...this.makeControls());
    this.note.textContent = this.noteText();
    this.view = this.makeView(prefersDark.matches && !printing, {container: this.place, renderer: this.renderer()});
    this.view.tooltip(tooltipFor((row) => this.describe(row)));
    this.show();
  }

  show() {
    this.run(this.view);
  }

  /** Draws a view: on paper at once, as printing does not wait. */
  run(view) {
    if (printing) view.run();
    else view.runAsync();
  }

  /** Pictures on paper are vectors, so that they are sharp, unless they have very many marks. */
  renderer() {
    return this.marks() > (printing ? mostPrintedAsVectors : mostDrawnAsVectors) ? 'canvas' : 'svg';
  }

  marks() {
    return this.data.rows.length;
  }

  width() {
    return printing ? paperWidth : Math.max(leastWidth, this.place.clientWidth);
  }

  makeView(dark, options, width = this.width()) {
    const chart = {...this.chart, titles: this.titles()};
    const signals = {...this.data.signals, ...(printing ? paperRows[chart.form] : {})};
    return viewOf(specification(chart, this.data, dark, signals, width), dark, options).width(width);
  }

  /** What axes are called: as the chart says, or after the columns that were chosen. */
  titles() {
    const chosen = Object.entries(this.data.titles ?? {}).map(([role, column]) => [role, quantities[column] ?? column]);
    return {...this.chart.titles, ...Object.fromEntries(chosen)};
  }

  makeControls() {
    const {choices = {}, chosen = {}} = this.data;
    const offered = Object.entries(choices).filter(([, options]) => options.length > 1);
    return offered.map(([role, options]) => {
      const choose = (option) => {
        this.chosen = {...chosen, [role]: option};
        if (this.chart.shared) this.state.share(this.chart.shared, this.chosen);
        else this.update();
      };
      return choice(this.chart.labels?.[role] ?? (role === 'value' ? 'Quantity' : `${role} axis`), options, chosen[role], choose, quantities);
    });
  }

  /** Says what is left out. */
  noteText() {
    const {shown, total, note = ''} = this.data;
    if (!(shown < total)) return note;
    const {by, ascending} = this.chart.keep ?? {};
    const why = by ? `, those with the ${ascending ? 'smallest' : 'largest'} ${quantities[by] ?? by}` : '';
    return `${digits(shown)} of ${digits(total)} are shown${why}.`;
  }

  /** Returns what a mark stands for as [label, text] pairs. */
  describe(row) {
    const {columns = {}, form} = this.chart;
    const titles = this.titles();
    const textOf = (role) => {
      const value = role === 'category' ? row.key ?? row.category : row[role];  // a category may stand for a longer key
      return typeof value === 'number' ? `${digits(value)} ${this.data.units[role] ?? ''}`.trim() : value;
    };
    const roles = ['run', 'category', 'to', 'x', 'y', 'start'].filter((role) => row[role] !== undefined && row[role] !== null);
    const lines = roles.map((role) => [titles[role] ?? columns[role] ?? role, textOf(role)]);
    if (form === 'points') return [['', row.part], ...lines, [titles.value, textOf('value')]];
    return [...lines, [this.data.parts.length > 1 ? row.part : titles.value ?? row.part, textOf('value')]];
  }

  footer() {
    const {title} = this.chart;
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const button = (text, click) => element('button', {type: 'button', click}, text);
    const image = (kind) => button(kind, () => savers[kind](name, () => this.imageView()));
    const csv = button('CSV', () => saveCsv(name, csvOf(this.sourceTables(), this.runInScope())));
    const list = element('div', {class: 'rows', tabindex: 0});
    return element('figcaption', {},
      element('details', {toggle: () => list.replaceChildren(this.listOfRows())}, element('summary', {}, 'Rows'), list),
      element('span', {class: 'save', role: 'group', 'aria-label': `Save ${title}`}, 'Save ', image('SVG'), image('PNG'), csv));
  }

  /** A view in light colours, for paper, of what the page shows. */
  imageView() {
    return this.makeView(false, {renderer: 'none'}, this.view.width()).background('white');
  }

  runInScope() {
    return this.chart.scope === 'run' ? this.state.run : undefined;
  }

  sourceTables() {
    return this.tables.of(this.chart.table, this.runInScope());
  }

  listOfRows() {
    const {names, rows, total} = listed(this.sourceTables(), this.runInScope(), mostListed);
    const line = (tag, cells, more = {}) => element('tr', {}, ...cells.map((cell) => element(tag, more, cell)));
    return element('table', {},
      total > mostListed ? element('caption', {}, `The first ${mostListed} of ${digits(total)} rows; the CSV file has all.`) : null,
      element('thead', {}, line('th', names, {scope: 'col'})),
      element('tbody', {}, ...rows.map((row) => line('td', row))));
  }
}
