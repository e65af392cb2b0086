// Parallel coordinates: a line for each run, over an axis for each column. A brush on an axis is a filter on its column. Vega
// would build each line's marks anew for every step of a brush; a canvas draws all lines in the time between two pictures.

import {scaleLinear} from 'd3-scale';
import {element} from '../element.js';
import {inksOf} from '../theme.js';
import {AxisBrush} from './axis_brush.js';
import {axisOf, brushesOf} from './axes.js';
import {counted, runsCounted} from './columns.js';
import {mostDrawn, sampled} from './sample.js';
import {drawsDark, isOnPaper} from './screen.js';

const height = 380, top = 46, bottom = 18, side = 64, least = 84;  // in pixels; `least` lies between axes
const paperWidth = 700;  // in pixels: what a sheet of A4 or letter has between its margins
const mostLetters = 14, letter = 6.5;  // of a label, and pixels
const background = 1000;  // of the runs that are drawn, how many are in grey behind those that pass the filters
const mostMoving = 1500;  // runs that are drawn while a brush moves
const shades = 20;

export class Parallels {
  constructor(page) {
    this.page = page;
    this.behind = element('canvas', {class: 'behind', 'aria-hidden': 'true'});
    this.canvas = element('canvas', {'aria-hidden': 'true'});
    this.overlay = element('div', {class: 'axes'});
    this.place = element('div', {class: 'parallels', role: 'group', 'aria-label': 'Parallel coordinates of the runs'},
      this.behind, this.canvas, this.overlay);
    this.note = element('p', {class: 'note', 'aria-live': 'polite'});
    this.ramp = element('p', {class: 'help legend'});
    this.element = element('figure', {id: 'parallels'}, element('h2', {}, 'Parallel coordinates'),
      element('p', {class: 'help'}, 'Each line is a run. Drag along an axis to keep the runs that pass there, or focus an axis and use ' +
        'the arrow keys, + and −; Escape or a double click clears it.'),
      this.axisChoice(), this.ramp, element('div', {class: 'scroll'}, this.place), this.note);
  }

  axisChoice() {
    const {study} = this.page, names = [...study.columns.keys()].filter((name) => study.isAxis(name));
    this.boxes = new Map(names.map((name) => [name, element('input', {type: 'checkbox', change: () => this.toggle(name)})]));
    return element('details', {class: 'pick'}, element('summary', {}, 'Axes'),
      element('div', {class: 'boxes'}, ...names.map((name) => element('label', {}, this.boxes.get(name), ` ${study.titleOf(name)}`))));
  }

  toggle(name) {
    const {state} = this.page;
    const axes = state.axis.includes(name) ? state.axis.filter((one) => one !== name) : [...state.axis, name];
    if (axes.length > 0) state.axis = axes;
    this.draw();
    this.page.save();
  }

  /** Lays out the axes, and draws. */
  draw() {
    const {study, state} = this.page;
    this.drawn = true;
    this.element.hidden = this.boxes.size === 0;
    if (this.element.hidden) return;
    for (const [name, box] of this.boxes) box.checked = state.axis.includes(name);
    this.axes = state.axis.filter((name) => study.isAxis(name)).map((name) => axisOf(study.column(name), study.positionsOf(name)));
    const room = this.place.parentElement.clientWidth;
    this.last = side + Math.max(0, ...(this.axes.at(-1)?.ticks ?? []).map(({label}) => Math.min(label.length, mostLetters) * letter - side / 2));
    this.width = isOnPaper() ? paperWidth : Math.max(room, side + this.last + least * (this.axes.length - 1));
    this.place.style.width = `${this.width}px`;
    for (const canvas of [this.behind, this.canvas]) this.size(canvas);
    this.brushes = this.axes.map((axis, i) => new AxisBrush(axis, this.layoutOf(i),
      (condition) => this.page.filter(axis.name, condition)));
    this.overlay.replaceChildren(...this.brushes.map((brush) => brush.element));
    this.colors = this.colorAxis();
    this.isBehind = false;
    this.update();
  }

