// A figure on the page about a study: its heading and help, choices, the picture, and a note that says what is left out.

import {choice, element} from '../element.js';
import {inksOf} from '../theme.js';
import {tooltipFor} from '../tooltip.js';
import {digits} from '../units.js';
import {specification, viewOf} from '../views.js';
import {drawsDark} from './screen.js';
import {savers} from '../save.js';

const mostDrawnAsVectors = 1500;
const leastWidth = 240;

export class StudyFigure {
  /**
   * `about` has a title and help, make(study, rows, chosen), controls(study): a list of {role, label, options, names}, and
   * describe(row): what a mark stands for; `page` has the study, the rows that pass and the state.
   */
  constructor(page, name, about) {
    Object.assign(this, {page, name, about});
    this.place = element('div', {class: 'view', role: 'group', 'aria-label': `${about.title}. ${about.help}`});
    this.controls = element('div', {class: 'controls'});
    this.note = element('p', {class: 'note'});
    this.extra = element('div', {});
    this.element = element('figure', {id: name, 'aria-labelledby': `${name}-title`}, element('h2', {id: `${name}-title`}, about.title),
      element('p', {class: 'help'}, about.help), this.controls, this.place, this.note, this.extra, this.footer());
  }

  get chosen() {
    return this.page.state.figures[this.name];
  }

  /** Returns what is chosen; an option that is not offered gives way to the first. */
  choices() {
    const chosen = {...this.chosen}, controls = () => this.about.controls(this.page.study, chosen);
    controls().forEach(({role}, i) => {
      const {options} = controls()[i];  // they may depend on what has been chosen before
      if (!options.includes(chosen[role])) [chosen[role]] = options;
    });
    return chosen;
  }

  makeControls(chosen) {
    return this.about.controls(this.page.study, chosen).map(({role, label, options, names}) =>
      choice(label, options, chosen[role], (option) => this.choose(role, option), names ?? this.page.study.titles));
  }

  choose(role, option) {
    this.chosen[role] = option;
    this.draw();
    this.page.save();
    this.controls.querySelectorAll('select')[this.about.controls(this.page.study, this.chosen).findIndex((one) => one.role === role)]?.focus();
  }

  draw() {
    const {study, rows} = this.page, chosen = this.choices();
    this.view?.finalize();
    this.view = null;
    this.data = this.about.make(study, rows, chosen);
    this.controls.replaceChildren(...this.makeControls(chosen));
    this.note.textContent = this.data.message ?? this.data.note;
    this.extra.replaceChildren(...(this.about.extra?.(this.page, this.data, chosen) ?? []));
    this.footerElement.hidden = Boolean(this.data.message);
    this.element.toggleAttribute('data-message', Boolean(this.data.message));
    if (this.data.message) {
      this.place.replaceChildren();
      return;
    }
    this.view = this.makeView(drawsDark(), {container: this.place, renderer: this.data.rows.length > mostDrawnAsVectors ? 'canvas' : 'svg'});
    this.view.tooltip(tooltipFor((row) => this.describe(row)));
    this.view.addEventListener('click', (event, item) => this.open(item?.datum));
    this.view.run();
  }

  open(datum) {
    if (datum?.row !== undefined) this.page.open(datum.row);
  }

  makeView(dark, options, width = Math.max(leastWidth, this.place.clientWidth)) {
    const {data} = this;
    const chart = {title: this.about.title, form: data.form, titles: data.titles};
    const signals = {...data.signals, ...(data.form === 'points' ? {colors: [dark ? '#6aa5e8' : '#2f6db3', inksOf(dark).lines[0]]} : {})};
    return viewOf(specification(chart, data, dark, signals, width), dark, options).width(width);
  }

  describe(row) {
    const {units, titles} = this.data;
    const textOf = (role) => (typeof row[role] === 'number' ? `${digits(row[role])} ${units[role] ?? ''}`.trim() : row[role]);
    return this.about.describe(row, titles, textOf);
  }

  footer() {
    const view = () => this.makeView(false, {renderer: 'none'}, this.view.width()).background('white');
    const button = (kind) => element('button', {type: 'button', click: () => savers[kind](this.name, view)}, kind);
    this.footerElement = element('figcaption', {}, element('span', {}),
      element('span', {class: 'save', role: 'group', 'aria-label': `Save ${this.about.title}`}, 'Save ', button('SVG'), button('PNG')));
    return this.footerElement;
  }
}
