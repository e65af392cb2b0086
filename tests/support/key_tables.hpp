// The tables of keys in docs/inputs/, made from the declarations of the keys.
#pragma once

#include <string>

namespace orrery::core::test {

// Returns the page with every table behind a line `<!-- keys of NAME -->` made anew. Throws std::out_of_range
// for a name that there is not.
std::string with_key_tables(const std::string& page);

}  // namespace orrery::core::test
