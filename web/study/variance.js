// Which share of a quantity's variance each key explains by itself (docs/study-page.md gives the formula and its sources).

/** Returns the number of numbers, their mean, and the sum of squares of their distances from it (Welford's algorithm). */
function momentsOf(rows, numbers) {
  let count = 0, mean = 0, squares = 0;
  for (const row of rows) {
    const distance = numbers[row] - mean;
    mean += distance / ++count;
    squares += distance * (numbers[row] - mean);
  }
  return {count, mean, squares};
}

/** Returns the sum over levels of count * (mean of the level - mean)^2, and how many levels have rows. */
function between(rows, numbers, levels, mean) {
  const count = new Uint32Array(levels.labels.length), sum = new Float64Array(levels.labels.length);
  for (const row of rows) {
    ++count[levels.of[row]];
    sum[levels.of[row]] += numbers[row] - mean;
  }
  return {squares: sum.reduce((all, one, i) => all + (count[i] ? (one * one) / count[i] : 0), 0), used: count.filter((one) => one > 0).length};
}

/**
 * Returns how strongly two keys vary together: Cramér's V, 0 where each value of one occurs with each of the other as often as
 * chance says, and 1 where one follows from the other.
 */
export function dependence(rows, a, b) {
  const width = b.labels.length, cells = new Uint32Array(a.labels.length * width);
  const ofA = new Uint32Array(a.labels.length), ofB = new Uint32Array(width);
  for (const row of rows) {
    ++cells[a.of[row] * width + b.of[row]];
    ++ofA[a.of[row]];
    ++ofB[b.of[row]];
  }
  const smaller = Math.min(ofA.filter(Boolean).length, ofB.filter(Boolean).length) - 1;
  if (smaller < 1) return 0;
  let squares = 0;
  cells.forEach((count, i) => {
    const expected = (ofA[Math.floor(i / width)] * ofB[i % width]) / rows.length;
    if (expected > 0) squares += (count - expected) ** 2 / expected;
  });
  return Math.sqrt(squares / (rows.length * smaller));
}

/** Returns the two keys that vary together most strongly: {a, b, strength}; null for fewer than two keys. */
export function strongestDependence(rows, keys) {
  let strongest = null;
  keys.forEach((a, i) => keys.slice(i + 1).forEach((b) => {
    const strength = dependence(rows, a.levels, b.levels);
    if (!strongest || strength > strongest.strength) strongest = {a: a.name, b: b.name, strength};
  }));
  return strongest;
}

/**
 * Returns the shares of the variance of `numbers` over the rows, of which each has a number: {count, shares, rest}. `keys` are
 * {name, levels} in which every row has a level; `shares` are {name, share, chance}, the largest first. `chance` is what a key
 * without any effect would show on average, as its levels have few rows. `rest` is what no key explains by itself; it is
 * negative where keys that vary together explain the same. Null where the variance is nothing.
 */
export function varianceShares(rows, numbers, keys) {
  const {count, mean, squares} = momentsOf(rows, numbers);
  if (count < 2 || !(squares > 1e-24 * count * mean * mean)) return null;
  const shares = keys.map(({name, levels}) => {
    const {squares: own, used} = between(rows, numbers, levels, mean);
    return {name, share: own / squares, chance: (used - 1) / (count - 1)};
  }).sort((a, b) => b.share - a.share);
  return {count, shares, rest: 1 - shares.reduce((sum, {share}) => sum + share, 0)};
}
