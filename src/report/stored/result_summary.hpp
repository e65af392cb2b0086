// Reads summary.json back as tables. What these hold follows only from the form of the file, so it may have
// any keys. For each run, a list of maps or of texts is a table, a map is a table of one row, and single
// values are the row of the run in "runs". The reasons why runs failed are in "failures".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/stored/result_table.hpp"

namespace orrery::core {

struct ResultSummary {
  std::string experiment;           // empty: the summary is of a single run without an experiment
  std::string origin;               // as JSON; empty: not known
  std::vector<std::string> runs;    // names, in the order of the experiment
  std::vector<ResultTable> tables;  // the first column of each is "run"
};

// Throws InputError when the text is no such file, or not a whole one. `file` is for messages.
ResultSummary read_result_summary(std::string_view text, const std::string& file);

}  // namespace orrery::core
