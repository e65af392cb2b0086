#include "collective/plan/dimensions_left_out.hpp"

#include <fmt/format.h>

namespace orrery::core {

void warn_of_dimensions_left_out(const SystemConfig& config, std::size_t dimensions, Warnings& warnings) {
  for (int k = 0; k < collective_kinds; ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    if (!is_symmetric(kind)) continue;  // only experiment files ask for it, which name its algorithms
    const auto& choices = config.algorithms_of(kind);
    if (choices.empty()) continue;  // such collectives do not run
    const bool spans_all = choices.back().whole_machine || choices.back().joins_rest;
    if (choices.size() >= dimensions || spans_all) continue;
    warnings.add(
        config.where_of(kind),
        fmt::format("{} names algorithms for {} of {} dimensions, its collectives leave the others out",
                    name_of(kind), choices.size(), dimensions));
  }
}

}  // namespace orrery::core
