// What the page shows when its address says nothing.

import {varianceShares} from './variance.js';

const enough = 20000;  // runs that tell which key matters most

/** Returns the state in which the page begins. */
export function firstView(study) {
  const [objective] = study.objectives, [first, second] = keysForAxes(study, objective);
  const others = ['network_cost_usd', 'memory_bytes', ...study.results];
  const other = study.objectives[1] ?? others.find((name) => name !== objective && study.results.includes(name));
  return {
    sort: objective ? [{column: objective, down: study.isMoreBetter(objective)}] : [], filters: new Map(), run: null,
    column: study.firstColumns(), axis: study.firstAxes(),
    figures: {
      front: {x: other, y: objective, 'best-x': best(study, other), 'best-y': best(study, objective)},
      shares: {value: objective},
      curves: {x: first, value: objective, line: second ?? '', of: 'mean'},
      heat: {x: first, y: second, value: objective, of: study.isMoreBetter(objective) ? 'most' : 'least'},
    },
  };
}

function best(study, name) {
  return name && study.isMoreBetter(name) ? 'most' : 'least';
}

/** Returns the keys whose values an axis has room for: those on a scale first, and among these the one that matters most for the objective. */
function keysForAxes(study, objective) {
  const keys = study.keys.filter((key) => study.fitsAxis(key)).map((name) => ({name, levels: study.levels(name)}));
  const numbers = objective && study.column(objective).numbers;
  const known = numbers ? study.shuffle.subarray(0, enough).filter((row) => !study.failed[row] && !Number.isNaN(numbers[row])) : [];
  const shares = numbers && varianceShares(known, numbers, keys)?.shares;
  const use = ({name, levels}) => (levels.numbers ? 10 : 0) + (shares?.find((one) => one.name === name).share ?? 0);
  return keys.sort((a, b) => use(b) - use(a)).map(({name}) => name);
}
