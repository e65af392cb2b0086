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

/** Returns the specification as it is to be parsed; `data` are the rows and units of a chart, `more` further signals. */
export function specification(chart, data, dark, more = {}) {
  const form = structuredClone(forms[chart.form]);
  const longest = data.rows.reduce((most, {category}) => Math.max(most, String(category).length), 0);
  const signals = {
    longest, parts: data.parts, colors: colorsOf(data.parts, dark), ramp: rampOf(dark), titles: titlesOf(chart, data.units),
    ...inksOf(dark), ...more,
  };
  form.signals = [...Object.entries(signals).map(([name, value]) => ({name, value})),
                  ...(form.signals ?? []).filter(({name}) => !(name in signals))];
  // Vega takes no signal as the type of a scale.
  for (const scale of form.scales) if (scale.type?.signal) scale.type = signals[scale.type.signal];
  if (data.parts.length < 2) form.legends = form.legends?.filter(({type}) => type === 'gradient');  // one part needs no key
  form.data[0].values = data.rows;
  for (const set of form.data) if (data.more?.[set.name]) set.values = data.more[set.name];
  return {autosize: {type: 'fit-x', contains: 'padding'}, padding: 4, description: chart.title, ...form};
}

/** Without `element` the view draws nothing until it is asked for an image. */
export function viewOf(spec, dark, options) {
  return new View(parse(spec, themeOf(dark), {ast: true}), {expr: expressionInterpreter, hover: true, ...options});
}
