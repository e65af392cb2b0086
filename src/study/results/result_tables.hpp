// Reads tables of results back from their files as they were in memory: each column has its unit, its meaning
// and its type again.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/table/typed_table.hpp"

namespace orrery::core {

// Returns the names of the files whose columns are known, in the order in which runs list their tables.
std::vector<std::string_view> typed_result_files();

// `name` is that of the file without its folder, such as "links.csv", and one of these. `keys` are those in
// which runs differ: runs.csv has a column for each, whose title ends in a unit where it holds quantities,
// which are numbers with a fraction; other columns have the type that all their cells have. Throws InputError
// where the text is no such table. `file` is for messages.
TypedTable read_typed_table(std::string_view name, std::string_view text, const std::string& file,
                            const std::set<std::string>& keys = {});

}  // namespace orrery::core
