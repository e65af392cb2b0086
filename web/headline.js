// The sentence that the page begins with: how long a step takes, and what most of it is lost to. Where layouts were
// searched for, a sentence about the best one stands in front of it.

import {helpOf} from './help.js';
import {bestLayoutOf} from './layouts.js';
import {readable, unitOf} from './units.js';

const culprits = require('./culprits.json');

function stepOf(table, row) {
  return table.cell('step_us', row) ?? table.cell('total_us', row);
}

/** Returns the place where a column of a table is largest; null where there is but one. */
function placeOf(tables, run, {table: name, place}, column) {
  for (const table of tables.of(name, run)) {
    const rows = table.rowsOf(run);
    if (rows.length < 2 || !table.hasNumbers(column)) continue;
    return table.cell(place, rows.reduce((a, b) => ((table.cell(column, b) ?? 0) > (table.cell(column, a) ?? 0) ? b : a)));
  }
  return null;
}

/** Returns the kinds of collectives along an axis, or of the layer that waits longest. */
function kindsOf(tables, run, {table: name, place, column}, axis, layer) {
  for (const table of tables.of(name, run)) {
    if (!table.has(column ?? axis)) continue;
    if (!place) return table.rowsOf(run).flatMap((row) => (table.cell(axis, row) ?? '').split(', ')).filter(Boolean);
    const rows = table.rowsOf(run).filter((row) => layer === null || table.cell(place, row) === layer);
    return [...new Set(rows.map((row) => table.cell(column, row)).filter((kind) => kind !== null))];
  }
  return [];
}

/** "tensor-parallel all-gathers and reduce-scatters", or "tensor-parallel collectives" where these are many or not known. */
function nameOf(tables, run, culprit, {words, of, column}, layer) {
  if (!of) return words;
  const kinds = culprit.kinds ? kindsOf(tables, run, culprit.kinds, column, layer) : [];
  const named = kinds.length > 0 && kinds.length < 3 ? kinds.map((kind) => `${kind}s`).join(' and ') : of;
  return `${words} ${named}`.trim();
}

/** Returns what is waited for most and where that is longest, in words; empty where nothing is known. */
function worstOf(tables, run) {
  for (const culprit of culprits) {
    for (const table of tables.of(culprit.table, run)) {
      const rows = table.rowsOf(run);
      const sums = Object.entries(culprit.columns).filter(([column]) => table.hasNumbers(column)).map(([column, one]) =>
        ({...one, column, sum: rows.reduce((sum, row) => sum + (table.cell(column, row) ?? 0), 0)}));
      const all = sums.reduce((sum, one) => sum + one.sum, 0);
      if (!(all > 0)) continue;
      const worst = sums.reduce((a, b) => (b.sum > a.sum ? b : a));
      const most = worst.sum > all / 2 && worst.sum < all ? 'most of it ' : worst.sum === all ? '' : 'the largest part ';
      const place = placeOf(tables, run, culprit.where, worst.at);
      const name = nameOf(tables, run, culprit, worst, place);
      return `, ${most}for ${name}${place === null ? '' : `, ${culprit.where.text} ${place}`}`;
    }
  }
  return '';
}

/** What a step is lost to: a column of the runs' table, what it is called, and what more is known about it. */
const losses = [
  {column: 'exposed_us', words: 'waiting', more: worstOf},
  {column: 'bubble_us', words: 'bubble', more: () => ''},
  {column: 'idle_us', words: 'idle time', more: () => ''},
];

/** "43 % of it is bubble; 12 % is waiting, most of it for tensor-parallel all-reduces": the largest loss comes first. */
function lossesOf(tables, table, row) {
  const total = table.cell('total_us', row);
  const shares = losses.map((loss) => ({...loss, share: total > 0 ? (table.cell(loss.column, row) ?? 0) / total : 0}))
    .filter(({share}) => share > 0).sort((a, b) => b.share - a.share);
  if (shares.length === 0) return 'none of it is waiting';
  const said = ({share, words, more}, of) => `${readable(share, 'share')} ${of}is ${words}${more(tables, table.runOf(row))}`;
  return shares.map((loss, i) => said(loss, i === 0 ? 'of it ' : '')).join('; ');
}

/** " (28.3 s to 41.2 s in 80 % of cases)": how far off the step may be; empty where no measured run tells. */
function intervalOf(tables, table, row) {
  const low = table.cell('step_low_us', row), high = table.cell('step_high_us', row);
  if (low === null || high === null) return '';
  const share = table.has('interval_share') ? table.cell('interval_share', row) : null;
  return ` (${readable(low, 'us')} to ${readable(high, 'us')}${share === null ? '' : ` in ${readable(share, 'share')} of cases`})`;
}

function ofOneRun(tables, table, row) {
  const step = stepOf(table, row);
  if (step === null) return '';
  const help = helpOf(tables, table.runOf(row), step);
  return `${readable(step, 'us')} per step${intervalOf(tables, table, row)}; ${lossesOf(tables, table, row)}${help && `; ${help}`}.`;
}

function ofSeveralRuns(runs) {
  const steps = runs.map(({table, row}) =>
    ({run: table.runOf(row), step: stepOf(table, row), share: table.cell('exposed_share', row), work: table.cell('work', row)}))
    .filter(({step}) => step !== null).sort((a, b) => a.step - b.step);
  if (steps.length === 0) return '';
  const works = new Set(steps.map(({work}) => work));
  const fastest = steps[0], slowest = steps[steps.length - 1];
  const shares = steps.map(({share}) => share ?? 0);
  const failed = runs.length - steps.length;
  const [least, most] = [fastest, slowest].map(({step}) => readable(step, 'us'));
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) => readable(share, 'share'));
  const waiting = low === high ? low : `${low} to ${high}`, end = failed > 0 ? `; ${failed} failed.` : '.';
  // Steps of different workloads are not compared.
  if (works.size > 1) return `${runs.length} runs of ${works.size} workloads: ${waiting} of a step is waiting${end}`;
  return `${runs.length} runs: a step takes ` +
    (least === most ? `${least} in each` : `from ${least} (${fastest.run}) to ${most} (${slowest.run})`) +
    `, and ${waiting} of it is waiting${end}`;
}

/** What is said of results that have no runs: a column, its unit and words around its least and its largest number. */
const otherHeadlines = require('./headlines.json');

function ofOtherResults(tables) {
  for (const {table: name, column, words, where} of otherHeadlines) {
    for (const table of tables.named(name).filter((one) => one.hasNumbers(column))) {
      const numbers = table.matching(table.rowsOf(), where).map((row) => table.cell(column, row)).filter((number) => number !== null);
      if (numbers.length === 0) continue;
      const [least, largest] = numbers.reduce(([low, high], number) =>
        [Math.min(low, number), Math.max(high, number)], [Infinity, -Infinity]);
      return words.replace('{count}', readable(numbers.length)).replace('{least}', readable(least, unitOf(column)))
        .replace('{largest}', readable(largest, unitOf(column)));
    }
  }
  return '';
}

/** Returns what is said of a run; without one, of all results, where the best layout of a search comes first. */
export function headlineOf(tables, run) {
  const runs = tables.named('runs').flatMap((table) => table.rowsOf(run).map((row) => ({table, row})));
  const best = run === undefined ? bestLayoutOf(tables) : '';
  if (runs.length === 0) return best || ofOtherResults(tables);
  const ofRuns = runs.length === 1 ? ofOneRun(tables, runs[0].table, runs[0].row) : ofSeveralRuns(runs);
  return best && ofRuns ? `${best} The experiment itself: ${ofRuns}` : best || ofRuns;
}
