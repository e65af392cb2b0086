// The page about results: a sentence, a picture, then a figure for each chart that the tables have something for.

import {overview, sections} from './charts.js';
import {choice, element} from './element.js';
import {headOf} from './facts.js';
import {Figure, isPrinting, setPrinting} from './figure.js';
import {headlineOf} from './headline.js';
import {NetworkFigure} from './network_figure.js';
import {originOf} from './origin.js';
import {Tables, unpacked} from './tables.js';
import {Timeline} from './timeline.js';

const longHeadline = 180;  // letters; a longer one would fill a telephone
const kinds = {network: NetworkFigure, timeline: Timeline};  // of figures, by form; others are a Figure

class Page {
  constructor({version, sets}) {
    this.version = version;
    this.sets = sets;
    this.tables = new Tables(sets);
    this.state = {run: this.tables.runs.length > 0 ? this.tables.runs[0] : undefined, shared: {},
                  share: (name, chosen) => this.share(name, chosen)};
    this.figures = [];
    this.ofRun = element('p', {class: 'run', 'aria-live': 'polite'});
    this.watcher = new IntersectionObserver((seen) => {
      for (const {isIntersecting, target} of seen) if (isIntersecting) this.draw(target.figure);
    }, {rootMargin: '400px'});
  }

  draw(figure) {
    if (!figure.drawn && figure.data) figure.draw();
  }

  figure(chart) {
    const figure = new (kinds[chart.form] ?? Figure)(chart, this.tables, this.state);
    figure.element.figure = figure;
    figure.update();
    this.figures.push(figure);
    this.watcher.observe(figure.element);
    return figure;
  }

  /** Returns a section with those of its figures that have something to show; null without any. */
  section({title, charts}) {
    const figures = charts.map((chart) => this.figure(chart));
    const made = element('section', {id: title.toLowerCase().replace(/[^a-z]+/g, '-')}, element('h2', {}, title),
      ...figures.map((figure) => figure.element));
    made.hidden = figures.every((figure) => figure.element.hidden);
    return {made, figures};
  }

  build(main) {
    const headline = headlineOf(this.tables) || 'Results';
    const first = this.figure(overview);
    this.sections = sections.map((section) => this.section(section));
    this.origin = originOf(this.version, this.sets, this.tables);
    main.replaceChildren(
      element('header', {}, element('p', {class: 'name'}, this.sets.map((set) => set.name).join(', ')),
        element('h1', headline.length > longHeadline ? {class: 'long'} : {}, headline), ...headOf(this.tables)),
      first.element, this.toolbar(), this.ofRun, ...this.sections.map(({made}) => made), this.origin);
    this.contents();
    this.sentence();
  }

  /** The choice of the run that figures about one run show, and the contents. */
  toolbar() {
    const {runs} = this.tables;
    this.links = element('ul', {});
    return element('nav', {'aria-label': 'Contents'},
      runs.length > 1 ? choice('Run', runs, this.state.run, (run) => this.show(run)) : null, this.links);
  }

  /** What is said of the chosen run, where there are several. */
  sentence() {
    const {run} = this.state;
    this.ofRun.textContent = this.tables.runs.length > 1 ? `${run}: ${headlineOf(this.tables, run) || 'this run failed.'}` : '';
  }

  show(run) {
    this.state.run = run;
    this.sentence();
    this.update((chart) => chart.scope === 'run');
  }

  /** Lets all figures that share a choice follow it. */
  share(name, chosen) {
    this.state.shared[name] = chosen;
    this.update((chart) => chart.shared === name);
  }

  update(concerns) {
    for (const figure of this.figures) if (concerns(figure.chart)) figure.update();
    for (const {made, figures} of this.sections) made.hidden = figures.every((figure) => figure.element.hidden);
    this.contents();
  }

  contents() {
    const shown = [...this.sections.map(({made}) => made), this.origin].filter((section) => !section.hidden);
    this.links.replaceChildren(...shown.map((section) =>
      element('li', {}, element('a', {href: `#${section.id}`}, section.firstChild.textContent))));
  }

  redraw() {
    if (isPrinting()) return;
    for (const figure of this.figures) if (figure.drawn && figure.data) figure.draw();
  }

  /** Draws all figures for paper, also those that nobody has scrolled to, or again for the screen. */
  print(now) {
    if (now === isPrinting()) return;
    setPrinting(now);
    for (const details of this.origin.querySelectorAll('details')) {
      if (now) details.dataset.open = details.open;
      details.open = now || details.dataset.open === 'true';
    }
    for (const figure of this.figures) if (figure.data && (now || figure.drawn)) figure.draw();
  }
}

async function start() {
  const page = new Page(await unpacked(document.getElementById('tables').textContent));
  page.build(document.querySelector('main'));
  let width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    page.redraw();
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => page.redraw());
  window.addEventListener('beforeprint', () => page.print(true));
  window.addEventListener('afterprint', () => page.print(false));
  window.matchMedia('print').addEventListener('change', ({matches}) => page.print(matches));
  document.documentElement.dataset.ready = 'yes';
}

start().catch((error) => {
  document.querySelector('main').append(element('p', {class: 'error'}, `This page cannot be shown: ${error.message}`));
  throw error;
});
