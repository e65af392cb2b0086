// What the page begins with: what the study found in a sentence, and why runs failed.

import {element} from '../element.js';
import {counted, runsCounted} from './columns.js';
import {failuresOf, nameOfKind} from './failures.js';

const mostNamed = 3, mostListed = 30;

function others(count) {
  return count > 1 ? ` and ${counted(count - 1)} equal ${count > 2 ? 'ones' : 'one'}` : '';
}

/** "step time is from 1 ms (run a) to 9 ms (run b)", of the runs that did not fail. */
function spanOf(study, name) {
  const column = study.column(name), {numbers} = column;
  const least = {row: -1, count: 0}, most = {row: -1, count: 0};
  const note = (end, row, isBeyond) => {
    if (end.row < 0 || isBeyond(numbers[row], numbers[end.row])) Object.assign(end, {row, count: 1});
    else if (numbers[row] === numbers[end.row]) ++end.count;
  };
  for (let row = 0; row < study.rows; ++row) {
    if (study.failed[row] || Number.isNaN(numbers[row])) continue;
    note(least, row, (a, b) => a < b);
    note(most, row, (a, b) => a > b);
  }
  const said = ({row, count}) => `${column.text(row)} (${study.runName(row)}${others(count)})`;
  return least.row < 0 ? `${column.title} is not known of any` : `${column.title} is from ${said(least)} to ${said(most)}`;
}

export function headlineOf(study) {
  const [objective] = study.objectives, runs = runsCounted(study.rows);
  if (study.rows > 0 && study.failures === study.rows) return `${runs}: all failed.`;
  return objective ? `${runs}: ${spanOf(study, objective)}.` : `${runs}.`;
}

function keysLine(study) {
  if (study.keys.length === 0) return element('p', {class: 'facts'}, 'No key has more than one value.');
  return element('p', {class: 'facts'}, 'Keys that vary: ', ...study.keys.flatMap((key, i) =>
    [i > 0 ? ' · ' : '', element('b', {}, study.titleOf(key)), ` ${counted(study.column(key).distinct)} values`]));
}

function failuresLine(page) {
  const {study} = page;
  if (study.failures === 0) return null;
  const rows = [...study.failed.keys()].filter((row) => study.failed[row]);
  const kinds = failuresOf(rows, study.column('reason'));
  const named = kinds.slice(0, mostNamed).map((kind) => `${nameOfKind(kind)} (${counted(kind.count)})`);
  const rest = kinds.slice(mostNamed).reduce((sum, {count}) => sum + count, 0);
  if (rest > 0) named.push(`other reasons (${counted(rest)})`);
  const filter = (text) => () => page.filter('reason', {kind: 'like', text});
  const show = ({kind}) => element('button', {type: 'button', class: 'plain', click: filter(kind)}, 'show in the table');
  const item = (kind) => element('li', {}, `${counted(kind.count)}: ${nameOfKind(kind)}`,
    kind.several ? `, such as: ${kind.example} ` : ' ', study.column('reason') ? show(kind) : null);
  const count = `${runsCounted(study.failures)} failed: `;
  return element('div', {class: 'failures'}, element('p', {}, element('b', {}, count), `${named.join(', ')}.`),
    element('details', {}, element('summary', {}, `All reasons: ${counted(kinds.length)}`), element('ul', {}, ...kinds.slice(0, mostListed).map(item)),
      kinds.length > mostListed ? element('p', {class: 'note'}, `The ${mostListed} most frequent of ${counted(kinds.length)}.`) : null));
}

export function headOf(page) {
  const {study} = page;
  const headline = headlineOf(study);
  return element('header', {}, element('p', {class: 'name'}, study.name), element('h1', {class: 'long'}, headline), keysLine(study), failuresLine(page));
}
