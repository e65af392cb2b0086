// The charts of the page, in the order in which they stand on it. A chart is a file and a line here.

/** The picture under the first sentence. */
export const overview = require('./charts/overview.json');

export const sections = [
  {title: 'Layouts compared', charts: [
    require('./charts/best-layouts.json'),
    require('./charts/layouts.json'),
  ]},
  {title: 'Runs compared', charts: [
    require('./charts/curves.json'),
    require('./charts/grid.json'),
    require('./charts/run-front.json'),
    require('./charts/speedups.json'),
    require('./charts/overheads.json'),
    require('./charts/crosscheck.json'),
  ]},
  {title: 'What changes', charts: [
    require('./charts/changed-times.json'),
    require('./charts/changed-links.json'),
    require('./charts/changed-layers.json'),
  ]},
  {title: 'Computation and waiting', charts: [
    require('./charts/axes.json'),
    require('./charts/stages.json'),
    require('./charts/stage-times.json'),
    require('./charts/parts.json'),
    require('./charts/rank-times.json'),
    require('./charts/layers.json'),
    require('./charts/layer-communication.json'),
    require('./charts/layer-latency.json'),
    require('./charts/queueing.json'),
    require('./charts/network-delay.json'),
    require('./charts/ranks.json'),
  ]},
  {title: 'What limits, and what would help', charts: [
    require('./charts/sensitivity.json'),
    require('./charts/sensitivity-fitted.json'),
    require('./charts/measured.json'),
    require('./charts/path-activities.json'),
    require('./charts/path-layers.json'),
    require('./charts/path-communication.json'),
    require('./charts/path-links.json'),
    require('./charts/path-computing.json'),
    require('./charts/path-parts.json'),
    require('./charts/path-ranks.json'),
    require('./charts/critical-path.json'),
  ]},
  {title: 'Timeline', charts: [
    require('./charts/timeline.json'),
    require('./charts/nodes.json'),
  ]},
  {title: 'Memory', charts: [
    require('./charts/memory-history.json'),
    require('./charts/memory-parts.json'),
    require('./charts/memory.json'),
    require('./charts/device-memory.json'),
  ]},
  {title: 'Network', charts: [
    require('./charts/network.json'),
    require('./charts/dimension-use.json'),
    require('./charts/dimension-payload.json'),
    require('./charts/dimensions.json'),
    require('./charts/links.json'),
    require('./charts/flow-links.json'),
    require('./charts/level-load.json'),
    require('./charts/link-load.json'),
    require('./charts/queue-history.json'),
    require('./charts/link-queues.json'),
    require('./charts/link-faults.json'),
    require('./charts/link-pauses.json'),
    require('./charts/switches.json'),
    require('./charts/switch-history.json'),
  ]},
  {title: 'Messages and flows', charts: [
    require('./charts/flows.json'),
    require('./charts/flow-slowdown.json'),
    require('./charts/flow-times.json'),
    require('./charts/messages.json'),
    require('./charts/latencies.json'),
  ]},
];
