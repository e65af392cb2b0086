#include "simulate/folding.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace orrery {

namespace {

using Colours = std::vector<std::uint32_t>;  // by rank

// Numbers keys in the order in which they come.
template <typename Key>
class Numbering {
 public:
  std::uint32_t operator()(const Key& key) {
    return numbers_.emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  std::size_t size() const { return numbers_.size(); }

 private:
  std::map<Key, std::uint32_t> numbers_;
};

// Ranks of equal speed and equal links.
Colours initial_colours(const Machine& machine) {
  const auto ranks = static_cast<std::uint32_t>(machine.topology.npus());
  Numbering<std::pair<std::uint32_t, double>> number;
  Colours colours(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) colours[rank] = number({0, machine.slowdown_of(rank)});
  for (std::size_t d = 0; d < machine.topology.dimensions.size(); ++d) {
    const std::vector<double> slowdown =
        slowdown_by_npu(machine.slow_links, static_cast<int>(d), machine.topology.npus());
    if (slowdown.empty()) continue;
    Numbering<std::pair<std::uint32_t, double>> refined;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      colours[rank] = refined({colours[rank], slowdown[rank]});
  }
  return colours;
}

// Splits colours by what their ranks meet in the groups of one dimension. Returns how many there are now.
std::size_t refine(Colours& colours, const CollectiveSurvey::Use& use) {
  const LogicalDimension& dimension = use.dimension;
  Numbering<std::vector<std::uint32_t>> groups;
  Numbering<std::array<std::uint32_t, 3>> refined;
  Colours result(colours.size());
  std::vector<std::uint32_t> met(static_cast<std::size_t>(dimension.size));
  for (int base = 0; base < static_cast<int>(colours.size()); ++base) {
    if (dimension.position(base) != 0) continue;
    for (int y = 0; y < dimension.size; ++y) met[y] = colours[base + y * dimension.stride];
    std::vector<std::uint32_t> key = met;
    if (!use.by_position) std::sort(key.begin(), key.end());
    const std::uint32_t group = groups(key);
    for (int y = 0; y < dimension.size; ++y) {
      const auto position = static_cast<std::uint32_t>(use.by_position ? y : 0);
      result[base + y * dimension.stride] = refined({met[y], group, position});
    }
  }
  colours = std::move(result);
  return refined.size();
}

RankClasses numbered_by_lowest_rank(const Colours& colours) {
  Numbering<std::uint32_t> number;
  std::vector<std::uint32_t> class_of;
  class_of.reserve(colours.size());
  for (std::uint32_t colour : colours) class_of.push_back(number(colour));
  return RankClasses(std::move(class_of));
}

bool keeps_fractions_of_nanoseconds(const Machine& machine) {
  return machine.dialect.whole_nanoseconds &&
         std::any_of(machine.topology.dimensions.begin(), machine.topology.dimensions.end(),
                     [](const Dimension& dimension) { return dimension.hbm_scale > 0; });
}

// Empty: it can be folded.
std::string reason_against(const Machine& machine, const CollectiveSurvey& survey) {
  if (machine.network_model == NetworkModel::link) return "messages queue for links";
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

RankClasses classes_of_equal_ranks(const Machine& machine, const CollectiveSurvey& survey) {
  const auto ranks = static_cast<std::uint32_t>(machine.topology.npus());
  // A barrier over the machine keeps ranks in step wherever they stand: only their own speed tells them
  // apart.
  const bool barrier = machine.dialect.phase_barrier == PhaseBarrier::machine;
  const bool by_position = std::any_of(survey.uses.begin(), survey.uses.end(),
                                       [](const CollectiveSurvey::Use& use) { return use.by_position; });
  if (machine.compute_slowdown.empty() && (barrier || (machine.slow_links.empty() && !by_position)))
    return RankClasses::all_equal(ranks);
  if (barrier) {
    Numbering<double> number;
    std::vector<std::uint32_t> class_of;
    for (double slowdown : machine.compute_slowdown) class_of.push_back(number(slowdown));
    return RankClasses(std::move(class_of));
  }
  Colours colours = initial_colours(machine);
  for (std::size_t count = 0, before = 1; count != before;) {
    before = count;
    for (const CollectiveSurvey::Use& use : survey.uses) count = refine(colours, use);
    if (survey.uses.empty()) break;
  }
  return numbered_by_lowest_rank(colours);
}

Folding unfolded(const Machine& machine, const std::string& reason) {
  return {RankClasses::all_distinct(static_cast<std::uint32_t>(machine.topology.npus())), false, reason};
}

Folding fold(const Machine& machine, const CollectiveSurvey& survey, bool wanted) {
  if (!wanted) return unfolded(machine, "it was turned off");
  const std::string reason = reason_against(machine, survey);
  if (!reason.empty()) return unfolded(machine, reason);
  return {classes_of_equal_ranks(machine, survey), true, {}};
}

}  // namespace orrery
