// The headings of the table of runs: each sorts by its column and has a filter.

import {element} from '../element.js';
import {counted} from './columns.js';
import {conditionIn, textOf} from './filter_text.js';

const fewWords = 60;  // a column of so few words is filtered by choosing among them
export const letter = 7.9, padding = 22;  // in pixels: a letter, and what stays free in a cell
const pause = 250;  // in ms, after which what has been typed counts
const measured = 300, narrow = 84, wide = 360;  // a number of rows, and pixels

/** Returns how wide columns are: so that titles, and the cells of some rows, have room. */
export function widthsOf(columns, rows) {
  const step = Math.max(1, Math.floor(rows / measured));
  return columns.map((column) => {
    let longest = column.title.length + 3;
    for (let row = 0; row < rows; row += step) longest = Math.max(longest, column.text(row).length);
    return Math.round(Math.max(narrow, Math.min(wide, longest * letter + padding)));
  });
}

export class TableHead {
  constructor(page) {
    this.page = page;
    this.panel = element('div', {class: 'panel', hidden: true, role: 'group'});
    this.element = element('div', {class: 'head', role: 'rowgroup'});
    this.cells = new Map();
  }

  build(columns) {
    this.cells = new Map(columns.map((column) => [column.name, this.cell(column)]));
    const cells = [...this.cells.values()].map(({element: one}) => one);
    this.element.replaceChildren(element('div', {class: 'row', role: 'row', 'aria-rowindex': 1}, ...cells));
  }

  cell(column) {
    const arrow = element('span', {class: 'arrow', 'aria-hidden': 'true'});
    const sort = element('button', {type: 'button', class: 'sort', title: `${column.name}${column.meaning ? `: ${column.meaning}` : ''}`,
      click: (event) => this.page.sortBy(column.name, event.shiftKey)}, element('span', {}, column.title), arrow);
    const filter = column.words && column.distinct <= fewWords && column.distinct > 0 ? this.wordFilter(column) : this.textFilter(column);
    return {arrow, filter, element: element('div', {class: 'cell', role: 'columnheader'}, sort, filter.element)};
  }

  textFilter(column) {
    const take = () => {
      const condition = conditionIn(column, input.value);
      input.setAttribute('aria-invalid', condition === undefined);
      if (condition !== undefined) this.page.filter(column.name, condition);
    };
    const wait = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(take, pause);
    };
    const placeholder = column.words ? 'contains' : 'from .. to';
    const input = element('input', {type: 'text', 'aria-label': `Filter of ${column.title}`, placeholder, change: take, input: wait});
    const show = (condition) => {
      if (document.activeElement !== input) input.value = textOf(column, condition);
      if (condition || input.value === '') input.setAttribute('aria-invalid', false);
    };
    return {element: input, show};
  }

  /** A button that opens a list of the words. */
  wordFilter(column) {
    const about = {type: 'button', class: 'words', 'aria-label': `Filter of ${column.title}`, 'aria-expanded': 'false'};
    const button = element('button', {...about, click: () => this.toggle(column, button)}, 'all');
    const show = (condition) => {
      const few = condition?.kind === 'some' ? `${counted(condition.words.length)} of ${counted(column.distinct)}` : condition ? 'some' : 'all';
      button.textContent = `${few} ▾`;
    };
    return {element: button, show};
  }

  toggle(column, button) {
    const isOpen = this.open === column.name;
    this.close();
    if (isOpen) return;
    this.open = column.name;
    this.opener = button;
    button.setAttribute('aria-expanded', 'true');
    this.panel.hidden = false;
    this.showPanel(column);
    this.panel.querySelector('input')?.focus();
  }

  close() {
    this.opener?.setAttribute('aria-expanded', 'false');
    this.panel.hidden = true;
    this.open = null;
  }

  showPanel(column) {
    const words = [...column.inOrder().map((word) => column.words[word]), ...(column.places.includes(0) ? [''] : [])];
    const condition = this.page.state.filters.get(column.name);
    const chosen = new Set(condition?.kind === 'some' ? condition.words : words);
    const change = (word, isOn) => {
      if (isOn) chosen.add(word);
      else chosen.delete(word);
      this.page.filter(column.name, chosen.size === words.length ? null : {kind: 'some', words: words.filter((one) => chosen.has(one))});
    };
    const box = (word) => {
      const input = element('input', {type: 'checkbox', checked: chosen.has(word), change: () => change(word, input.checked)});
      return element('label', {}, input, ` ${word || 'no value'}`);
    };
    const only = (list) => {
      this.page.filter(column.name, list);
      this.showPanel(column);
    };
    const leave = () => {
      this.close();
      this.opener.focus();
    };
    const button = (text, click) => element('button', {type: 'button', click}, text);
    this.panel.setAttribute('aria-label', `Filter of ${column.title}`);
    this.panel.onkeydown = ({key}) => {
      if (key === 'Escape') leave();
    };
    this.panel.replaceChildren(element('b', {}, column.title), button('All', () => only(null)),
      button('None', () => only({kind: 'some', words: []})), button('Close', leave), element('div', {class: 'boxes'}, ...words.map(box)));
  }

  /** Shows how the table is sorted and filtered now. */
  update() {
    const {sort, filters} = this.page.state;
    for (const [name, {element: cell, arrow, filter}] of this.cells) {
      const place = sort.findIndex(({column}) => column === name), down = sort[place]?.down;
      cell.setAttribute('aria-sort', place < 0 ? 'none' : down ? 'descending' : 'ascending');
      arrow.textContent = place < 0 ? '' : `${down ? '▼' : '▲'}${sort.length > 1 ? place + 1 : ''}`;
      filter.show(filters.get(name));
      cell.classList.toggle('filtered', filters.has(name));
    }
  }
}
