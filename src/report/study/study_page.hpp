// Makes a page about a study, which is a sweep of up to 100,000 runs: one HTML file that needs no network.
// docs/study-page.md says what it shows. The page's script is made from web/study/.
#pragma once

#include <string>
#include <vector>

#include "report/table/typed_table.hpp"

namespace orrery::core {

struct StudyObjective {
  std::string column;
  bool maximum = false;  // whether more is better
};

struct StudyPage {
  std::string name;                        // of the study
  std::string origin;                      // as JSON (as in ResultSet::origin); empty: not known
  TypedTable runs;                         // a row a run, with at least the columns `run` and `status`
  std::vector<std::string> keys;           // names of those columns that the sweep varied
  std::vector<StudyObjective> objectives;  // columns of `runs`; if empty, the page picks the step time
};

// Returns the page. Equal studies make equal pages. Throws std::logic_error where the runs lack a column that
// they must have, or one that is named as a key or an objective.
std::string study_page(const StudyPage& study);

}  // namespace orrery::core
