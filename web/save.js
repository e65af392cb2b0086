// Files that a reader takes from the page.

function save(name, url) {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

function saveText(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  save(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** `view` is a function that makes one, as images are drawn by a view of their own: in light, whatever the page is in. */
export const savers = {
  SVG: async (name, view) => saveText(`${name}.svg`, 'image/svg+xml', await view().toSVG()),
  PNG: async (name, view) => save(`${name}.png`, await view().toImageURL('png', 2)),
};

export function saveCsv(name, text) {
  saveText(`${name}.csv`, 'text/csv', text);
}
