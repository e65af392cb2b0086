// What would make a run shorter, in words: the parameter that gains most (sensitivity.csv), of those that somebody can
// buy or choose.

import {rowsOf} from './rows.js';
import {digits, readable} from './units.js';

const groups = require('./parameters.json');

const least = 0.001;  // of the run's time, to be worth a word
const number = /^(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*(.*)$/;
const prefixes = {'': 1, K: 1e3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, m: 1e-3, u: 1e-6, n: 1e-9, p: 1e-12,
                  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40};

/** Returns by how many percent a value with a unit grows, in words such as "+25 %"; null where one of them is a word. */
function growth(from, to) {
  const [, before, unit] = number.exec(from) ?? [], [, after, unitAfter] = number.exec(to) ?? [];
  if (before === undefined || after === undefined) return null;
  const scaleOf = (text) => /^(Ki|Mi|Gi|Ti|[KkMGTPmunp]?)(?:b|B|FLOP|Hz|s$)/.exec(text)?.[1] ?? '';
  const percent = ((after * prefixes[scaleOf(unitAfter)]) / (before * prefixes[scaleOf(unit)]) - 1) * 100;
  return Number.isFinite(percent) ? `${percent > 0 ? '+' : '−'}${digits(Math.abs(percent), 3)}\u00a0%` : null;
}

function withoutRun(key, run) {
  return key.startsWith(`runs.${run}.`) ? key.slice(`runs.${run}.`.length) : key;
}

/**
 * The rows of a figure about what would help: keys without the run and without `platform`, so that telephones have room for
 * them. Behind a key stands what is tried, where that is a word, or where several numbers are tried.
 */
export function helpRowsOf(chart, tables, run) {
  const data = rowsOf(chart, tables, run);
  if (!data) return null;
  const keys = data.rows.map(({category}) => category.replace(/ \(\d+\)$/, ''));
  const isNamed = (to, i) => number.test(to) && keys.indexOf(keys[i]) === keys.lastIndexOf(keys[i]);
  return {...data, rows: data.rows.map((row, i) =>
    ({...row, key: keys[i], category: withoutRun(keys[i], run).replace(/^platform\./, '') + (isNamed(String(row.to), i) ? '' : `: ${row.to}`)}))};
}

/** "platform.inside.bandwidth" is "bandwidth of links inside a node"; `names` are those of the network's dimensions. */
export function wordsOf(key, run, names = []) {
  const own = withoutRun(key, run);
  const [all, dimension, what] = /^(?:.*\.)?networks?\.(\d+)\.(.+)$/.exec(own) ?? [];
  if (all) return `${what.replaceAll(/[.-]/g, ' ')} of ${names[dimension] ?? `network dimension ${dimension}`}`;
  const group = Object.keys(groups).find((prefix) => own.startsWith(`${prefix}.`));
  const rest = (group ? own.slice(group.length + 1) : own.replace(/^(networks|network|systems|platforms|devices)\./, '')).replaceAll('.', ' ');
  return `${rest.replaceAll('-', ' ')}${group ? ` ${groups[group]}` : ''}`;
}

/** "+25 % bandwidth of links between nodes would save 0.4 s" of a step; empty where nothing is known or nothing helps. */
export function helpOf(tables, run, step) {
  for (const table of tables.of('sensitivity', run)) {
    const rows = table.rowsOf(run).filter((row) =>
      table.cell('gain', row) >= least && table.cell('total_us', row) !== null && table.cell('kind', row) !== 'fitted');
    if (rows.length === 0) continue;
    const best = rows.reduce((a, b) => (table.cell('gain', b) > table.cell('gain', a) ? b : a));
    const saved = readable(step * table.cell('gain', best), 'us');
    const names = tables.of('dimensions', run).flatMap((one) => one.rowsOf(run).map((row) => one.cell('name', row)));
    const from = String(table.cell('from', best) ?? ''), to = String(table.cell('to', best) ?? ''), name = wordsOf(table.cell('key', best), run, names);
    const more = growth(from, to);
    return more ? `${more} ${name} would save ${saved}` : `${to} in place of ${from} as ${name} would save ${saved}`;
  }
  return '';
}
