#include "study/machine/yaml_variations.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/input/keys.hpp"
#include "base/text/token_reader.hpp"
#include "study/machine/rank_variations.hpp"

namespace orrery::core {
namespace {

constexpr int max_varied_npus = 1 << 24;  // whose compute times may differ
constexpr double largest_slowdown = 1e6;
constexpr double largest_spread = 1000;

// A single map may stand for a list of one.
std::span<const InputNode> entries_of(const InputNode& node) {
  return node.kind == InputNode::Kind::list ? std::span(node.items) : std::span(&node, 1);
}

// "3" or "8-15".
RankRange range_of(const InputNode& node, int npus) {
  const std::string_view text = node.text;
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto first = parse_unsigned(text.substr(0, dash));
  const auto last = dash == text.size() ? first : parse_unsigned(text.substr(dash + 1));
  const auto largest = static_cast<std::uint64_t>(npus - 1);
  if (node.kind != InputNode::Kind::scalar || !first || !last || *first > largest || *last > largest)
    reject_value(node, "ranks[]",
                 fmt::format("a rank of the network, 0 to {0}, or a range such as `0-{0}`", largest));
  if (*first > *last)
    throw InputError(node.where, fmt::format("the range {} ends before it begins; write `{}-{}`",
                                             backquoted(text), *last, *first));
  return {static_cast<int>(*first), static_cast<int>(*last)};
}

// Returns the ranks in ascending order. None is there twice.
std::vector<RankRange> ranks_of(const InputNode& node, int npus, RankBudget& budget) {
  struct Item {
    RankRange range;
    const InputNode* node;
  };
  std::vector<Item> items;
  for (const InputNode& item : list_of(node, "ranks")) items.push_back({range_of(item, npus), &item});
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.range.first < b.range.first; });
  std::vector<RankRange> ranges;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const RankRange range = items[i].range;
    if (i > 0 && range.first <= ranges.back().last)
      throw InputError(std::max(items[i - 1].node, items[i].node)->where,
                       fmt::format("rank {} stands twice in `ranks`; name it once", range.first));
    budget.take(range.last - range.first + 1, node.where);
    ranges.push_back(range);
  }
  return ranges;
}

struct StragglerDraft : Straggler {
  int npus;
  RankBudget& budget;
};

void read_straggler_ranks(const InputNode& node, StragglerDraft& draft) {
  draft.ranks = ranks_of(node, draft.npus, draft.budget);
}

constexpr Key<StragglerDraft> straggler_keys[] = {
    key::custom<read_straggler_ranks>("ranks", "list of ranks", "required", "ranks that are slower")
        .trying("[0]"),
    key::positive<&StragglerDraft::slowdown>(
        "slowdown", largest_slowdown, "above 0, up to 10⁶", "required",
        "factor on every compute time of these ranks; below 1 they are faster")
        .trying("3"),
};

std::vector<Straggler> read_stragglers(const InputNode& node, int npus, RankBudget& budget) {
  std::vector<Straggler> stragglers;
  for (const InputNode& entry : entries_of(node)) {
    StragglerDraft draft{{}, npus, budget};
    read_map(entry, "an entry of `stragglers`", straggler_keys, draft);
    if (draft.slowdown != 1) stragglers.push_back(std::move(draft));
  }
  return stragglers;
}

std::uint64_t seed(const InputNode& node, const KeyFacts& key) {
  const auto value = parse_unsigned(scalar_of(node, key.name));
  if (!value) reject_value(node, key.name, "a whole number from 0 to 18446744073709551615");
  return *value;
}

constexpr Key<ComputeJitter> jitter_keys[] = {
    key::real<&ComputeJitter::spread>("spread", 0, largest_spread, "required",
                                      "every rank's compute times are multiplied by 1 + spread · u, where u "
                                      "is uniform in [0, 1) and drawn once per rank"),
    key::declared<seed, KeyType::other, &ComputeJitter::seed>(
        "seed", "0",
        "u depends on it and on the rank's number, on nothing else, and is the same on every machine")
        .of("0 to 2⁶⁴ − 1")
        .trying("5"),
};

struct LinksDraft : SlowLinks {
  const Topology& topology;
  RankBudget& budget;
};

void read_slow_dimension(const InputNode& node, LinksDraft& draft) {
  const std::string& name = scalar_of(node, "dimension");
  std::vector<std::string_view> names;
  for (const Dimension& dimension : draft.topology.dimensions) names.push_back(dimension.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) reject_word(node, "dimension", names);
  draft.dimension = static_cast<int>(found - names.begin());
}

