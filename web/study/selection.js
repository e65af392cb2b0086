// Which rows pass the filters. A filter is a condition on a column: {kind: 'range', low, high}, {kind: 'some', words},
// {kind: 'has', text} or {kind: 'like', text}, which is for reasons of failures that differ in their numbers only.

import {reasonKind} from './failures.js';

/** Returns for each of a column's words whether it passes. */
function wordsThatPass(column, condition) {
  if (condition.kind === 'some') {
    const some = new Set(condition.words);
    return column.words.map((word) => some.has(word));
  }
  if (condition.kind === 'like') return column.words.map((word) => reasonKind(word) === condition.text);
  const text = condition.text.toLowerCase();
  return column.words.map((word) => word.toLowerCase().includes(text));
}

/** Returns for each row whether it passes a condition; missing cells do not, unless '' is among the words. */
export function maskOf(column, condition) {
  if (condition.kind === 'range') {
    const {low, high} = condition;
    return Uint8Array.from(column.numbers.map((number) => (number >= low && number <= high ? 1 : 0)));
  }
  const passes = Uint8Array.from([condition.kind === 'some' && condition.words.includes(''), ...wordsThatPass(column, condition)]);
  return Uint8Array.from(column.places.map((place) => passes[place]));
}

export class Selection {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.known = new Map();  // the masks of conditions, by column
    this.update(new Map());
  }

  /** Takes other conditions, a map from columns; what has not changed is not worked out again. */
  update(conditions) {
    for (const name of this.known.keys()) if (!conditions.has(name)) this.known.delete(name);
    for (const [name, condition] of conditions) {
      const text = JSON.stringify(condition);
      if (this.known.get(name)?.text !== text) this.known.set(name, {text, mask: maskOf(this.columns.get(name), condition)});
    }
    this.mask = new Uint8Array(this.rows).fill(1);
    for (const {mask} of this.known.values()) for (let row = 0; row < this.rows; ++row) this.mask[row] &= mask[row];
    this.count = this.mask.reduce((sum, one) => sum + one, 0);
  }

  get isWhole() {
    return this.known.size === 0;
  }
}
