// Runs that failed, by the kinds of their reasons.

const number = /\d+(?:[.,]\d+)*(?:e[-+]?\d+)?/gi;

/** "needs 91.2 GiB of 80 GB" and "needs 99 GiB of 80 GB" are one kind, as they differ in numbers only: "needs … GiB of … GB". */
export function reasonKind(reason) {
  return reason.replace(number, '…');
}

/**
 * Returns the kinds of reasons, the most frequent first: {kind, count, example, several}; `several` says whether reasons of a
 * kind differ. `rows` are those that failed.
 */
export function failuresOf(rows, column) {
  const counts = new Map(), kinds = new Map();
  for (const row of rows) {
    const reason = column?.text(row) || 'no reason is known';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of counts) {
    const kind = reasonKind(reason), numbers = reason.match(number) ?? [];
    const known = kinds.get(kind) ?? {kind, count: 0, example: reason, numbers, several: false};
    known.count += count;
    known.several ||= known.example !== reason;
    known.numbers = known.numbers.map((one, i) => (one === numbers[i] ? one : '…'));
    kinds.set(kind, known);
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count);
}

/** Returns what a kind is called: what all of its reasons have in common, with dots for the numbers in which they differ. */
export function nameOfKind({example, numbers}) {
  let next = 0;
  return example.replace(number, () => numbers[next++]);
}
