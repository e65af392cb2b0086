// What the page says of a search for layouts: which is the best, how fast it is, what it loses, and what memory it takes.

import {rowsOf} from './rows.js';
import {digits, readable} from './units.js';

/** The layout, whose numbers stay in the line of what they count. */
const wordsOf = (cell) => cell('layout').replaceAll(/ (?=\d)/g, '\u00a0');

const onGpus = (gpus) => `${digits(gpus)}\u00a0GPU${gpus === 1 ? '' : 's'}`;

/** "1.62 times as fast as", or "1.8 times as long as" where the step is longer. */
function ratioOf(step, other) {
  const ratio = digits(step > other ? step / other : other / step, 3);
  return ratio === '1' ? 'as long as' : `${ratio} times as ${step > other ? 'long' : 'fast'} as`;
}

/** How long the best layout's step is, compared with that of another one. */
function compared(best, other, name) {
  const same = best('gpus') === other('gpus');
  const where = `${wordsOf(other)}${same ? '' : ` on ${onGpus(other('gpus'))}`}: ${readable(other('step_us'), 'us')}`;
  const cost = digits((best('step_us') * best('gpus')) / (other('step_us') * other('gpus')), 3);
  return `, ${ratioOf(best('step_us'), other('step_us'))} with ${name} (${where})${same ? '' : ` and ${cost} times its GPU time`}`;
}

function comparison(best, next, own) {
  if (best('own') === 1) return next ? compared(best, next, 'the next best layout') : '';
  if (!own) return '';
  if (own('failure')) return `, where the run of the experiment's own layout (${wordsOf(own)}) fails`;
  if (own('step_us') !== null) return compared(best, own, 'the experiment\'s own layout');
  return `, where the experiment's own layout (${wordsOf(own)}) does not fit, as it needs ` +
    `${readable(own('memory_bytes'), 'bytes')} of ${readable(own('usable_memory_bytes'), 'bytes')}`;
}

/** Which layouts the best one was found among, if these were run on a network. */
function choiceOf(table) {
  if (!table.has('estimated_step_us')) return '';
  const rows = table.rowsOf();
  const count = (...verdicts) => rows.filter((row) => verdicts.includes(table.cell('verdict', row))).length;
  const hasOwn = rows.some((row) => table.cell('own', row) === 1 && table.cell('verdict', row) === 'simulated');
  const ranked = count('simulated');
  const among = `It is the best of ${digits(ranked)} layouts that were run on the network: ${hasOwn ? 'the experiment\'s own and ' : ''}` +
    'those with the shortest estimates';
  const bestOnes = rows.filter((row) => table.cell('verdict', row) === 'simulated' && table.cell('loss', row) !== null);
  const last = Math.max(...bestOnes.map((row) => table.cell('step_us', row)));
  const open = rows.filter((row) => ['estimated', 'beaten'].includes(table.cell('verdict', row)) && table.cell('estimated_step_us', row) < last).length;
  const rest = open > 0 ? `; ${digits(open)} more may be among the best, which more runs would tell.` : '.';
  return ` ${ranked > 1 ? among : 'No other layout was run on the network'}${rest}`;
}

function sentenceOf(table) {
  const find = (column, number) => {
    const row = table.rowsOf().find((one) => table.cell(column, one) === number);
    return row === undefined ? null : (name) => table.cell(name, row);
  };
  const best = find('rank', 1);
  if (!best?.('layout')) return '';
  if (table.has('point'))
    return `The best layout is ${wordsOf(best)}, on ${onGpus(best('gpus'))} at ${best('point')}: ${readable(best('step_us'), 'us')} per step.`;
  const loss = best('loss') ? `most time to ${best('loss')} (${readable(best('loss_share'), 'share')} of the step)` : 'no time to waiting';
  return `The best layout is ${best('own') === 1 ? 'that of the experiment, ' : ''}${wordsOf(best)}, on ${onGpus(best('gpus'))}: ` +
    `${readable(best('step_us'), 'us')} per step${table.has('estimated_step_us') ? ' on the network' : ''}` +
    `${comparison(best, find('rank', 2), find('own', 1))}; it loses ${loss}, and takes ` +
    `${readable(best('memory_bytes'), 'bytes')} of the ${readable(best('usable_memory_bytes'), 'bytes')} of memory that can be used.${choiceOf(table)}`;
}

/** The rows of a figure about layouts, which have shorter names there. */
export function layoutRowsOf(chart, tables, run) {
  const data = rowsOf(chart, tables, run);
  return data && {...data, rows: data.rows.map((row) => ({...row, key: row.category, category: row.category.replace('micro-batch', 'micro')}))};
}

/** Returns what the searches on the page found, a sentence for each; empty without any. */
export function bestLayoutOf(tables) {
  const found = tables.named('layouts').map((table) => [table.set, sentenceOf(table)]).filter(([, sentence]) => sentence);
  return found.map(([set, sentence]) => (set ? `${set}: ${sentence}` : sentence)).join(' ');
}
