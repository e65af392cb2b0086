// A sample of rows, so that figures draw few enough marks to move at once.

import {everyRow} from './order.js';

export const mostDrawn = 5000;

/** Returns the rows in a random order that is the same whenever the page is opened (Fisher and Yates; xorshift32 by Marsaglia). */
export function shuffled(rows) {
  const order = everyRow(rows);
  let state = 2463534242;
  for (let i = rows - 1; i > 0; --i) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const other = (state >>> 0) % (i + 1);
    const one = order[i];
    order[i] = order[other];
    order[other] = one;
  }
  return order;
}

/**
 * Returns up to `most` rows that pass, those of `kept` first and then the first ones in the order `shuffle`. So a row that is drawn
 * stays so while other rows are filtered away.
 */
export function sampled(shuffle, passes, most, kept = []) {
  const chosen = new Set(kept.slice(0, most));
  for (const row of shuffle) {
    if (chosen.size >= most) break;
    if (passes(row)) chosen.add(row);
  }
  return [...chosen];
}
