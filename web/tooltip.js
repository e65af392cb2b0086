// What the mark under the pointer stands for, as a small box beside it.

import {element} from './element.js';

/** Returns a tooltip handler for views; `describe` makes [label, text] pairs of a mark's row. */
export function tooltipFor(describe) {
  return (handler, event, item, value) => {
    const box = document.getElementById('tooltip') ?? document.body.appendChild(element('div', {id: 'tooltip', role: 'status'}));
    const lines = value ? describe(value).filter(([, text]) => text !== '' && text !== null && text !== undefined) : [];
    box.replaceChildren(...lines.map(([label, text]) => element('div', {}, element('b', {}, label), ` ${text}`)));
    box.hidden = lines.length === 0;
    if (box.hidden) return;
    const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - box.offsetWidth - 8);
    const below = event.clientY + 16;
    const top = below + box.offsetHeight > window.innerHeight ? event.clientY - box.offsetHeight - 10 : below;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${Math.max(4, top)}px`;
  };
}
