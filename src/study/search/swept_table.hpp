// Shows the results of a search over the points of a sweep.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/table/row_sink.hpp"
#include "study/search/swept_search.hpp"

namespace orrery::core {

// Returns which layout is the best, at which point, and how far that is certain.
std::string best_of_sweep_sentence(const SweptSearch& search);
// Returns this sentence, the best layouts, and the best one at each point.
std::string swept_report(const SweptSearch& search);
// Returns the rows of layouts.csv: the layouts that were simulated, failed or estimated. They refer to the
// search.
TableRows swept_rows(const SweptSearch& search);
std::string swept_csv(const SweptSearch& search);
// docs/outputs/training.md lists the keys.
nlohmann::ordered_json swept_to_json(const SweptSearch& search);

}  // namespace orrery::core
