// Quantities in texts, such as the values that a sweep gives to a key.

// Prefixes of what is measured in powers of ten or two, and units of time, which have none.
const factors = {
  '': 1, K: 1e3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18,
  Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60,
};
const times = {ps: 1e-6, ns: 1e-3, us: 1, ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9};
const quantity = /^(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*(?:(ps|ns|us|ms|s|min|h)|([KkMGTPE]i?|)(B|B\/s|b\/s|Hz|FLOP\/s|FLOPS)|)$/;

/** Returns the number in a text such as "8", "256 KiB" or "25 GB/s", in bytes, microseconds and the like; null where there is none. */
export function quantityIn(text) {
  const [all, number, time, prefix, base] = quantity.exec(String(text)) ?? [];
  if (all === undefined) return null;
  if (time) return {number: number * times[time], unit: 'us'};
  return {number: number * factors[prefix ?? ''], unit: base === 'B' ? 'bytes' : base ?? ''};
}

/** Orders texts by the quantities in them, or else as words with numbers in them. */
export function inOrder(texts) {
  const {compare} = new Intl.Collator('en', {numeric: true});
  return [...texts].sort((a, b) => (quantityIn(a)?.number ?? NaN) - (quantityIn(b)?.number ?? NaN) || compare(a, b));
}
