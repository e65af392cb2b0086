// Elements of the page. Texts are set as texts, so that names from results never become markup.

/** element('p', {class: 'help'}, 'text', other): attributes, then children; a function is a listener. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const mostListed = 300;
let lists = 0;

/** Of very many options one types the beginning of a name. */
function typedChoice(options, chosen, change) {
  const list = element('datalist', {id: `options-${++lists}`}, ...options.map((option) => element('option', {value: option})));
  const known = new Set(options);
  const input = element('input', {list: list.id, value: chosen, size: 30, change: () => {
    if (known.has(input.value)) change(input.value);
    else input.value = chosen;
  }});
  return [input, list];
}

/** A label with a list to choose from; `names` says what an option is called. */
export function choice(label, options, chosen, change, names = {}) {
  if (options.length > mostListed) return element('label', {class: 'choice'}, `${label} `, ...typedChoice(options, chosen, change));
  const select = element('select', {change: () => change(select.value)},
    ...options.map((option) => element('option', {value: option, selected: option === chosen}, names[option] ?? option)));
  return element('label', {class: 'choice'}, `${label} `, select);
}
