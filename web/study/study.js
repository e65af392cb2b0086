// The page about a study, a sweep of many runs: figures and a table of all runs, which share filters. What is shown stands in
// the page's address.

import {element} from '../element.js';
import {inflated} from '../inflate.js';
import {originOf} from '../origin.js';
import {Tables} from '../tables.js';
import {StudyFigure} from './figure.js';
import {figureKinds} from './figure_kinds.js';
import {FilterBar} from './filter_bar.js';
import {firstView} from './first_view.js';
import {headOf} from './head.js';
import {Study} from './model.js';
import {orderOf, passing} from './order.js';
import {Parallels} from './parallels.js';
import {frontOf} from './pareto.js';
import {RunPanel} from './run_panel.js';
import {onColors} from './screen.js';
import {Selection} from './selection.js';
import {hashOf, stateOf} from './state.js';
import {RunTable} from './table.js';
import {unpackedStudy} from './unpack.js';

const calm = 120;  // in ms: the figures follow when a brush has been still for so long

class Page {
  constructor(study) {
    this.study = study;
    this.first = firstView(study);
    this.selection = new Selection(study.columns, study.rows);
    this.read();
  }

  /** Takes the view that the address says. */
  read() {
    this.state = stateOf(window.location.hash.slice(1), this.first, this.study.columns);
    this.selection.update(this.state.filters);
    this.sort();
  }

  save() {
    const hash = hashOf(this.state, this.first);
    window.history.replaceState(null, '', hash ? `#${hash}` : window.location.href.replace(/#.*/s, ''));
  }

  sort() {
    this.order = orderOf(this.study.rows, this.study.columns, this.state.sort);
    this.rows = passing(this.order, this.selection.mask, this.selection.count);
  }

  /** Sorts by a column: upwards, then downwards, then not at all. With `more`, by further ones where rows are equal. */
  sortBy(column, more) {
    const {sort} = this.state, known = sort.find((one) => one.column === column);
    const next = !known ? [{column, down: false}] : known.down ? [] : [{column, down: true}];
    this.state.sort = more ? (known ? sort.flatMap((one) => (one === known ? next : [one])) : [...sort, ...next]) : next;
    this.sort();
    this.table.grid.scrollTop = 0;
    this.table.update();
    this.save();
  }

  /** Sets the filter of a column; null removes it. */
  filter(column, condition) {
    if (condition) this.state.filters.set(column, condition);
    else this.state.filters.delete(column);
    this.refilter();
  }

  clearFilters() {
    this.state.filters.clear();
    this.refilter();
  }

  refilter() {
    this.selection.update(this.state.filters);
    this.rows = passing(this.order, this.selection.mask, this.selection.count);
    this.table.grid.scrollTop = 0;
    this.table.update();
    this.parallels.update(true);
    this.bar.update();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.save();  // browsers refuse to change an address very often
      this.parallels.update();
      this.drawFigures();
    }, calm);
  }

  /** Returns the runs on the front of the trade-offs, over all runs. */
  front() {
    const figure = this.figures.find(({name}) => name === 'front');
    if (!figure) return [];
    const {x, y, 'best-x': bestX, 'best-y': bestY} = figure.choices(), key = JSON.stringify([x, y, bestX, bestY]);
    if (this.known?.key !== key) {
      const rows = [...this.study.failed.keys()].filter((row) => !this.study.failed[row]);
      this.known = {key, front: frontOf(rows, this.study.column(x).numbers, this.study.column(y).numbers, bestX === 'most', bestY === 'most')};
    }
    return this.known.front;
  }

  /** Opens the page of a run, or shows what is known of it where that page was not kept. */
  open(row) {
    const own = this.study.pageOf(row);
    if (own) {
      this.save();
      window.location.assign(own);
    } else {
      this.choose(row);
      this.panel.element.scrollIntoView({block: 'nearest'});
    }
  }

  /** Shows a run beside the table; -1 shows none. */
  choose(row) {
    this.state.run = row < 0 ? null : this.study.runName(row);
    this.panel.show(row);
    this.table.render();
    this.save();
  }

  /** Figures out of sight are drawn when they come into it. */
  drawFigures() {
    for (const figure of [...this.figures, this.parallels]) {
      if (figure === this.parallels && figure.drawn) continue;  // it follows filters by itself
      figure.element.dataset.stale = 'yes';
      this.watcher.unobserve(figure.element);
      this.watcher.observe(figure.element);
    }
  }

  build(main) {
    const {study} = this;
    this.figures = Object.entries(figureKinds).filter(([, about]) => about.fits(study)).map(([name, about]) => new StudyFigure(this, name, about));
    this.parallels = new Parallels(this);
    this.table = new RunTable(this);
    this.panel = new RunPanel(this);
    const parallels = this.parallels.boxes.size > 0 ? [['parallels', 'Parallel coordinates']] : [];
    const places = [...this.figures.map(({name, about}) => [name, about.navigation]), ...parallels,
      ['table', 'Runs'], ['origin', 'Where this comes from']];
    this.bar = new FilterBar(this, places);
    const origin = originOf(study.version, [{name: study.name, origin: study.origin}], new Tables([]));
    main.replaceChildren(headOf(this), this.bar.element, ...this.figures.map((figure) => figure.element), this.parallels.element,
      this.table.element, this.panel.element, origin);
    this.watcher = new IntersectionObserver((seen) => {
      for (const {isIntersecting, target} of seen) {
        const figure = [...this.figures, this.parallels].find((one) => one.element === target);
        if (!isIntersecting || !figure.element.dataset.stale) continue;
        figure.draw();
        delete figure.element.dataset.stale;
      }
    }, {rootMargin: '200px'});
    this.show();
  }

  /** Shows everything anew. */
  show() {
    this.table.build();
    this.bar.update();
    this.panel.show(this.state.run ? this.study.rowOfRun(this.state.run) : -1);
    this.parallels.drawn = false;
    this.drawFigures();
  }

  /** Draws all again that has been drawn: for another width, or in other colours. */
  redraw() {
    for (const figure of this.figures) if (figure.view) figure.draw();
    if (this.parallels.drawn) this.parallels.draw();
    this.table.render();
  }
}

async function start() {
  const text = document.getElementById('tables');
  const study = new Study(unpackedStudy(await inflated(text.textContent)));
  text.remove();  // it is as large as all the numbers
  const page = new Page(study);
  page.build(document.querySelector('main'));
  let width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    page.redraw();
  });
  window.addEventListener('hashchange', () => {
    page.read();
    page.show();
  });
  onColors(() => page.redraw());
  document.documentElement.dataset.ready = 'yes';
  // To order 100,000 names takes longer than a click may, so it is done before anybody asks for it.
  (window.requestIdleCallback ?? setTimeout)(() => {
    study.column('run').ranks();
    document.documentElement.dataset.settled = 'yes';
  });
}

start().catch((error) => {
  document.querySelector('main').append(element('p', {class: 'error'}, `This page cannot be shown: ${error.message}`));
  throw error;
});
