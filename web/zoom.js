// Zooming into a timeline and moving along it: by buttons, keys, dragging, and the wheel with Ctrl or Shift.

import {element} from './element.js';
import {moved, zoomed} from './intervals.js';

const step = 2;

export class Zoom {
  /**
   * `timeline` has functions: whole() and span() tell the times between which all is and what is shown, show(span) shows
   * something else, and plot() says where on the element the plot begins and how wide it is, in pixels.
   */
  constructor(place, timeline) {
    this.place = place;
    this.timeline = timeline;
    this.actions = {
      '+': () => this.around(1 / step), '=': () => this.around(1 / step), '-': () => this.around(step),
      '0': () => timeline.show(timeline.whole()), ArrowLeft: () => this.along(-0.25), ArrowRight: () => this.along(0.25),
    };
    place.tabIndex = 0;
    place.addEventListener('keydown', (event) => this.press(event));
    place.addEventListener('wheel', (event) => this.turn(event), {passive: false});
    place.addEventListener('pointerdown', (event) => { this.grip = {x: event.clientX, span: timeline.span()}; });
    place.addEventListener('pointermove', (event) => this.drag(event));
    for (const end of ['pointerup', 'pointerleave']) place.addEventListener(end, () => { this.grip = null; });
  }

  buttons() {
    const button = (text, label, key) =>
      element('button', {type: 'button', 'aria-label': label, title: label, click: this.actions[key]}, text);
    return element('span', {class: 'zoom', role: 'group', 'aria-label': 'Zoom'},
      button('−', 'Zoom out', '-'), button('+', 'Zoom in', '+'), button('◀', 'Earlier', 'ArrowLeft'),
      button('▶', 'Later', 'ArrowRight'), button('All', 'Show all', '0'));
  }

  around(factor, time) {
    const [from, to] = this.timeline.span();
    this.timeline.show(zoomed([from, to], factor, time ?? (from + to) / 2, this.timeline.whole()));
  }

  along(share) {
    const [from, to] = this.timeline.span();
    this.timeline.show(moved([from, to], share * (to - from), this.timeline.whole()));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || !this.actions[event.key]) return;
    event.preventDefault();
    this.actions[event.key]();
  }

  turn(event) {
    if (!event.ctrlKey && !event.shiftKey && !event.metaKey) return;
    event.preventDefault();
    const {left, width} = this.timeline.plot(), [from, to] = this.timeline.span();
    const share = (event.clientX - this.place.getBoundingClientRect().left - left) / width;
    this.around(1.002 ** (event.deltaY || event.deltaX), from + share * (to - from));
  }

  drag(event) {
    if (!this.grip || event.buttons === 0) return;
    const [from, to] = this.grip.span;
    const share = (this.grip.x - event.clientX) / this.timeline.plot().width;
    this.timeline.show(moved([from, to], share * (to - from), this.timeline.whole()));
  }
}
