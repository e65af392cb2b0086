// The brush of an axis of the parallel coordinates: dragged with a pointer, or moved with keys.

import {element} from '../element.js';
import {conditionOfBrush} from './axes.js';
import {conditionWords} from './filter_text.js';

const step = 0.05;  // of the axis, for a key
const reach = 26;  // in pixels, on either side of the axis
const leastDrag = 0.01;  // what is shorter is a click

export class AxisBrush {
  /** `layout` has x, step, top, length and the width of all axes, in pixels; `change` takes a condition, or null. */
  constructor(axis, layout, change) {
    Object.assign(this, {axis, layout, change, parts: []});
    this.marks = element('div', {class: 'marks'});
    this.grip = element('div', {class: 'axis', role: 'group', tabindex: 0, keydown: (event) => this.press(event), dblclick: () => change(null),
      pointerdown: (event) => this.begin(event), pointermove: (event) => this.drag(event), pointerup: () => { this.start = null; },
      pointercancel: () => { this.start = null; }}, this.marks);
    this.grip.style.cssText = `left: ${layout.x - reach}px; top: ${layout.top}px; width: ${2 * reach}px; height: ${layout.length}px`;
    const {name, meaning} = axis.column;
    const title = element('div', {class: 'title', title: meaning ? `${name}: ${meaning}` : name},
      breakable(axis.column.title) + (axis.isLog ? ', log' : ''));
    const half = Math.min(layout.step / 2, layout.x, layout.width - layout.x) - 3;  // the page ends beside the outer axes
    title.style.cssText = `left: ${layout.x - half}px; width: ${2 * half}px`;
    this.element = element('div', {'data-axis': axis.name}, title, this.grip);
  }

  /** Shows the parts of the axis that pass. */
  show(parts, condition) {
    this.parts = parts;
    this.marks.replaceChildren(...parts.map(([low, high]) => {
      const mark = element('div', {class: 'brush'});
      mark.style.cssText = `top: ${100 * (1 - high)}%; height: ${Math.max(0.5, 100 * (high - low))}%`;
      return mark;
    }));
    const {column} = this.axis;
    this.grip.setAttribute('aria-label', `Axis ${column.title}: ${condition ? conditionWords(column, condition) : 'no filter'}`);
  }

  shareAt(event) {
    const {top, height} = this.grip.getBoundingClientRect();
    return Math.max(0, Math.min(1, 1 - (event.clientY - top) / height));
  }

  begin(event) {
    this.grip.setPointerCapture(event.pointerId);
    const at = this.shareAt(event), [part] = this.parts;
    const isInside = part && this.parts.length === 1 && at > part[0] && at < part[1] && part[1] - part[0] < 0.98;
    this.start = {at, moved: isInside ? part : null};
  }

  /** Draws a new brush, or moves the one under the pointer. One brush is worked out for each picture, however fast the pointer is. */
  drag(event) {
    if (!this.start || event.buttons === 0) return;
    const at = this.shareAt(event), by = at - this.start.at;
    if (Math.abs(by) < leastDrag) return;
    this.wanted = this.start.moved ? shifted(this.start.moved, by) : [Math.min(at, this.start.at), Math.max(at, this.start.at)];
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.set(this.wanted);
    });
  }

  set([low, high]) {
    this.change(conditionOfBrush(this.axis, low, high));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [low, high] = this.parts.length > 0 ? [this.parts[0][0], this.parts.at(-1)[1]] : [0, 1];
    const isWhole = high - low > 0.99;
    const actions = {
      ArrowUp: () => this.set(isWhole ? [0.5, 1] : shifted([low, high], step)),
      ArrowDown: () => this.set(isWhole ? [0, 0.5] : shifted([low, high], -step)),
      '+': () => this.set([Math.max(0, low - step), Math.min(1, high + step)]),
      '-': () => this.set(high - low > 2.5 * step ? [low + step, high - step] : [low, high]),
      Escape: () => this.change(null),
    };
    actions['='] = actions['+'];
    actions.Delete = actions.Escape;
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}

/** Lets a name of parts, such as network.bandwidth, go on in another line behind each part. */
function breakable(title) {
  return title.replace(/[._/-](?=\w)/g, '$&\u200b');
}

/** Moves a brush as far as the axis reaches. */
function shifted([low, high], by) {
  const inside = Math.max(-low, Math.min(1 - high, by));
  return [low + inside, high + inside];
}
