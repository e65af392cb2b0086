// A figure of intervals, of which it draws what can be seen of the part of the time that the reader has zoomed into.

import {Arrows} from './arrows.js';
import {Figure, isPrinting} from './figure.js';
import {fittingUnit, readable, unitOf} from './units.js';
import {Zoom} from './zoom.js';

export class Timeline extends Figure {
  constructor(chart, tables, state) {
    super(chart, tables, state);
    this.unit = unitOf(chart.columns.start);
    this.zoom = new Zoom(this.place, {
      whole: () => this.data.intervals.whole,
      span: () => this.span,
      show: (span) => this.showSpan(span),
      plot: () => ({left: this.view.origin()[0], width: this.view.width()}),
    });
  }

  update() {
    this.span = undefined;  // other intervals are shown whole
    super.update();
  }

  draw() {
    this.arrows = this.chart.arrows && new Arrows(this.data.intervals, this.chart.arrows);
    this.pointed = undefined;
    super.draw();
    this.view.addEventListener('mouseover', (event, item) => this.point(item?.datum?.place));
    this.view.addEventListener('mouseout', () => this.point(undefined));
  }

  /** Shows the arrows of the interval under the pointer. */
  point(place) {
    if (!this.arrows || place === this.pointed) return;
    this.pointed = place;
    this.view.data('arrows', this.arrowRows()).runAsync();
  }

  /** Returns the arrows that are shown: those of the interval under the pointer, and of all messages where these are few. */
  arrowRows() {
    if (!this.arrows) return [];
    const {factor} = fittingUnit(this.unit, this.span[1] - this.span[0]);
    const own = this.pointed === undefined ? [] : this.arrows.of(this.pointed);
    return [...this.few, ...own].map((arrow) => ({...arrow, start: arrow.start / factor, end: arrow.end / factor}));
  }

  show() {
    this.showSpan(this.span ?? this.data.intervals.whole);
  }

  renderer() {
    return isPrinting() ? super.renderer() : 'canvas';
  }

  marks() {
    return this.data.intervals.drawn(this.span ?? this.data.intervals.whole, this.width()).length;
  }

  makeControls() {
    return [...super.makeControls(), this.zoom.buttons()];
  }

  /** Shows the part between two times. */
  showSpan(span) {
    this.span = span;
    this.run(this.fill(this.view));
    this.element.dataset.span = span.join(' ');
  }

  /** Gives a view what can be seen of the present part. */
  fill(view) {
    this.few = this.arrows ? this.arrows.between(this.span) : [];
    const [from, to] = this.span;
    const {name, factor} = fittingUnit(this.unit, to - from);
    const rows = this.data.intervals.drawn(this.span, this.view.width());
    const scaled = rows.map((row) => ({...row, start: row.start / factor, end: row.end / factor}));
    return view.signal('span', [from / factor, to / factor]).signal('titles', {start: `time, ${name}`}).data('table', scaled)
      .data('arrows', this.arrowRows());
  }

  imageView() {
    return this.fill(super.imageView());
  }

  describe({lane, part, busy, place}) {
    const {table, rows, starts, ends} = this.data.intervals;
    const what = [['', lane], ['', part]];
    if (place === undefined) return [...what, ['busy', readable(busy, 'share')]];
    const details = this.chart.details.map((column) =>
      [column.replaceAll('_', ' '), readable(table.cell(column, rows[place]), unitOf(column))]);
    return [...what, ...details, ['begins at', readable(starts[place], this.unit)],
            ['lasts', readable(ends[place] - starts[place], this.unit)]];
  }
}