void read_link_ranks(const InputNode& node, LinksDraft& draft) {
  draft.npus = ranks_in(ranks_of(node, draft.topology.npus(), draft.budget));
}

void read_slow_group(const InputNode& node, LinksDraft& draft) {
  const int npu = int_of(node, "group-of", 0, draft.topology.npus() - 1);
  draft.budget.take(draft.topology.dimensions[static_cast<std::size_t>(draft.dimension)].size, node.where);
  draft.npus = instance_of(draft.topology, draft.dimension, npu);
}

// A group needs the dimension, which therefore comes first.
constexpr Key<LinksDraft> links_keys[] = {
    key::custom<read_slow_dimension>(
        "dimension", "name", "required",
        "the dimension whose links are meant, by its name; those of a network file are dim0, dim1, ..."),
    key::custom<read_link_ranks>("ranks", "list of ranks", "this or `group-of`",
                                 "ranks whose links into that dimension are slower")
        .trying("[0]"),
    key::custom<read_slow_group>(
        "group-of", "rank", "this or `ranks`",
        "a rank; the links of all NPUs that it reaches within the dimension, and its own, are slower")
        .trying("1"),
    key::real<&LinksDraft::slowdown>("slowdown", 1, largest_slowdown, "required",
                                     "factor on the time that a message's bytes take, for every message that "
                                     "such an NPU sends or receives through the dimension, the larger of its "
                                     "ends' factors where both are slow; latencies stay"),
};

SlowLinks read_links(const InputNode& node, const Topology& topology, RankBudget& budget) {
  LinksDraft draft{{}, topology, budget};
  read_map(node, "an entry of `slow-links`", links_keys, draft);
  const InputNode *ranks = node.find("ranks"), *group = node.find("group-of");
  if (!ranks && !group)
    throw InputError(node.where,
                     "an entry of `slow-links` needs the key `ranks` or the key `group-of`, which say whose "
                     "links are slow");
  if (ranks && group)
    throw InputError(group->where, "`group-of` cannot stand beside `ranks`; remove one of them");
  return std::move(static_cast<SlowLinks&>(draft));
}

}  // namespace

void RankBudget::take(std::int64_t ranks, const SourceLocation& where) {
  left_ -= ranks;
  if (left_ < 0)
    throw InputError(
        where, fmt::format("`stragglers`, `compute-jitter` and `slow-links` concern more than {} ranks, "
                           "those of all runs added up; split the experiment or name fewer",
                           most));
}

std::vector<double> read_yaml_compute_slowdown(const InputNode* stragglers, const InputNode* jitter,
                                               const Topology& topology, RankBudget& budget) {
  const int npus = topology.npus();
  const auto slower = stragglers ? read_stragglers(*stragglers, npus, budget) : std::vector<Straggler>();
  ComputeJitter spread;
  if (jitter) read_map(*jitter, "`compute-jitter`", jitter_keys, spread);
  if (slower.empty() && spread.spread == 0) return {};
  const InputNode& node = slower.empty() ? *jitter : *stragglers;
  if (npus > max_varied_npus)
    throw InputError(node.where, fmt::format("compute times can differ among at most {} NPUs, and the "
                                             "network has {}; make it smaller or remove this",
                                             max_varied_npus, npus));
  budget.take(npus, node.where);
  return compute_slowdown(slower, spread, npus);
}

std::vector<SlowLinks> read_yaml_slow_links(const InputNode& links, const Topology& topology,
                                            RankBudget& budget) {
  if (topology.graph)
    throw InputError(links.where,
                     "the network is a graph, which says how fast each link is; change it there, or write "
                     "`failures: [ { link: leaf0-spine1, bandwidth: 50% } ]`");
  std::vector<SlowLinks> slow;
  for (const InputNode& entry : entries_of(links)) {
    slow.push_back(read_links(entry, topology, budget));
    if (slow.back().slowdown == 1) slow.pop_back();
  }
  return slow;
}

std::vector<KeyPath> yaml_straggler_keys() {
  return keys_of_map_or_list<straggler_keys>();
}

std::vector<KeyPath> yaml_jitter_keys() {
  return keys_of_map<jitter_keys>();
}

std::vector<KeyPath> yaml_slow_link_keys() {
  return keys_of_map_or_list<links_keys>();
}

}  // namespace orrery::core
