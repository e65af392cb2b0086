// What the reader sees of the study, as the end of the page's address (the hash): a link shows the same view again. Only
// what differs from the first view stands there.

const lists = ['column', 'axis'];
const kinds = ['range', 'some', 'has', 'like'];

function conditionText(name, condition) {
  const {kind} = condition;
  if (kind === 'range') return [name, kind, ...[condition.low, condition.high].map((end) => (Number.isFinite(end) ? end : null))];
  return kind === 'some' ? [name, kind, ...condition.words] : [name, kind, condition.text];
}

/** Returns [name, condition] of what conditionText() made; null where the study has no such column or the text is something else. */
function conditionOf(text, columns) {
  const [name, kind, ...rest] = JSON.parse(text), column = columns.get(name);
  if (!column || !kinds.includes(kind) || (kind === 'range') === Boolean(column.words)) return null;
  if (kind === 'range') return [name, {kind, low: Number(rest[0] ?? -Infinity), high: Number(rest[1] ?? Infinity)}];
  const words = rest.map(String);
  return kind === 'some' ? [name, {kind, words}] : [name, {kind, text: words[0] ?? ''}];
}

function sortTexts({sort}) {
  return sort.map(({column, down}) => `${down ? '-' : '+'}${column}`);
}

/** Returns the hash without `#`. */
export function hashOf(state, first) {
  const hash = new URLSearchParams();
  const sort = sortTexts(state);
  if (JSON.stringify(sort) !== JSON.stringify(sortTexts(first))) for (const one of sort.length > 0 ? sort : ['']) hash.append('sort', one);
  for (const [name, condition] of state.filters) hash.append('where', JSON.stringify(conditionText(name, condition)));
  for (const list of lists) {
    if (JSON.stringify(state[list]) !== JSON.stringify(first[list])) for (const one of state[list]) hash.append(list, one);
  }
  for (const [figure, choices] of Object.entries(state.figures)) {
    for (const [role, chosen] of Object.entries(choices))
      if (chosen !== first.figures[figure][role]) hash.append(`${figure}.${role}`, chosen);
  }
  if (state.run) hash.append('run', state.run);
  return hash.toString();
}

function parsed(make) {
  try {
    return make();
  } catch {
    return null;  // a link that somebody has cut shows what it still says
  }
}

/** Returns the state of a hash; what it does not say, or says of columns that are not there, is that of the first view. */
export function stateOf(text, first, columns) {
  const hash = new URLSearchParams(text);
  const state = {...first, figures: structuredClone(first.figures), filters: new Map(), run: hash.get('run')};
  const sort = hash.getAll('sort').map((one) => ({column: one.slice(1), down: one[0] === '-'}));
  if (sort.length > 0) state.sort = sort.filter(({column}) => columns.has(column));
  for (const one of hash.getAll('where')) {
    const condition = parsed(() => conditionOf(one, columns));
    if (condition) state.filters.set(...condition);
  }
  for (const list of lists) {
    const named = [...new Set(hash.getAll(list))].filter((name) => columns.has(name));
    if (named.length > 0) state[list] = named;
  }
  for (const [figure, choices] of Object.entries(state.figures)) {
    for (const role of Object.keys(choices)) choices[role] = hash.get(`${figure}.${role}`) ?? choices[role];
  }
  return state;
}
