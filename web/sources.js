// Where the rows of a chart come from: a function (chart, tables, run, chosen) that returns them with their units and
// what else the figure needs, or null where the tables have nothing for the chart.

import {changedLayersOf, changedLinksOf, changedTimesOf} from './changes.js';
import {frontOf} from './front.js';
import {helpRowsOf} from './help.js';
import {historyOf, levelsOf} from './history.js';
import {Intervals} from './intervals.js';
import {layoutRowsOf} from './layouts.js';
import {memoryOf} from './memory.js';
import {networkOf} from './network.js';
import {rowsOf} from './rows.js';
import {curvesOf, gridOf} from './sweep.js';

function intervalsOf(chart, tables, run) {
  const {columns} = chart;
  const needed = [...columns.lane, columns.start, columns.end, columns.part];
  const table = tables.of(chart.table, run).find((one) => one.rows > 0 && needed.every((name) => one.has(name)));
  if (!table) return null;
  const rows = table.rowsOf(run);
  if (rows.length === 0) return null;
  const intervals = new Intervals(table, columns, rows, chart.lanes);
  return {rows: [], units: {}, parts: intervals.kinds, intervals, shown: intervals.lanes.length, total: intervals.allLanes,
          signals: {lanes: intervals.lanes, span: intervals.whole}};
}

/** ASTRA-sim 1.0 counts dimensions from 1, where everything else has their names. */
function dimensionsOf(chart, tables, run) {
  const data = rowsOf(chart, tables, run);
  const names = tables.of('dimensions', run).flatMap((table) => table.rowsOf(run).map((row) => table.cell('name', row)));
  const nameOf = (part) => names[Number(/\d+$/.exec(part)) - 1] ?? part;
  return data && {...data, rows: data.rows.map((row) => ({...row, part: nameOf(row.part)})), parts: data.parts.map(nameOf)};
}

const sources = {rows: rowsOf, intervals: intervalsOf, curves: curvesOf, grid: gridOf, front: frontOf, memory: memoryOf, network: networkOf,
                 history: historyOf, help: helpRowsOf, layouts: layoutRowsOf, levels: levelsOf, dimensions: dimensionsOf,
                 changedTimes: changedTimesOf, changedLayers: changedLayersOf, changedLinks: changedLinksOf};

export function dataOf(chart, tables, run, chosen) {
  return sources[chart.source ?? 'rows'](chart, tables, run, chosen);
}