  size(canvas) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = this.width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${height}px`;
  }

  layoutOf(i) {
    const step = this.axes.length > 1 ? (this.width - side - this.last) / (this.axes.length - 1) : 0;
    const x = this.axes.length > 1 ? side + i * step : this.width / 2;
    return {x, step: isOnPaper() ? step : Math.max(least, step), top, length: height - top - bottom, width: this.width};
  }

  /** Lines have colours by their ranks in the first objective; that of the best runs is the strongest. */
  colorAxis() {
    const {study} = this.page, [objective] = study.objectives, inks = inksOf(drawsDark());
    this.inks = inks;
    if (!objective) return null;
    const colors = study.isMoreBetter(objective) ? inks.lines : inks.lines.toReversed();
    const colorAt = scaleLinear().domain(colors.map((_, i) => i / (colors.length - 1))).range(colors);
    const column = study.column(objective), values = column.values();
    const style = `background: linear-gradient(to right, ${colors.join(', ')})`;
    this.ramp.replaceChildren(`${column.title}: ${column.textOf(values[0])} `, element('span', {class: 'ramp', style}),
      ` ${column.textOf(values[values.length - 1])}, by rank`);
    return {name: objective, ...column.ranks(), shades: Array.from({length: shades}, (_, i) => colorAt(i / (shades - 1)))};
  }

  /** Draws the runs that pass now; the axes stay. While a brush moves there are fewer, so that they follow it. */
  update(isMoving = false) {
    if (!this.drawn || this.element.hidden) return;
    const {study, selection, state} = this.page;
    const {mask} = selection, {failed} = study;
    const most = isMoving ? mostMoving : selection.isWhole ? mostDrawn : mostDrawn - background;
    const front = selection.isWhole ? this.page.front() : this.page.front().filter((row) => mask[row]);
    const shown = sampled(study.shuffle, (row) => mask[row] && !failed[row], most, front);
    const others = selection.isWhole ? 0 : this.paintBehind();
    this.behind.hidden = selection.isWhole;
    this.paint(shown);
    this.brushes.forEach((brush) => brush.show(brushesOf(brush.axis, state.filters.get(brush.axis.name)), state.filters.get(brush.axis.name)));
    const isBroken = this.axes.some(({positions}) => shown.some((row) => Number.isNaN(positions[row])));
    this.note.textContent = this.noteOf(shown.length, others, front.length, isBroken);
  }

  /** Draws runs in grey behind those that pass, whether or not they do so themselves: filters change none of them. */
  paintBehind() {
    const {study} = this.page;
    this.others ??= sampled(study.shuffle, (row) => !study.failed[row], background);
    if (!this.isBehind) {
      const context = this.cleared(this.behind);
      context.globalAlpha = 0.12;
      this.strokeLines(context, this.places(), this.others, this.inks.faint);
      this.isBehind = true;
    }
    return this.others.length;
  }

  places() {
    return this.axes.map((axis, i) => ({axis, ...this.layoutOf(i)}));
  }

  cleared(canvas) {
    const context = canvas.getContext('2d'), ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, height);
    context.lineWidth = 1;
    return context;
  }

  noteOf(shown, others, front, isBroken) {
    const {selection, rows, study} = this.page;
    const failed = rows.reduce((sum, row) => sum + study.failed[row], 0), known = rows.length - failed;
    const isSample = shown < known ? `: ${front > 0 ? 'all on the front of the trade-offs, and ' : ''}a sample of the others` : '';
    return [`${counted(shown)} of ${runsCounted(rows.length)} ${selection.isWhole ? '' : 'that pass the filters '}drawn${isSample}.`,
      others > 0 ? `Behind them ${counted(others)} of all runs are drawn in grey.` : '',
      failed > 0 ? `${runsCounted(failed)} failed, and ${failed === 1 ? 'has' : 'have'} no line.` : '',
      isBroken ? 'A line is interrupted where a run has no value.' : ''].filter(Boolean).join(' ');
  }

  paint(shown) {
    const context = this.cleared(this.canvas), places = this.places();
    context.globalAlpha = shown.length > 1000 ? 0.35 : shown.length > 100 ? 0.6 : 0.9;
    for (const [shade, rows] of this.byShade(shown)) this.strokeLines(context, places, rows, shade);
    context.globalAlpha = 1;
    for (const place of places) this.paintAxis(context, place);
  }

  /** Returns the rows by the colour that they have, those of the best last, so that they are seen. */
  byShade(rows) {
    if (!this.colors) return [[this.inks.ink, rows]];
    const {name, ranks, count, shades: colors} = this.colors, sets = colors.map((color) => [color, []]);
    const unknown = [this.inks.faint, []];
    for (const row of rows) (ranks[row] === count ? unknown : sets[Math.floor((ranks[row] / count) * shades)])[1].push(row);
    return [unknown, ...(this.page.study.isMoreBetter(name) ? sets : sets.reverse())];
  }

  strokeLines(context, places, rows, color) {
    context.strokeStyle = color;
    const heights = places.map(({axis, length}) => (row) => top + length * (1 - axis.at(axis.positions[row])));
    context.beginPath();
    for (const row of rows) {
      let isDown = false;
      for (let i = 0; i < places.length; ++i) {
        const isKnown = !Number.isNaN(places[i].axis.positions[row]);
        if (isKnown && isDown) context.lineTo(places[i].x, heights[i](row));
        else if (isKnown) context.moveTo(places[i].x, heights[i](row));
        isDown = isKnown;
      }
    }
    context.stroke();
  }

  paintAxis(context, {axis, x, length}) {
    const {ink, paper} = this.inks;
    context.strokeStyle = ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + length);
    context.stroke();
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const {at, label} of axis.ticks) {
      const y = top + length * (1 - at), text = label.length > mostLetters ? `${label.slice(0, mostLetters - 1)}…` : label;
      context.lineWidth = 3;
      context.strokeStyle = paper;
      context.strokeText(text, x + 6, y);
      context.fillStyle = ink;
      context.fillText(text, x + 6, y);
    }
  }
}
