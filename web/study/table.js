// The table of runs. Only the cells in sight are elements; the rest is a height and a width to scroll through.

import {element} from '../element.js';
import {saveCsv} from '../save.js';
import {counted, runsCounted} from './columns.js';
import {letter, padding, TableHead, widthsOf} from './table_head.js';

const overscan = 6, margin = 150;  // rows and pixels beyond what is in sight that are made, too
const page = 15;  // rows that PageUp and PageDown move by

/** Long texts lose what stands before their ends: names of runs mostly begin alike. */
function shortened(text, letters) {
  if (text.length <= letters) return text;
  const end = Math.floor((letters * 2) / 3);
  return `${text.slice(0, letters - end - 1)}…${text.slice(-end)}`;
}

export class RunTable {
  constructor(owner) {
    this.page = owner;
    this.active = 0;
    this.rowHeight = window.matchMedia('(pointer: coarse)').matches ? 44 : 27;
    this.head = new TableHead(owner);
    this.body = element('div', {class: 'body', role: 'rowgroup'});
    this.grid = element('div', {class: 'grid', role: 'grid', tabindex: 0, 'aria-label': 'Runs', keydown: (event) => this.press(event),
      scroll: () => this.later()}, this.head.element, this.body);
    this.note = element('p', {class: 'note', 'aria-live': 'polite'});
    this.element = element('figure', {id: 'table'}, element('h2', {}, 'Runs'),
      element('p', {class: 'help'}, 'A click on a heading sorts by it; with Shift it sorts runs that are equal so far. Filters of numbers are ' +
        'such as 5 ms .. 8 ms, > 3 or 8. A name that is a link opens the page of that run; a click on a row shows all that is known of it.'),
      this.columnChoice(), this.head.panel, this.grid, this.note,
      element('figcaption', {}, element('span', {}),
        element('span', {class: 'save'}, 'Save ', element('button', {type: 'button', click: () => this.saveRows()}, 'CSV'))));
    this.isNear = false;
    new IntersectionObserver((seen) => {
      this.isNear = seen.at(-1).isIntersecting;
      if (this.isNear) this.render();
    }, {rootMargin: '300px'}).observe(this.grid);
  }

  columnChoice() {
    const {study} = this.page;
    this.boxes = new Map([...study.columns.keys()].map((name) => [name, element('input', {type: 'checkbox', change: () => this.toggle(name)})]));
    return element('details', {class: 'pick'}, element('summary', {}, 'Columns'), element('div', {class: 'boxes'},
      ...[...study.columns.values()].map(({name, title, meaning}) => element('label', {title: meaning}, this.boxes.get(name), ` ${title}`))));
  }

  toggle(name) {
    const {state} = this.page;
    const columns = state.column.includes(name) ? state.column.filter((one) => one !== name) : [...state.column, name];
    if (columns.length > 0) state.column = columns;
    this.build();
    this.page.save();
  }

  /** Makes the columns anew. */
  build() {
    const {study, state} = this.page;
    for (const [name, box] of this.boxes) box.checked = state.column.includes(name);
    this.columns = state.column.map((name) => study.column(name));
    this.widths = widthsOf(this.columns, study.rows);
    this.lefts = this.widths.map((_, i) => this.widths.slice(0, i).reduce((sum, width) => sum + width, 0));
    this.grid.style.setProperty('--columns', this.widths.map((width) => `${width}px`).join(' '));
    this.body.style.width = `${this.widths.reduce((sum, width) => sum + width, 0)}px`;
    this.grid.style.setProperty('--row', `${this.rowHeight}px`);
    this.grid.setAttribute('aria-colcount', this.columns.length);
    this.head.build(this.columns);
    this.update();
  }

