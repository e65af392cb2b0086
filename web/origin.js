// What a reader needs to make the results again, and what there was to say when they were made.

import {element} from './element.js';

/** A term with its texts; nothing without any. */
function terms(title, texts) {
  return texts.length > 0 ? [element('dt', {}, title), ...texts.map((text) => element('dd', {}, element('code', {}, text)))] : [];
}

function inputsOf(inputs) {
  const title = (text) => element('th', {scope: 'col'}, text);
  const row = ({file, sha256}) => element('tr', {}, element('td', {}, file), element('td', {}, element('code', {}, sha256)));
  return element('details', {open: inputs.length <= 10}, element('summary', {}, `Files that were read: ${inputs.length}`),
    element('table', {}, element('thead', {}, element('tr', {}, title('File'), title('SHA-256'))),
      element('tbody', {}, ...inputs.map(row))));
}

function originOfSet({name, origin}, several) {
  if (!origin) return [];
  const {command = [], overrides = [], seeds = [], inputs = [], version = ''} = origin;
  return [
    several ? element('h3', {}, name) : null,
    element('dl', {}, ...terms('Simulated by', [`orrery ${version}`]), ...terms('Command', [`orrery ${command.join(' ')}`]),
      ...terms('Values set on the command line', overrides), ...terms('Seeds of random numbers', seeds)),
    inputs.length > 0 ? inputsOf(inputs) : null,
  ];
}

/** What runs say of themselves in a column of a table, each behind its name. */
function messagesOf(tables, name, column) {
  return tables.named(name).flatMap((table) => table.rowsOf().map((row) => `${table.runOf(row)}: ${table.cell(column, row)}`));
}

function messageList(title, lines) {
  if (lines.length === 0) return [];
  return [element('h3', {}, title), element('ul', {}, ...lines.map((line) => element('li', {}, line)))];
}

export function originOf(version, sets, tables) {
  const warnings = [...sets.flatMap((set) => set.origin?.warnings ?? []), ...messagesOf(tables, 'warnings', 'text')];
  return element('section', {id: 'origin'}, element('h2', {}, 'Where this comes from'),
    ...messageList('Runs that failed', messagesOf(tables, 'failures', 'error')), ...messageList('Warnings', warnings),
    ...sets.flatMap((set) => originOfSet(set, sets.length > 1)),
    element('p', {class: 'note'}, `Page made by orrery ${version}. It holds all that it shows and needs no network.`));
}
