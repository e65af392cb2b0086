// The layers of a run that trains a layer table.
#pragma once

#include "study/run/run_spec.hpp"
#include "study/workloads/layer_table/layer_table_workload.hpp"

namespace orrery::core::test {

inline const LayerTable& table_of(const RunSpec& spec) {
  return dynamic_cast<const LayerTableWorkload&>(*spec.workload).table();
}

}  // namespace orrery::core::test
