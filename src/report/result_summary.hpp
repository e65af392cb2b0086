// summary.json read back as tables. What it holds follows from its form alone, so it may have any keys: of
// each run, a list of maps or of texts is a table, a map is a table of one row, and single values are the row
// of the run in "runs". Why runs failed is in "failures".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/result_table.hpp"

namespace orrery {

struct ResultSummary {
  std::string experiment;           // empty: the summary is of a single run without an experiment
  std::string origin;               // as JSON; empty: not known
  std::vector<std::string> runs;    // names, in the order of the experiment
  std::vector<ResultTable> tables;  // the first column of each is "run"
};

// Throws InputError when the text is no such file or not all of it. `file` is for messages.
ResultSummary read_result_summary(std::string_view text, const std::string& file);

}  // namespace orrery
