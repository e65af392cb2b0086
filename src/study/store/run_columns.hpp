// The columns of a run in a store, and how a run's values get into a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/database/database.hpp"
#include "report/summary/run_tables.hpp"
#include "report/table/value_type.hpp"
#include "study/space/sweep_space.hpp"

namespace orrery::core {

struct StoreColumn {
  std::string name;
  ValueType type = ValueType::text;
  std::string unit, meaning;
  bool is_key = false;  // it holds the values of a key that the sweep varies
};

// Return the columns for what a run resulted in: those of runs.csv but for the speedup, which depends on
// another run, and what a store says beside them.
std::vector<StoreColumn> result_columns();
// Returns the columns for the keys of a sweep, in their order.
std::vector<StoreColumn> key_columns(const SweepSpace& space);

// Returns the values of a run, one for each of the result columns.
std::vector<PlainValue> result_values(const RunRow& run);

// Binds values to the parameters of a statement from `first` on, and returns the number of the parameter
// behind the last one. The values have to live until the statement is reset.
int bind_values(Statement& statement, int first, const std::vector<PlainValue>& values);
// Does so with the values of the keys.
int bind_keys(Statement& statement, int first, const SweepPoint& point);

}  // namespace orrery::core
