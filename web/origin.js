// What a reader needs to make the results again.

import {element} from './element.js';

function listed(title, texts) {
  return texts.length > 0 ? [element('dt', {}, title), ...texts.map((text) => element('dd', {}, element('code', {}, text)))] : [];
}

function inputsOf(inputs) {
  if (inputs.length === 0) return null;
  return element('details', {open: inputs.length <= 10}, element('summary', {}, `Files that were read: ${inputs.length}`),
    element('table', {}, element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, 'File'), element('th', {scope: 'col'}, 'SHA-256'))),
      element('tbody', {}, ...inputs.map(({file, sha256}) => element('tr', {}, element('td', {}, file), element('td', {}, element('code', {}, sha256)))))));
}

function originOfSet({name, origin}, several) {
  if (!origin) return [];
  const {command = [], overrides = [], seeds = [], inputs = [], version = ''} = origin;
  return [several ? element('h3', {}, name) : null,
    element('dl', {}, ...listed('Simulated by', [`orrery ${version}`]), ...listed('Command', command.length > 0 ? [`orrery ${command.join(' ')}`] : []),
      ...listed('Values set on the command line', overrides), ...listed('Seeds of random numbers', seeds)),
    inputsOf(inputs)];
}

/** What runs say of themselves in a column of a table, each behind its name. */
function messagesOf(tables, name, column) {
  return tables.named(name).flatMap((table) => table.rowsOf().map((row) => `${table.runOf(row)}: ${table.cell(column, row)}`));
}

function messageList(title, lines) {
  return lines.length > 0 ? [element('h3', {}, title), element('ul', {}, ...lines.map((line) => element('li', {}, line)))] : [];
}

export function originOf(version, sets, tables) {
  const parts = sets.flatMap((set) => originOfSet(set, sets.length > 1)).filter((part) => part !== null);
  return element('section', {id: 'origin'}, element('h2', {}, 'Where this comes from'),
    ...messageList('Runs that failed', messagesOf(tables, 'failures', 'error')),
    ...messageList('Warnings', [...sets.flatMap((set) => set.origin?.warnings ?? []), ...messagesOf(tables, 'warnings', 'text')]), ...parts,
    element('p', {class: 'note'}, `Page made by orrery ${version}. It holds all that it shows and needs no network.`));
}
