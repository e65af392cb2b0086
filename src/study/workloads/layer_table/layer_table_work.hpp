// The work that the times of a layer table come from.
#pragma once

#include <memory>

#include "program/program.hpp"
#include "report/critical_path/computed_work.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/trained_model.hpp"

namespace orrery::core {

// `program` was made from the table, and its compute times are `scale` times as long. Keeps a reference to
// the program. Returns null where the table gives its times itself.
std::unique_ptr<ComputedWork> work_of_table(const LayerTable& table, const ModelOperators& operators,
                                            const Program& program, double scale);

}  // namespace orrery::core
