// Finds the ranks that do the same at the same times.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "collective/algorithms/tree_classes.hpp"
#include "network/analytical/analytical_network.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "simulate/folding/folding.hpp"
#include "simulate/folding/message_looks.hpp"

namespace orrery::core {

namespace {

// The colour of each rank, from 0 on, and the number of colours.
struct Colours {
  std::vector<std::uint32_t> of;
  std::size_t count = 0;
};

// Splits colours by a second property of ranks.
template <class Property>
Colours split(const Colours& colours, const Property& property_of) {
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  Colours result;
  result.of.reserve(colours.of.size());
  for (const RankId rank : first_ids<RankId>(colours.of.size())) {
    const std::uint64_t both = std::uint64_t{colours.of[rank.index()]} << 32 | property_of(rank);
    const auto next = static_cast<std::uint32_t>(numbers.size());
    result.of.push_back(numbers.emplace(both, next).first->second);
  }
  result.count = numbers.size();
  return result;
}

// Gives ranks of equal speed the same colour.
Colours colours_of_speeds(const Machine& machine) {
  Colours colours;
  std::unordered_map<double, std::uint32_t> numbers;
  colours.of.reserve(machine.compute_slowdown.size());
  for (const double speed : machine.compute_slowdown) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    colours.of.push_back(numbers.emplace(speed, next).first->second);
  }
  colours.count = numbers.size();
  return colours;
}

// Gives ranks of one part and of equal speed the same colour.
Colours colours_of_ranks(const Program& program, const Machine& machine) {
  if (program.parts.size() == 1 && !machine.compute_slowdown.empty()) return colours_of_speeds(machine);
  const Colours parts{parts_of_ranks(program, static_cast<std::uint32_t>(machine.topology.npus())),
                      program.parts.size()};
  if (machine.compute_slowdown.empty()) return parts;
  const Colours speeds = colours_of_speeds(machine);
  return split(parts, [&](RankId rank) { return speeds.of[rank.index()]; });
}

// Returns the pairs of parts that exchange messages, each pair in both orders.
std::set<std::pair<std::uint32_t, std::uint32_t>> exchanging_parts(const Program& program) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
      if (graph.kind(id) != OperationKind::send) continue;
      pairs.insert({part, graph.message(id).peer});
      pairs.insert({graph.message(id).peer, part});
    }
  }
  return pairs;
}

// Splits colours of a part by the colours of the ranks in another part with which its ranks exchange
// messages.
void refine_by_peers(const Program& program, Colours& colours) {
  for (const auto& [part, other] : exchanging_parts(program)) {
    std::vector<std::uint32_t> of_peer(colours.of.size(), 0);
    const std::vector<RankId>& peers = program.parts[other].ranks;
    const std::vector<RankId>& own = program.parts[part].ranks;
    for (std::size_t place = 0; place < own.size(); ++place)
      of_peer[own[place].index()] = colours.of[peers[place].index()];
    colours = split(colours, [&](RankId rank) { return of_peer[rank.index()]; });
  }
}

// Splits colours by what the messages of their ranks to other parts meet.
void refine_by_messages(const MessageLooks& messages, const Program& program, Colours& colours) {
  refine_by_peers(program, colours);
  const std::vector<std::uint32_t> looks = messages.of_ranks(colours.of);
  colours = split(colours, [&](RankId rank) { return looks[rank.index()]; });
}

// Knows which positions of the groups of one kind do the same.
class LikePositions {
 public:
  // Here all positions do the same.
  LikePositions() = default;
  // Here two positions do the same if they are of one class in every tree.
  static LikePositions of_trees(const LogicalDimension& group, int base,
                                const ContentionFreeNetwork& network) {
    const auto size = static_cast<std::uint32_t>(group.size);
    const TreeClasses even({size, false, {}}, group, base, network),
        odd({size, true, {}}, group, base, network);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    LikePositions positions;
    positions.class_of_.reserve(size);
    for (std::uint32_t y = 0; y < size; ++y) {
      const auto next = static_cast<std::uint32_t>(numbers.size());
      positions.class_of_.push_back(numbers.emplace(std::pair(even.of(y), odd.of(y)), next).first->second);
    }
    return positions;
  }
  // Here no two positions do the same.
  static LikePositions distinct() {
    LikePositions positions;
    positions.distinct_ = true;
    return positions;
  }

  bool all_alike() const { return class_of_.empty() && !distinct_; }
  std::uint32_t of(std::uint32_t position) const {
    return distinct_ ? position : class_of_.empty() ? 0 : class_of_[position];
  }

 private:
  std::vector<std::uint32_t> class_of_;  // by position
  bool distinct_ = false;
};

// Splits colours by what their ranks meet in the groups of one dimension, and by their positions there.
class Refinement {
 public:
  Refinement(const CollectiveSurvey::Use& use, const ContentionFreeNetwork& network)
      : dimension_(use.dimension), kinds_(network.kinds_of_groups(use.dimension)) {
    for (std::uint32_t kind = 0; kind < kinds_.count(); ++kind) {
      const bool alike = kinds_.even(kind) && network.is_uniform(dimension_);
      if (use.rooted || (use.uneven && !alike))
        positions_.push_back(LikePositions::distinct());
      else if (use.trees)
        positions_.push_back(LikePositions::of_trees(dimension_, kinds_.base(kind), network));
      else
        positions_.emplace_back();
    }
  }

