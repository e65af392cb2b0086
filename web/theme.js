// Colours and letters of the figures, in light and in dark. Whatever means the same has the same colour everywhere.

const meanings = {
  light: {compute: '#2f6db3', bubble: '#8b949e', waiting: '#d1741f', communication: '#2e9c8f', idle: '#d0d7de',
          hardware: '#2f6db3', layout: '#d1741f', software: '#2e9c8f', fitted: '#8b949e'},
  dark: {compute: '#6aa5e8', bubble: '#8b949e', waiting: '#f0a050', communication: '#4fc4b4', idle: '#444d56',
         hardware: '#6aa5e8', layout: '#f0a050', software: '#4fc4b4', fitted: '#8b949e'},
};
const others = {
  light: ['#2f6db3', '#d1741f', '#2e9c8f', '#a34a9c', '#b5892b', '#5b7f2b', '#c0455a', '#6b5fc7', '#6e7781'],
  dark: ['#6aa5e8', '#f0a050', '#4fc4b4', '#d58ad0', '#dcb95a', '#9cc466', '#ec8093', '#a79df0', '#aab2bb'],
};
const alike = {exposed: 'waiting', collective: 'communication', collectives: 'communication'};

/** Returns a colour for each part: that of its meaning, or one that no meaning among the parts has. */
export function colorsOf(parts, dark) {
  const mode = dark ? 'dark' : 'light';
  const meaning = (part) => meanings[mode][alike[part] ?? part];
  const taken = new Set(parts.map(meaning));
  const free = others[mode].filter((color) => !taken.has(color));
  let next = 0;
  return parts.map((part) => meaning(part) ?? free[next++ % free.length]);
}

/** Colours of a scale of amounts, from nothing to most. */
export function rampOf(dark) {
  return dark ? ['#1d2733', '#2f6db3', '#f0a050', '#ffe3b8'] : ['#eef3f8', '#8db7e0', '#2f6db3', '#7a1f5c'];
}

/** Colours of letters, of what matters less, of what lies below, and of lines from those that carry nothing to those that carry most. */
export function inksOf(dark) {
  return {
    ink: dark ? '#e6e9ec' : '#1f2428', faint: dark ? '#a7b0b8' : '#57606a', paper: dark ? '#15191d' : '#ffffff',
    lines: dark ? ['#66727e', '#4f8ede', '#f0a050', '#ffe3b8'] : ['#98a5b3', '#4f8fd0', '#2456a0', '#8f1450'],
  };
}

export function themeOf(dark) {
  const {ink, faint} = inksOf(dark), line = dark ? '#3a434c' : '#dfe3e8';
  const font = 'system-ui, sans-serif';
  return {
    background: null,
    axis: {
      labelColor: faint, titleColor: ink, tickColor: line, domainColor: line, gridColor: line, labelFont: font,
      titleFont: font, labelFontSize: 11, titleFontSize: 12, titleFontWeight: 'normal', titlePadding: 8, labelLimit: 140,
    },
    legend: {
      labelColor: ink, titleColor: ink, labelFont: font, titleFont: font, labelFontSize: 12, titleFontSize: 12,
      titleFontWeight: 'normal', symbolType: 'square', columnPadding: 16, labelLimit: 260,
    },
  };
}
