// Says which keys of a machine change nothing in a run, whatever their values.
#pragma once

#include <string_view>

#include "study/run/run_spec.hpp"
#include "study/sensitivity/machine_parameters.hpp"

namespace orrery::core {

// `schema` is the path of a key as its declaration has it. Keys below a key that means nothing mean nothing.
bool means_something(std::string_view schema, const KeyFacts& key, const RunSpec& spec,
                     const UsedCollectives& used);

}  // namespace orrery::core