  /** Shows the rows that pass now, in their order. */
  update() {
    const {rows, study, selection} = this.page;
    this.head.update();
    this.active = Math.min(this.active, Math.max(0, rows.length - 1));
    this.body.style.height = `${rows.length * this.rowHeight}px`;
    this.grid.setAttribute('aria-rowcount', rows.length + 1);
    const failed = rows.reduce((sum, row) => sum + study.failed[row], 0);
    const all = selection.isWhole ? '' : `${counted(rows.length)} of `, failures = failed > 0 ? `, of which ${counted(failed)} failed` : '';
    this.note.textContent = `${all}${runsCounted(selection.isWhole ? rows.length : study.rows)}${failures}.`;
    this.render();
  }

  later() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.render();
    });
  }

  /** Makes the cells in sight; nothing while the table is far from it. */
  render() {
    if (!this.isNear) return;
    const {rows} = this.page, {rowHeight} = this;
    const from = this.grid.scrollLeft - margin, to = this.grid.scrollLeft + this.grid.clientWidth + margin;
    this.inSight = [...this.columns.keys()].filter((i) => this.lefts[i] < to && this.lefts[i] + this.widths[i] > from);
    const first = Math.max(0, Math.floor(this.grid.scrollTop / rowHeight) - overscan);
    const count = Math.min(rows.length - first, Math.ceil(this.grid.clientHeight / rowHeight) + 2 * overscan);
    this.body.replaceChildren(...Array.from({length: Math.max(0, count)}, (_, i) => this.row(first + i)));
    this.grid.setAttribute('aria-activedescendant', `row-${this.active}`);
  }

  row(place) {
    const {study, rows, state} = this.page, at = rows[place];
    const classes = ['row', study.failed[at] ? 'failed' : '', place === this.active ? 'active' : '', state.run === study.runName(at) ? 'chosen' : ''];
    const about = {class: classes.filter(Boolean).join(' '), role: 'row', id: `row-${place}`, 'aria-rowindex': place + 2};
    const made = element('div', {...about, click: () => this.choose(place)},
      ...this.inSight.map((column) => this.cell(column, at)));
    made.style.top = `${place * this.rowHeight}px`;
    return made;
  }

  cell(i, row) {
    const column = this.columns[i], text = column.text(row);
    const page = ['run', 'page'].includes(column.name) ? this.page.study.pageOf(row) : null;
    const isNumber = !column.words || column.quantities();
    const shown = shortened(text, Math.floor((this.widths[i] - padding) / letter));
    const about = {class: isNumber ? 'cell number' : 'cell', role: 'gridcell', 'aria-colindex': i + 1};
    const made = element('div', {...about, title: shown === text ? null : text},
      page && text ? element('a', {href: page, tabindex: -1, click: (event) => event.stopPropagation()}, shown) : shown || '–');
    made.style.cssText = `left: ${this.lefts[i]}px; width: ${this.widths[i]}px`;
    return made;
  }

  choose(place) {
    this.active = place;
    this.page.choose(this.page.rows[place]);
    this.render();
  }

  press(event) {
    if (event.target !== this.grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.page.rows.length - 1;
    const moves = {ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page, Home: 0, End: last};
    if (event.key === 'Enter' && last >= 0) return this.page.open(this.page.rows[this.active]);
    if (moves[event.key] === undefined) return undefined;
    event.preventDefault();
    this.active = Math.max(0, Math.min(last, moves[event.key]));
    this.scrollTo(this.active);
    return this.render();
  }

  /** Scrolls as far as it takes to see a row below the heading. */
  scrollTo(place) {
    const top = place * this.rowHeight, room = this.grid.clientHeight - this.head.element.offsetHeight - 16;
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    else if (top + this.rowHeight > this.grid.scrollTop + room) this.grid.scrollTop = top + this.rowHeight - room;
  }

  /** Saves all columns of the rows that pass, with all digits. */
  saveRows() {
    const columns = [...this.page.study.columns.values()];
    const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [columns.map(({name}) => quoted(name)).join(',')];
    for (const row of this.page.rows) lines.push(columns.map((column) => quoted(column.exact(row))).join(','));
    saveCsv('runs', `${lines.join('\n')}\n`);
  }
}
