// Makes columns of the bytes that stand in the page (src/report/study/packed_columns.hpp says how they lie).

import {NumberColumn, WordColumn} from './columns.js';

/** Adds up planes of bytes, the lowest first, to a whole number for each row. */
function wholeNumbers(bytes, begin, width, rows) {
  const numbers = new Float64Array(rows);
  for (let plane = 0, factor = 1; plane < width; ++plane, factor *= 256) {
    const at = begin + plane * rows;
    for (let row = 0; row < rows; ++row) numbers[row] += bytes[at + row] * factor;
  }
  return numbers;
}

/** Returns the doubles whose bits the eight planes hold. */
function doubles(bytes, begin, rows) {
  const mixed = new Uint8Array(rows * 8), view = new DataView(mixed.buffer), numbers = new Float64Array(rows);
  for (let plane = 0; plane < 8; ++plane) {
    const at = begin + plane * rows;
    for (let row = 0; row < rows; ++row) mixed[row * 8 + plane] = bytes[at + row];
  }
  for (let row = 0; row < rows; ++row) numbers[row] = view.getFloat64(row * 8, true);
  return numbers;
}

function columnOf(about, bytes, begin, rows) {
  const {words, width, scale, least} = about;
  if (words) return new WordColumn(about, words, Uint32Array.from(wholeNumbers(bytes, begin, width, rows)));
  if (scale === 0) return new NumberColumn(about, doubles(bytes, begin, rows));
  const numbers = wholeNumbers(bytes, begin, width, rows);
  for (let row = 0; row < rows; ++row) numbers[row] = numbers[row] === 0 ? NaN : (numbers[row] - 1 + least) / scale;
  return new NumberColumn(about, numbers);
}

/** Returns the description of the study, whose columns hold their cells; `data` are JSON, a zero byte and the cells. */
export function unpackedStudy(data) {
  const end = data.indexOf(0);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(0, end)));
  let begin = end + 1;
  const columns = header.columns.map((about) => {
    const column = columnOf(about, data, begin, header.rows);
    begin += about.width * header.rows;
    return column;
  });
  return {...header, columns};
}
