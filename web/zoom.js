// Zooming into a timeline and moving along it: by buttons, keys, dragging, and the wheel with Ctrl or Shift.

import {element} from './element.js';
import {moved, zoomed} from './intervals.js';

const step = 2;

/** Returns the buttons. `place` is the element of the view; `get` and `set` tell and take the span, `whole` is all of it. */
export function zoomControls(place, whole, get, set, plot) {
  const around = (factor, at) => {
    const [from, to] = get();
    set(zoomed([from, to], factor, at ?? (from + to) / 2, whole));
  };
  const along = (share) => {
    const [from, to] = get();
    set(moved([from, to], share * (to - from), whole));
  };
  const actions = {'+': () => around(1 / step), '=': () => around(1 / step), '-': () => around(step), '0': () => set(whole),
                   ArrowLeft: () => along(-0.25), ArrowRight: () => along(0.25)};
  place.tabIndex = 0;
  place.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  const timeAt = (x) => {
    const {left, width} = plot(), [from, to] = get();
    return from + ((x - place.getBoundingClientRect().left - left) / width) * (to - from);
  };
  place.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.shiftKey && !event.metaKey) return;
    event.preventDefault();
    around(1.002 ** (event.deltaY || event.deltaX), timeAt(event.clientX));
  }, {passive: false});
  drag(place, get, set, whole, plot);
  const button = (text, label, key) => element('button', {type: 'button', 'aria-label': label, title: label, click: actions[key]}, text);
  return element('span', {class: 'zoom', role: 'group', 'aria-label': 'Zoom'},
    button('−', 'Zoom out', '-'), button('+', 'Zoom in', '+'), button('◀', 'Earlier', 'ArrowLeft'),
    button('▶', 'Later', 'ArrowRight'), button('All', 'Show all', '0'));
}

function drag(place, get, set, whole, plot) {
  let grip = null;  // where the pointer went down, and the span at that time
  place.addEventListener('pointerdown', (event) => { grip = {x: event.clientX, span: get()}; });
  place.addEventListener('pointermove', (event) => {
    if (!grip || event.buttons === 0) return;
    const [from, to] = grip.span;
    set(moved(grip.span, ((grip.x - event.clientX) / plot().width) * (to - from), whole));
  });
  for (const end of ['pointerup', 'pointerleave']) place.addEventListener(end, () => { grip = null; });
}
