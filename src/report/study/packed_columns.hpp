// How the columns of a study's table lie in its page: what they are as JSON, and their cells as bytes that
// compress well and that a browser makes arrays of in a moment (web/study/unpack.js).
#pragma once

#include <cstddef>
#include <string>

#include "report/table/typed_table.hpp"

namespace orrery::core {

// Adds the column's description to the JSON and its cells to the bytes.
//
// A cell is a whole number of `width` bytes. First come the lowest bytes of all cells, then the next ones,
// and so on: the high bytes of neighbours are mostly equal, so that compression finds them.
// - Texts: 0 where the cell is empty, else the place of its text in the list `words`, counted from 1.
// - Numbers that are whole multiples of 1/`scale` (1, or a millionth as times have it): 0 where the cell is
//   empty, else the multiple less `least`, plus 1.
// - Other numbers (`scale` is 0): the bits of a double; an empty cell is not a number.
// Numbers that are infinite count as empty. Booleans are the texts `no` and `yes`.
void append_packed_column(std::string& json, std::string& bytes, const TypedColumn& column, std::size_t rows);

}  // namespace orrery::core
