// The front of runs that no other run beats in two quantities.

/**
 * Returns those of the rows that no other row dominates, by x and then as in `rows`. A row dominates another if it is as good in
 * both quantities and better in one, so rows that are equal in both are on the front together. Rows without a number in
 * either are none of it. `moreX` and `moreY` say whether more is better.
 */
export function frontOf(rows, x, y, moreX, moreY) {
  const signX = moreX ? -1 : 1, signY = moreY ? -1 : 1;
  const known = Array.from(rows).filter((row) => !Number.isNaN(x[row]) && !Number.isNaN(y[row]));
  known.sort((a, b) => signX * (x[a] - x[b]) || signY * (y[a] - y[b]));
  const front = [];
  let best = Infinity;
  for (let i = 0; i < known.length; ) {
    const atX = x[known[i]], least = signY * y[known[i]];
    for (; i < known.length && x[known[i]] === atX; ++i) if (least < best && signY * y[known[i]] === least) front.push(known[i]);
    best = Math.min(best, least);
  }
  return front;
}
