// What is known of runs, for the head of the page: what was trained on what, how fast, and what memory that took.

import {element} from './element.js';
import {digits, readable} from './units.js';

const mostListed = 12;

/** "61.2 of 80 GB (57 GiB)": devices are sold by powers of ten, and figures have powers of two. */
function memoryOf(bytes, limit) {
  if (!(bytes > 0)) return '';
  const own = readable(bytes, 'bytes', 3);
  return limit > 0 ? `${digits(bytes / 1e9, 3)} of ${digits(limit / 1e9, 3)}\u00a0GB (${own})` : own;
}

/** Returns the row of a table that is about a run, as a function from a column to its cell. */
function rowOf(tables, name, run) {
  for (const table of tables.of(name, run)) {
    const [row] = table.rowsOf(run);
    if (row !== undefined) return (column) => table.cell(column, row);
  }
  return () => null;
}

/** "1024 × H100", and the links or dimensions of its network. */
function machineOf(tables, run, cell, training) {
  const npus = cell('npus'), device = training('device');
  const dimensions = tables.of('dimensions', run).flatMap((table) =>
    table.rowsOf(run).map((row) => [table.cell('topology', row), table.cell('name', row)])).filter(([form]) => form);
  const network = dimensions.map(([form, name]) => (name ? `${form} (${name})` : form)).join(' × ');
  const count = npus ? `${digits(npus, 9)} ${device ? `× ${device}` : npus === 1 ? 'NPU' : 'NPUs'}` : '';
  return [count, training('links') ?? network].filter(Boolean).join(', ');
}

/** Returns what is known of a run as a map from a word to a text. */
export function factsOf(tables, run) {
  const cell = rowOf(tables, 'runs', run), training = rowOf(tables, 'training', run), memory = rowOf(tables, 'memory', run);
  const speed = cell('tokens_per_second'), use = cell('model_flop_utilization');
  const software = training('software'), named = training('software_is_named');
  const facts = {
    Model: training('model'), Layout: training('layout'), Machine: machineOf(tables, run, cell, training),
    Software: software ? `${software}${named === false || named === 'false' ? ' (none is named)' : ''}` : '',
    'Network model': cell('network_model'),
    'Tokens/s': speed ? digits(speed) : '', MFU: use ? readable(use, 'share') : '',
    Memory: memoryOf(cell('memory_bytes') ?? memory('total_bytes'), training('device_memory_bytes') ?? memory('capacity_bytes')),
  };
  return new Map(Object.entries(facts).filter(([, text]) => text));
}

/** Returns what all runs have in common as a line, and the rest as a table with a row for each run. */
export function headOf(tables) {
  const known = tables.runs.map((run) => [run, factsOf(tables, run)]).filter(([, facts]) => facts.size > 0);
  if (known.length === 0) return [];
  const names = [...new Set(known.flatMap(([, facts]) => [...facts.keys()]))];
  const textOf = (facts, name) => facts.get(name) ?? '';
  const isCommon = (name) => known.every(([, facts]) => textOf(facts, name) === textOf(known[0][1], name));
  const common = names.filter(isCommon), others = names.filter((name) => !isCommon(name));
  const line = common.flatMap((name, i) => [i > 0 ? ' · ' : '', `${name} `, element('b', {}, textOf(known[0][1], name))]);
  return [common.length > 0 ? element('p', {class: 'facts'}, ...line) : null, others.length > 0 ? tableOf(known, others, textOf) : null]
    .filter(Boolean);
}

function tableOf(known, names, textOf) {
  const row = (tag, cells) => element('tr', {}, ...cells.map((cell) => element(tag, tag === 'th' ? {scope: 'col'} : {}, cell)));
  const telling = known.filter(([, facts]) => names.some((name) => facts.has(name)));
  const shown = telling.slice(0, mostListed);
  return element('div', {class: 'scroll facts', tabindex: 0}, element('table', {},
    element('thead', {}, row('th', ['Run', ...names])),
    element('tbody', {}, ...shown.map(([run, facts]) => row('td', [run, ...names.map((name) => textOf(facts, name))])))),
    shown.length < telling.length ? element('p', {class: 'note'}, `The first ${mostListed} of ${telling.length} runs.`) : null);
}
