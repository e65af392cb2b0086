// The network of a run as the tables of its drawing have it: nodes, links, and what links carried when.

import {fittingUnit, readable, unitOf} from './units.js';

const words = {
  joined: 'Nodes that have the same neighbours are drawn as one.',
  classes: 'The network is large: nodes whose names differ by a number are drawn as one, and so are links between them.',
  dimensions: 'The network is large: of each dimension one group is drawn, and all its links have the colour of the busiest link of the dimension.',
};
const ofAll = 'It is not known which link of a dimension carried what: all have the colour of the busiest.';

/** Returns the rows of a table as objects with some of its columns. */
function objectsOf(table, run, columns) {
  return table.rowsOf(run).map((row) => ({row, ...Object.fromEntries(columns.map((name) => [name, table.cell(name, row)]))}));
}

/** Around a circle there is little room, so that the first of several nodes has to do. */
function labelOf({node, nodes, dimension}) {
  return dimension && nodes > 1 ? `${node.split(' ')[0]} …` : node;
}

/** Gives each node the distance to the one that is nearest in its row, or anywhere where rows are none. */
function giveRoom(nodes) {
  for (const node of nodes) {
    node.room = nodes.reduce((least, other) => {
      const away = other === node ? Infinity : Math.hypot(other.x - node.x, (other.y - node.y) * 4);
      return Math.min(least, away);
    }, Infinity);
    if (node.room === Infinity) node.room = 1;
  }
}

/** Returns what surrounds all nodes, and the least distance between two. */
function extentOf(nodes) {
  const of = (get) => nodes.reduce(([low, high], node) => [Math.min(low, get(node)), Math.max(high, get(node))], [Infinity, -Infinity]);
  const [left, right] = of((node) => node.x), [low, high] = of((node) => node.y);
  const room = nodes.reduce((least, node) => Math.min(least, node.room), Infinity);
  return {x: left, y: low, width: right - left, height: high - low, room};
}

/** Returns the dimensions that are drawn by themselves, and the middle of each. */
function panelsOf(nodes) {
  const groups = new Map();
  for (const {dimension, x} of nodes) if (dimension) groups.set(dimension, [...(groups.get(dimension) ?? []), x]);
  return [...groups].map(([text, places]) => ({text, x: (Math.min(...places) + Math.max(...places)) / 2}));
}

/** Returns what links carried in each interval, by the interval's number; null where that is not known. */
function momentsOf(table, run, column) {
  if (!table?.hasNumbers(column)) return null;
  const starts = [...new Set(table.rowsOf(run).map((row) => table.cell('start_us', row)))].sort((a, b) => a - b);
  const numbers = new Map(starts.map((start, i) => [start, i]));
  const values = starts.map(() => new Map());
  const ends = [];
  for (const row of table.rowsOf(run)) {
    const number = numbers.get(table.cell('start_us', row));
    values[number].set(table.cell('link', row), table.cell(column, row));
    ends[number] = table.cell('end_us', row);
  }
  return starts.map((start, i) => ({start, end: ends[i], values: values[i]}));
}

function unitOfQuantity(column) {
  return column === 'longest_queue' ? 'bytes' : unitOf(column);
}

export function networkOf(chart, tables, run, chosen = {}) {
  const [links] = tables.of(chart.table, run), [places] = tables.of(chart.nodes, run), [history] = tables.of(chart.history, run);
  if (!links || !places || links.rows === 0) return null;
  const quantities = Object.keys(chart.columns.value).filter((column) =>
    links.hasNumbers(column) && (column === 'utilization' || links.columns.get(column).numbers.some((number) => number > 0)));
  if (quantities.length === 0) return null;
  const value = quantities.includes(chosen.value) ? chosen.value : quantities[0];
  const nodes = objectsOf(places, run, ['node', 'kind', 'nodes', 'x', 'y', 'dimension', 'shows']).map((node) => ({...node, name: node.node, label: labelOf(node)}));
  giveRoom(nodes);
  const rows = links.rowsOf(run).map((row) => {
    const cell = (column) => links.cell(column, row);
    return {row, table: links, x1: cell('x1'), y1: cell('y1'), x2: cell('x2'), y2: cell('y2'), bend: cell('bend'), number: cell('link'),
            loop: cell('from') === cell('to'), whole: cell(value), value: cell(value) ?? 0};
  }).sort((a, b) => a.value - b.value);  // the busiest are drawn last
  const moments = momentsOf(history, run, chart.moments[value]);
  const largest = Math.max(0, ...rows.map((row) => row.value), ...(moments ?? []).flatMap((moment) => [...moment.values.values()]));
  const {name, factor} = fittingUnit(unitOfQuantity(value), largest);
  for (const row of rows) row.value /= factor;
  const {shows} = nodes[0];
  const notes = [words[shows], shows !== 'dimensions' && places.rows < total(nodes) ? `${places.rows} drawn nodes stand for ${total(nodes)}.` : '',
                 links.hasWords('of_all') && shows !== 'dimensions' ? ofAll : ''];
  return {
    rows, units: {value: name}, factor, parts: [], moments, note: notes.filter(Boolean).join(' '),
    more: {nodes, panels: panelsOf(nodes)},
    titles: {value: chart.columns.value[value]}, choices: {value: quantities}, chosen: {value},
    signals: {extent: extentOf(nodes), most: largest > 0 ? largest / factor : 1},
  };
}

function total(nodes) {
  return nodes.reduce((sum, node) => sum + node.nodes, 0);
}

/**
 * Returns the rows with their values in an interval; in the whole run without one. Links of which nothing is known have none.
 * Only what has a name is copied, as Vega numbers the rows that it has seen by a symbol of theirs.
 */
export function valuesAt(data, moment) {
  return data.rows.map((row) => {
    const value = moment ? moment.values.get(row.number) ?? null : row.whole ?? 0;
    return {...Object.fromEntries(Object.entries(row)), value: value === null ? null : value / data.factor};
  });
}

/** Returns what a link or node stands for, as [label, text] pairs. */
export function described(datum) {
  if (datum.kind) return [['', datum.name], ['', datum.kind], ['stands for', datum.nodes > 1 ? `${datum.nodes} nodes` : '']];
  const cell = (column) => datum.table.cell(column, datum.row);
  const amount = (column, unit) => (cell(column) ? readable(cell(column), unit ?? unitOf(column)) : '');
  const several = cell('links') > 1;
  return [
    ['', `${cell('from')} ${cell('both_ways') ? '↔' : '→'} ${cell('to')}`], ['dimension', cell('dimension')],
    ['stands for', several ? `${cell('links')} links${cell('of_all') ? ', all of the dimension' : ''}` : ''],
    [several ? 'use of the busiest' : 'use', readable(cell('utilization') ?? 0, 'share')],
    ['use on average', several ? readable(cell('mean_utilization') ?? 0, 'share') : ''],
    ['carried', amount('bytes', 'bytes')], ['longest queue', amount('longest_queue', 'bytes')], ['packets lost', amount('drops', '')],
    ['packets marked', amount('marks', '')], ['pauses', amount('pauses', '')], ['paused for', amount('paused_us')],
  ];
}
