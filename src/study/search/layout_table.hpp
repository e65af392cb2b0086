// Shows the results of a search, for people and as CSV. docs/outputs/training.md lists the columns.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"
#include "study/search/layout_search.hpp"

namespace orrery::core {

// Returns a sentence about the best layout (there has to be one), the best layouts with what their time goes
// to, and how many others there were and why these are not better.
std::string layout_report(const std::string& name, const TrainingSetup& base, const LayoutSearch& search);

// Returns why a search found no best layout: what is wrong, and what to do.
std::string why_none_fits(const TrainingSetup& base, const LayoutSearch& search);

struct LayoutRow;
extern const Table<LayoutRow> layout_table;

// Returns the rows of layouts.csv: every layout that was looked at, and the experiment's own. They refer to
// both arguments.
TableRows layouts_rows(const TrainingSetup& base, const LayoutSearch& search);

// Returns layouts.csv, with every layout that was looked at, and with the experiment's own.
std::string layouts_csv(const TrainingSetup& base, const LayoutSearch& search);

// Returns "parallelism: { tensor: 8, data: 4 }" and so on: the keys of `workload` that turn the search's
// workload into a run of this layout.
std::string layout_keys(const TrainingSetup& base, const TrainingLayout& layout);

// Sets the columns that describe the layout in a JSON object.
void set_layout(nlohmann::ordered_json& object, const SearchedLayout& layout);

}  // namespace orrery::core