  void refine(Colours& colours) {
    seen_in_.assign(colours.count, none);
    place_.resize(colours.count);
    groups_.clear();
    count_ = 0;
    std::vector<std::uint32_t> result(colours.of.size());
    const auto npus = static_cast<int>(colours.of.size());
    for (int base = 0; base < npus; ++base)
      if (dimension_.position(base) == 0) refine_group(base, colours.of, result);
    colours = {std::move(result), count_};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Group {                                              // groups of one kind that hold the same colours
    std::uint32_t first = 0;                                  // first of the new colours
    std::unordered_map<std::uint64_t, std::uint32_t> others;  // new colours, where positions matter
  };

  void refine_group(int base, const std::vector<std::uint32_t>& colours, std::vector<std::uint32_t>& result) {
    const std::uint32_t kind = kinds_.of(base);
    std::vector<std::uint32_t> key;  // the colours, ascending, and the kind
    for (int y = 0; y < dimension_.size; ++y) {
      const std::uint32_t colour = colours[static_cast<std::size_t>(base + y * dimension_.stride)];
      if (seen_in_[colour] == static_cast<std::uint32_t>(base)) continue;
      seen_in_[colour] = static_cast<std::uint32_t>(base);
      key.push_back(colour);
    }
    std::sort(key.begin(), key.end());
    for (std::size_t i = 0; i < key.size(); ++i) place_[key[i]] = static_cast<std::uint32_t>(i);
    const auto held = static_cast<std::uint32_t>(key.size());
    key.push_back(kind);
    const LikePositions& positions = positions_[kind];
    const auto [entry, added] = groups_.try_emplace(std::move(key));
    Group& group = entry->second;
    if (added) {
      group.first = count_;
      if (positions.all_alike()) count_ += held;
    }
    for (int y = 0; y < dimension_.size; ++y) {
      const auto npu = static_cast<std::size_t>(base + y * dimension_.stride);
      const std::uint32_t place = place_[colours[npu]];
      if (positions.all_alike()) {
        result[npu] = group.first + place;
        continue;
      }
      const std::uint64_t both = std::uint64_t{place} << 32 | positions.of(static_cast<std::uint32_t>(y));
      const auto [number, is_new] = group.others.emplace(both, count_);
      if (is_new) ++count_;
      result[npu] = number->second;
    }
  }

  LogicalDimension dimension_;
  GroupKinds kinds_;
  std::vector<LikePositions> positions_;  // by kind
  std::vector<std::uint32_t> seen_in_;    // by colour, the group it was last seen in
  std::vector<std::uint32_t> place_;      // by colour, among those of that group
  std::map<std::vector<std::uint32_t>, Group> groups_;
  std::uint32_t count_ = 0;
};

RankClasses numbered_by_lowest_rank(const Colours& colours) {
  if (colours.count == colours.of.size())
    return RankClasses::all_distinct(static_cast<std::uint32_t>(colours.of.size()));
  std::vector<ClassId> numbers(colours.count, ClassId::none), class_of;
  class_of.reserve(colours.of.size());
  ClassId next;
  for (const std::uint32_t colour : colours.of) {
    if (numbers[colour] == ClassId::none) {
      numbers[colour] = next;
      ++next;
    }
    class_of.push_back(numbers[colour]);
  }
  return RankClasses(std::move(class_of));
}

}  // namespace

RankClasses classes_of_equal_ranks(const Program& program, const Machine& machine,
                                   const CollectiveSurvey& survey) {
  const auto ranks = static_cast<std::uint32_t>(machine.topology.npus());
  // A barrier of phases over the machine keeps ranks in step wherever they stand: only their own speed tells
  // them apart.
  const bool barrier = machine.dialect.phase_barrier == PhaseBarrier::machine &&
                       !collective_policy_of(program, machine).as_a_whole;
  const bool places_matter = !machine.network.slow_links.empty() ||
                             std::any_of(survey.uses.begin(), survey.uses.end(),
                                         [](const CollectiveSurvey::Use& use) { return use.by_position(); });
  const bool differ = !machine.compute_slowdown.empty() || (!barrier && places_matter);
  const bool sends = program.parts.size() > 1;
  if (!differ && !sends) return RankClasses::all_equal(ranks);
  Colours colours = colours_of_ranks(program, machine);
  if (barrier && !sends) return numbered_by_lowest_rank(colours);
  std::optional<MessageLooks> messages;
  if (sends) messages.emplace(program, machine);
  const AnalyticalNetwork network(machine.topology, machine.dialect, machine.network.slow_links);
  std::vector<Refinement> refinements;
  if (!barrier)
    for (const CollectiveSurvey::Use& use : survey.uses) refinements.emplace_back(use, network);
  for (std::size_t before = 0; colours.count != before && colours.count < ranks;) {
    before = colours.count;
    for (Refinement& refinement : refinements) refinement.refine(colours);
    if (messages && messages->any()) refine_by_messages(*messages, program, colours);
  }
  return numbered_by_lowest_rank(colours);
}

}  // namespace orrery::core
