// Execution traces written as text, for cases whose traces are wrong in ways that no writer would write.
//
//   # comment
//   send 2 name=first duration=5 after=1,3 comm_size=100 comm_tag=1 comm_dst:string=one
//   cut 7
//
// A line per node: its type, a word or a number, its id, then what it has: `name`, `start`, `duration` (us),
// `after` (data dependencies), `values` (of inputs), and attributes of the given kind, by default uint64:
// `bool`, `string`, `double`, `bools` or `strings` (lists, with commas); one of kind `none` has no value.
// `cut` drops the last bytes of the file, `zeros` adds some. In texts, _ stands for a blank.
#pragma once

#include <string>

namespace orrery::core::test {

// The bytes of the trace. Throws std::invalid_argument when the text is none.
std::string trace_of_text(const std::string& text);

}  // namespace orrery::core::test
