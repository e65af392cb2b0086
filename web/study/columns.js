// The columns of a study's table: numbers, or words of which each stands once in a list.

import {quantityIn} from '../quantity.js';
import {digits, readable} from '../units.js';

const quantities = require('../quantities.json');  // what columns are called

const noUnits = new Set(['', 'ratio', 'count']);  // numbers that are plain

/** Returns the first place in a sorted list whose number is not below `number`. */
export function lowerBound(sorted, number) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What both kinds of columns have. `ranks()` orders rows: equal cells have equal ranks, and missing ones the last, `count`. */
class Column {
  constructor({name, unit = '', meaning = ''}) {
    this.name = name;
    this.unit = noUnits.has(unit) ? '' : unit;
    this.meaning = meaning;
    this.title = (quantities[name] ?? name).replace(/, \$$/, '');  // the unit stands behind each number
  }

  ranks() {
    this.ranked ??= this.makeRanks();
    return this.ranked;
  }

}

export class NumberColumn extends Column {
  constructor(about, numbers) {
    super(about);
    this.numbers = numbers;
  }

  isMissing(row) {
    return Number.isNaN(this.numbers[row]);
  }

  /** Returns a number as people read it, with a unit that fits. */
  textOf(number) {
    return readable(number, this.unit);
  }

  text(row) {
    return this.isMissing(row) ? '' : this.textOf(this.numbers[row]);
  }

  /** Returns the cell with all digits, for files. */
  exact(row) {
    return this.isMissing(row) ? '' : String(this.numbers[row]);
  }

  /** Returns whether there are two different numbers. */
  get varies() {
    if (this.several === undefined) {
      const first = this.numbers.find((number) => !Number.isNaN(number));
      this.several = first !== undefined && this.numbers.some((number) => number < first || number > first);
    }
    return this.several;
  }

  get distinct() {
    return this.values().length;
  }

  /** Returns the different numbers, the smallest first. */
  values() {
    if (!this.sorted) {
      const all = this.numbers.filter((number) => !Number.isNaN(number)).sort();
      this.sorted = all.filter((number, i) => i === 0 || number !== all[i - 1]);
    }
    return this.sorted;
  }

  makeRanks() {
    const {numbers} = this, values = this.values(), count = values.length, ranks = new Uint32Array(numbers.length);
    for (let row = 0; row < numbers.length; ++row) ranks[row] = Number.isNaN(numbers[row]) ? count : lowerBound(values, numbers[row]);
    return {count, ranks};
  }
}

/** Returns a text that orders words as people do: numbers in them by their size, and letters without regard to case. */
function naturalKey(word) {
  return word.toLowerCase().replace(/\d+/g, (number) => {
    const plain = number.replace(/^0+(?=\d)/, '');
    return String.fromCharCode(48 + Math.min(plain.length, 79)) + plain;
  });
}

export class WordColumn extends Column {
  /** A row has the word `words[places[row] - 1]`; 0 stands for none. */
  constructor(about, words, places) {
    super(about);
    this.words = words;
    this.places = places;
  }

  isMissing(row) {
    return this.places[row] === 0;
  }

  get varies() {
    return this.words.length > 1;
  }

  /** Returns how many different words there are. */
  get distinct() {
    return this.words.length;
  }

  text(row) {
    return this.words[this.places[row] - 1] ?? '';
  }

  exact(row) {
    return this.text(row);
  }

  /** Returns the numbers in the words and their unit, such as those of "25 GB/s"; null where words are no quantities of one unit. */
  quantities() {
    if (this.found === undefined) {
      const found = this.words.map(quantityIn);
      const isScale = found.length > 0 && found.every((one) => one !== null && one.unit === found[0].unit);
      this.found = isScale ? {unit: found[0].unit, numbers: found.map(({number}) => number)} : null;
    }
    return this.found;
  }

  /** Returns the numbers of the words in their order. */
  inOrder() {
    if (!this.ordered) {
      const numbers = this.quantities()?.numbers;
      const keys = numbers ?? this.words.map(naturalKey);
      const order = this.words.map((_, i) => i);
      this.ordered = order.sort(numbers ? (a, b) => numbers[a] - numbers[b] : (a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0));
    }
    return this.ordered;
  }

  makeRanks() {
    const count = this.words.length, rankOf = new Uint32Array(count + 1);
    rankOf[0] = count;
    this.inOrder().forEach((word, rank) => { rankOf[word + 1] = rank; });
    return {count, ranks: this.places.map((place) => rankOf[place])};
  }
}

/** "100,000" */
export function counted(number) {
  return digits(number, 9);
}

/** "1 run", "100,000 runs" */
export function runsCounted(number) {
  return `${counted(number)} ${number === 1 ? 'run' : 'runs'}`;
}
