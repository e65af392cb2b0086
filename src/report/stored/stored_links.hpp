// Reads the links of an earlier run back from links.csv.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/network/link_report.hpp"

namespace orrery {

// Returns the ends, dimension, number, use and busy time of the links in each line. Throws InputError where
// the file is not whole, or lacks one of these columns.
std::vector<BusiestLinks> read_stored_links(std::string_view text, const std::string& file);

}  // namespace orrery
