// Makes a page about results: one HTML file that holds everything and needs no network. docs/report.md says
// what it shows. The page's script, which draws what the tables hold, is made from web/.
#pragma once

#include <string>
#include <vector>

#include "report/stored/result_table.hpp"

namespace orrery::core {

// The results of an experiment, or other results in one folder.
struct ResultSet {
  std::string name;
  std::string origin;  // as JSON; empty: not known
  std::vector<ResultTable> tables;
};

// Returns the page. Equal sets make equal pages.
std::string result_page(const std::vector<ResultSet>& sets);

}  // namespace orrery::core
