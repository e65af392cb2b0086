// The figures of the page that Vega draws: what they are called, what can be chosen, and what their marks say.

import {element} from '../element.js';
import {digits} from '../units.js';
import {counted} from './columns.js';
import {curvesFigure, frontFigure, heatFigure, sharesFigure} from './figures.js';

const goals = {least: 'less is better', most: 'more is better'};
const statistics = {mean: 'mean', least: 'least', most: 'most'};
const mostListed = 50;

function pick(role, label, options, names) {
  return {role, label, options, names};
}

/** Keys whose values fit on an axis. */
function axisKeys(study) {
  return study.keys.filter((key) => study.fitsAxis(key));
}

/** Names with links, as a canvas cannot be read by everyone. */
function frontList(page, {front = []}, {x, y}) {
  if (front.length === 0) return [];
  const {study} = page, shown = front.slice(0, mostListed);
  const row = (tag, cells) => element('tr', {}, ...cells.map((cell) => element(tag, tag === 'th' ? {scope: 'col'} : {}, cell)));
  const list = element('table', {}, element('thead', {}, row('th', ['Run', study.titleOf(x), study.titleOf(y)])),
    element('tbody', {}, ...shown.map((at) => row('td', [
      element('button', {type: 'button', class: 'plain', click: () => page.open(at)}, study.runName(at)),
      study.column(x).text(at), study.column(y).text(at)]))));
  const rest = shown.length < front.length ? element('p', {class: 'note'}, `The first ${mostListed} of them.`) : null;
  return [element('details', {}, element('summary', {}, `Runs on the front: ${counted(front.length)}`),
    element('div', {class: 'rows', tabindex: 0}, list), rest)];
}

/** The shares as numbers. */
function shareList(page, {rows = []}) {
  if (rows.length === 0) return [];
  const row = (tag, cells) => element('tr', {}, ...cells.map((cell) => element(tag, tag === 'th' ? {scope: 'col'} : {}, cell)));
  const list = element('table', {}, element('thead', {}, row('th', ['Key', 'Share'])),
    element('tbody', {}, ...rows.map(({category, value}) => row('td', [category, `${digits(value, 3)} %`]))));
  return [element('details', {}, element('summary', {}, 'Shares as numbers'), element('div', {class: 'rows', tabindex: 0}, list))];
}

function runsOf({runs, known}) {
  const isWhole = known === undefined || known === runs;
  return ['runs', `${counted(runs)}${isWhole ? '' : `, of which ${counted(runs - known)} failed or lack the quantity`}`];
}

export const figureKinds = {
  shares: {
    title: 'Which key matters most', make: sharesFigure, extra: shareList, navigation: 'Keys',
    help: 'The share of the variance of a quantity that each key explains by itself, and what is left for interactions of keys. ' +
      'With all keys varied independently, these are first-order Sobol indices.',
    fits: (study) => study.results.length > 0 && study.keys.length > 0,
    controls: (study) => [pick('value', 'Quantity', study.results)],
    describe: (row, titles, textOf) => [['', row.category], [row.part, `${textOf('value')} %`]],
  },
  front: {
    title: 'Trade-offs', make: frontFigure, extra: frontList, navigation: 'Trade-offs',
    help: 'Each run by two quantities. The line is the Pareto front: no other run is better than one on it in one quantity without ' +
      'being worse in the other. A click on a run opens it.',
    fits: (study) => study.numbers.length > 1 && study.results.length > 0,
    controls: (study) => [pick('x', 'x axis', study.numbers), pick('best-x', 'where', ['least', 'most'], goals),
      pick('y', 'y axis', study.numbers), pick('best-y', 'where', ['least', 'most'], goals)],
    describe: (row, titles, textOf) =>
      [['', row.part], [titles.x, textOf('x')], [titles.value, textOf('value')], ['', row.front ? 'on the front' : '']],
  },
  curves: {
    title: 'Response to a key', make: curvesFigure, navigation: 'Responses',
    help: 'A quantity against one key, with a line for each value of another key, over all values of the other keys.',
    fits: (study) => study.results.length > 0 && study.keys.length > 0,
    controls: (study, chosen) => [pick('x', 'Key', axisKeys(study)), pick('value', 'Quantity', study.results),
      pick('line', 'Line for each', ['', ...axisKeys(study).filter((key) => key !== chosen.x)], {...study.titles, '': 'no key'}),
      pick('of', 'Show', Object.keys(statistics), statistics)],
    describe: (row, titles, textOf) => [['', row.part], [titles.x, row.label], [titles.value, textOf('value')], runsOf(row)],
  },
  heat: {
    title: 'Two keys at once', make: heatFigure, navigation: 'Two keys',
    help: 'A quantity for each pair of values of two keys, over all values of the other keys.',
    fits: (study) => study.results.length > 0 && axisKeys(study).length > 1,
    controls: (study, chosen) => [pick('x', 'x axis', axisKeys(study)), pick('y', 'y axis', axisKeys(study).filter((key) => key !== chosen.x)),
      pick('value', 'Quantity', study.results), pick('of', 'Show', Object.keys(statistics), statistics)],
    describe: (row, titles, textOf) => [[titles.x, row.x], [titles.y, row.y],
      [titles.value, row.value === undefined ? 'is not known of any run' : textOf('value')], runsOf(row)],
  },
};
