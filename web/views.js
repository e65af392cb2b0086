// Makes the view of a chart, a Vega specification: that of its form, filled with rows, colours and titles.

import {parse, View} from 'vega';
import {expressionInterpreter} from 'vega-interpreter';
import {forms} from './forms.js';
import {colorsOf, inksOf, rampOf, themeOf} from './theme.js';

/** Returns what an axis is called: what the chart says, and the unit. */
function titlesOf(chart, units) {
  return Object.fromEntries(Object.entries(chart.titles ?? {}).map(([role, title]) =>
    [role, units[role] ? `${title}, ${units[role]}` : title]));
}

const usualWidth = 1100, phone = 500;  // in pixels: a page on a desk, and the most that a telephone shows
const letter = 6.6, symbol = 34;  // in pixels: a letter of a key, and its symbol with the space around it
const labelLetter = 5.9;  // of a label; long ones lose their middle, as beginnings are often the same

/** Returns how many keys of a legend stand beside one another, so that none is cut off. */
function legendColumns(parts, width) {
  const widths = parts.map((part) => String(part).length * letter + symbol);
  if (widths.reduce((sum, one) => sum + one, 0) <= width) return Math.max(1, parts.length);
  return Math.max(1, Math.floor(width / Math.max(...widths)));
}

/**
 * What depends on the width of a figure: how long labels on the left may be, how many ticks and keys stand in a row, and how
 * long a ramp of colours is. Keys stand above the plot, to the right of the labels, of which `longest` is the longest.
 */
function roomOf(parts, width, longest) {
  const labelRoom = Math.round(width < phone ? width * 0.42 : Math.min(220, width * 0.3));
  const beside = width - Math.max(60, Math.min(labelRoom, longest * letter) + 24);
  return {
    labelRoom, labelLetters: Math.floor(labelRoom / labelLetter), ticks: Math.max(2, Math.min(8, Math.floor(width / 90))), keys: legendColumns(parts, beside),
    keyRoom: Math.min(260, beside - symbol), rampLength: Math.min(240, beside - 20),
  };
}

/** Returns the number of letters of the longest label on the left. */
function longestLabel(form, data) {
  if (!form.scales.some(({name, type}) => name === 'y' && type === 'band')) return 0;
  return [...data.rows.map(({category, y}) => category ?? y), ...(data.signals?.lanes ?? [])].reduce((most, text) => Math.max(most, String(text).length), 0);
}

/**
 * Returns the specification as it is to be parsed; `data` are the rows and units of a chart, `more` further signals, and
 * `width` is that of the figure.
 */
export function specification(chart, data, dark, more = {}, width = usualWidth) {
  const form = structuredClone(forms[chart.form]);
  const longest = data.rows.reduce((most, {category}) => Math.max(most, String(category).length), 0);
  const signals = {
    longest, parts: data.parts, colors: colorsOf(data.parts, dark), ramp: rampOf(dark), titles: titlesOf(chart, data.units),
    ...inksOf(dark), ...roomOf(data.parts, width, longestLabel(form, data)), ...more,
  };
  form.signals = [...Object.entries(signals).map(([name, value]) => ({name, value})),
                  ...(form.signals ?? []).filter(({name}) => !(name in signals))];
  // Vega takes no signal as the type of a scale.
  for (const scale of form.scales) if (scale.type?.signal) scale.type = signals[scale.type.signal];
  if (data.parts.every((part) => part === '')) form.legends = form.legends?.filter(({type}) => type === 'gradient');
  form.data[0].values = data.rows;
  for (const set of form.data) if (data.more?.[set.name]) set.values = data.more[set.name];
  return {autosize: {type: 'fit-x', contains: 'padding'}, padding: 4, description: chart.title, ...form};
}

/** Without `element` the view draws nothing until it is asked for an image. */
export function viewOf(spec, dark, options) {
  return new View(parse(spec, themeOf(dark), {ast: true}), {expr: expressionInterpreter, hover: true, ...options});
}
