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

/** A label with a list to choose from; `names` says what an option is called. */
export function choice(label, options, chosen, change, names = {}) {
  const select = element('select', {change: () => change(select.value)},
    ...options.map((option) => element('option', {value: option, selected: option === chosen}, names[option] ?? option)));
  return element('label', {class: 'choice'}, `${label} `, select);
}
