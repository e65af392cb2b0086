// Shows the time and traffic of operators on a systolic array, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "compute/systolic/systolic_array.hpp"
#include "compute/systolic/systolic_cost.hpp"
#include "compute/systolic/systolic_operation.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct SystolicReport {
  struct Entry {
    std::string name;
    SystolicOperation operation;
    SystolicCost cost;
  };

  SystolicArray array;
  std::vector<Entry> operators;  // one after the other
};

struct SystolicRow;
extern const Table<SystolicRow> systolic_table;

// Returns all about a single operator, or a line for each of several operators and their total.
std::string systolic_text(const SystolicReport& report);

// Returns everything, with SCALE-Sim's names. Bytes that are no UTF-8 are replaced.
nlohmann::ordered_json systolic_to_json(const SystolicReport& report);
std::string systolic_json(const SystolicReport& report);

}  // namespace orrery::core
