// What stays in sight: how many runs pass the filters, each filter with a button that removes it, and the way around the page.

import {element} from '../element.js';
import {counted, runsCounted} from './columns.js';
import {conditionWords} from './filter_text.js';

export class FilterBar {
  constructor(page, places) {
    this.page = page;
    this.count = element('b', {'aria-live': 'polite'});
    this.chips = element('span', {class: 'chips'});
    const go = ([id, title]) => element('li', {},
      element('button', {type: 'button', class: 'plain', click: () => document.getElementById(id).scrollIntoView()}, title));
    this.element = element('nav', {'aria-label': 'Filters and contents'}, element('ul', {}, ...places.map(go)),
      element('span', {class: 'passing'}, this.count, this.chips));
  }

  update() {
    const {study, selection, state} = this.page;
    this.count.textContent = selection.isWhole ? `All ${runsCounted(study.rows)}` : `${counted(selection.count)} of ${counted(study.rows)} runs pass`;
    const chip = ([name, condition]) => {
      const words = `${study.titleOf(name)} ${conditionWords(study.column(name), condition)}`;
      const about = {type: 'button', class: 'chip', 'aria-label': `Remove the filter: ${words}`};
      return element('button', {...about, click: () => this.page.filter(name, null)}, element('span', {}, words), ' ×');
    };
    const chips = [...state.filters].map(chip);
    if (chips.length > 1) chips.push(element('button', {type: 'button', click: () => this.page.clearFilters()}, 'Remove all'));
    this.chips.replaceChildren(...chips);
  }
}
