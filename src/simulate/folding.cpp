#include "simulate/folding.hpp"

#include <algorithm>

namespace orrery {

namespace {

bool keeps_fractions_of_nanoseconds(const Machine& machine) {
  return machine.dialect.whole_nanoseconds &&
         std::any_of(machine.topology.dimensions.begin(), machine.topology.dimensions.end(),
                     [](const Dimension& dimension) { return dimension.hbm_scale > 0; });
}

// Empty: it can be folded.
std::string reason_against(const Machine& machine, const CollectiveSurvey& survey) {
  if (machine.network_model->carries_collectives) return "messages may meet on links";
  if (machine.library) return {};
  if (machine.system.shared_bus) return "messages of different chunks share each NPU's memory bus";
  if (keeps_fractions_of_nanoseconds(machine)) {
    return "with a memory (HBM) term this dialect adds binary64 nanoseconds, so how long a phase takes "
           "depends on when it starts";
  }
  const DimensionOrder order = machine.system.dimension_order;
  const bool themis = order == DimensionOrder::themis || order == DimensionOrder::themis_flex;
  if (themis && machine.dialect.themis_resets_with_rank0 && survey.collectives > 1) {
    return "in this dialect Themis plans by which rank issues first within an instant";
  }
  return {};
}

}  // namespace

Folding unfolded(const Machine& machine, const std::string& reason) {
  return {RankClasses::all_distinct(static_cast<std::uint32_t>(machine.topology.npus())), false, reason};
}

Folding fold(const Program& program, const Machine& machine, const CollectiveSurvey& survey, bool wanted) {
  if (!wanted) return unfolded(machine, "it was turned off");
  const std::string reason = reason_against(machine, survey);
  if (!reason.empty()) return unfolded(machine, reason);
  return {classes_of_equal_ranks(program, machine, survey), true, {}};
}

}  // namespace orrery
