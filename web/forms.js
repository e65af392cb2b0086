// The forms that charts have, each a Vega specification. A form is a file and a line here.

export const forms = {
  area: require('./forms/area.json'),
  bars: require('./forms/bars.json'),
  columns: require('./forms/columns.json'),
  distribution: require('./forms/distribution.json'),
  grid: require('./forms/grid.json'),
  groups: require('./forms/groups.json'),
  heat: require('./forms/heat.json'),
  lines: require('./forms/lines.json'),
  network: require('./forms/network.json'),
  pairs: require('./forms/pairs.json'),
  points: require('./forms/points.json'),
  stacked: require('./forms/stacked.json'),
  timeline: require('./forms/timeline.json'),
};
