// Whether pictures are to be drawn in dark colours: as the browser asks for, but never on paper.

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
let printing = false;

export function drawsDark() {
  return prefersDark.matches && !printing;
}

/** Returns whether the page is being put on paper, which one cannot scroll. */
export function isOnPaper() {
  return printing;
}

/** Calls `redraw` when the colours change. */
export function onColors(redraw) {
  const print = (now) => {
    if (now === printing) return;
    printing = now;
    redraw();
  };
  prefersDark.addEventListener('change', redraw);
  window.addEventListener('beforeprint', () => print(true));
  window.addEventListener('afterprint', () => print(false));
  window.matchMedia('print').addEventListener('change', ({matches}) => print(matches));
}
