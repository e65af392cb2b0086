// All that is known of the run that a reader has chosen.

import {element} from '../element.js';

export class RunPanel {
  constructor(page) {
    this.page = page;
    this.element = element('section', {class: 'run-panel', 'aria-live': 'polite', hidden: true});
  }

  show(row) {
    this.element.hidden = row < 0;
    if (row < 0) return;
    const {study} = this.page, own = study.pageOf(row);
    const cells = [...study.columns.values()].filter((column) => !['run', 'page'].includes(column.name) && !column.isMissing(row));
    this.element.replaceChildren(
      element('div', {class: 'top'}, element('h3', {}, study.runName(row)),
        element('button', {type: 'button', click: () => this.page.choose(-1)}, 'Close')),
      element('p', {class: 'note'}, own ? element('a', {href: own}, 'The page of this run') : 'The page of this run was not kept.'),
      element('dl', {}, ...cells.map((column) =>
        element('div', {title: column.meaning}, element('dt', {}, column.title), element('dd', {}, column.text(row))))));
  }
}
