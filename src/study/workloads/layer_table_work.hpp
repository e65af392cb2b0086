// What stands behind the times of a layer table.
#pragma once

#include <memory>

#include "program/program.hpp"
#include "report/computed_work.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/trained_model.hpp"

namespace orrery {

// `table` is the one before the time of its host is added, and `program` the one that was made of it for
// `npus`, whose compute times are `scale` times as long. Keeps a reference to the program. Returns null where
// the table gives its times itself.
std::unique_ptr<ComputedWork> work_of_table(const LayerTable& table, const ModelOperators& operators,
                                            const Program& program, int npus, double scale);

}  // namespace orrery
