// Numbers as people read them: four digits, and a unit that fits.

const times = [['ps', 1e-6], ['ns', 1e-3], ['us', 1], ['ms', 1e3], ['s', 1e6], ['h', 3.6e9]];
const sizes = [['B', 1], ['KiB', 2 ** 10], ['MiB', 2 ** 20], ['GiB', 2 ** 30], ['TiB', 2 ** 40], ['PiB', 2 ** 50]];
const rates = [['B/s', 1], ['kB/s', 1e3], ['MB/s', 1e6], ['GB/s', 1e9], ['TB/s', 1e12]];
const steps = {
  us: times,
  ns: times.map(([name, factor]) => [name, factor * 1e3]),
  s: times.map(([name, factor]) => [name, factor / 1e6]),
  bytes: sizes,
  'B/s': rates,
  share: [['%', 0.01]],
  '%': [['%', 1]],
};

/** Returns the unit in which a number of the given unit has one to three digits before the point, and its factor. */
export function fittingUnit(unit, largest) {
  const [first, ...others] = steps[unit] ?? [[unit ?? '', 1]];
  const [name, factor] = others.reduce((best, next) => (largest >= next[1] ? next : best), first);
  return {name, factor};
}

const english = new Intl.NumberFormat('en-US', {maximumFractionDigits: 12});  // making one takes far longer than using it

export function digits(number, most = 4) {
  return english.format(Number(number.toPrecision(most)));
}

/** "9.395 s", "74.51 GiB", "12.3 %"; a word stays as it is. */
export function readable(value, unit, most = unit === 'share' ? 3 : 4) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'number') return String(value);
  const {name, factor} = fittingUnit(unit, Math.abs(value));
  return `${digits(value / factor, most)}${name && `\u00a0${name}`}`;
}

const ends = {us: 'us', ns: 'ns', bytes: 'bytes', share: 'share', pct: '%', use: 'share', utilization: 'share'};

/** Returns the unit of a column, in which its name ends. */
export function unitOf(column) {
  return ends[/[^_]*$/.exec(column)[0]] ?? '';
}
