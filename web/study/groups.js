// What a quantity is in groups of runs.

export const statistics = {mean: 'mean', least: 'least', most: 'most'};

/**
 * Returns for each of `size` groups the number of rows, and the mean, the least and the most of their numbers. `groupOf` returns
 * the group of a row, or a negative number for none.
 */
export function grouped(rows, numbers, size, groupOf) {
  const count = new Uint32Array(size), sum = new Float64Array(size);
  const least = new Float64Array(size).fill(Infinity), most = new Float64Array(size).fill(-Infinity);
  for (const row of rows) {
    const group = groupOf(row), number = numbers[row];
    if (group < 0 || Number.isNaN(number)) continue;
    ++count[group];
    sum[group] += number;
    least[group] = Math.min(least[group], number);
    most[group] = Math.max(most[group], number);
  }
  return {count, least, most, mean: sum.map((one, i) => one / count[i])};
}
