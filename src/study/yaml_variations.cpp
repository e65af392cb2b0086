#include "study/yaml_variations.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/token_reader.hpp"
#include "base/yaml_reader.hpp"
#include "study/rank_variations.hpp"

namespace orrery {
namespace {

constexpr int most_npus = 1 << 24;  // whose compute times may differ
constexpr double largest_slowdown = 1e6;
constexpr double largest_spread = 1000;

// A single map may stand for a list of one.
std::span<const YamlNode> entries_of(const YamlNode& node) {
  return node.kind == YamlNode::Kind::list ? std::span(node.items) : std::span(&node, 1);
}

// "3" or "8-15".
RankRange range_of(const YamlNode& node, int npus) {
  const std::string_view text = node.text;
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto first = parse_unsigned(text.substr(0, dash));
  const auto last = dash == text.size() ? first : parse_unsigned(text.substr(dash + 1));
  const auto largest = static_cast<std::uint64_t>(npus - 1);
  if (node.kind != YamlNode::Kind::scalar || !first || !last || *first > largest || *last > largest)
    reject_value(node, "ranks[]",
                 fmt::format("a rank of the network, 0 to {0}, or a range such as `0-{0}`", largest));
  if (*first > *last)
    throw InputError(node.where, fmt::format("the range {} ends before it begins; write `{}-{}`",
                                             backquoted(text), *last, *first));
  return {static_cast<int>(*first), static_cast<int>(*last)};
}

// In ascending order, none twice.
std::vector<RankRange> ranks_of(const YamlNode& node, int npus, RankBudget& budget) {
  struct Item {
    RankRange range;
    const YamlNode* node;
  };
  std::vector<Item> items;
  for (const YamlNode& item : list_of(node, "ranks")) items.push_back({range_of(item, npus), &item});
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

struct StragglerDraft {
  int npus;
  RankBudget& budget;
  Straggler straggler = {};
};

double straggler_slowdown_of(const YamlNode& node) {
  const auto value = parse_real(scalar_of(node, "slowdown"));
  if (!value || *value <= 0 || *value > largest_slowdown)
    reject_value(node, "slowdown", fmt::format("a number above 0, at most {}", largest_slowdown));
  return *value;
}

constexpr YamlKey<StragglerDraft> straggler_keys[] = {
    {"ranks",
     [](const YamlNode& v, StragglerDraft& d) { d.straggler.ranks = ranks_of(v, d.npus, d.budget); }},
    {"slowdown",
     [](const YamlNode& v, StragglerDraft& d) { d.straggler.slowdown = straggler_slowdown_of(v); }},
};

std::vector<Straggler> read_stragglers(const YamlNode& node, int npus, RankBudget& budget) {
  constexpr auto what = "an entry of `stragglers`";
  std::vector<Straggler> stragglers;
  for (const YamlNode& entry : entries_of(node)) {
    StragglerDraft draft{npus, budget};
    read_map(entry, what, straggler_keys, draft);
    for (const auto key : {"ranks", "slowdown"}) required(entry, what, key);
    if (draft.straggler.slowdown != 1) stragglers.push_back(std::move(draft.straggler));
  }
  return stragglers;
}

std::uint64_t seed_of(const YamlNode& node) {
  const auto seed = parse_unsigned(scalar_of(node, "seed"));
  if (!seed) reject_value(node, "seed", "a whole number from 0 to 18446744073709551615");
  return *seed;
}

constexpr YamlKey<ComputeJitter> jitter_keys[] = {
    {"spread",
     [](const YamlNode& v, ComputeJitter& j) { j.spread = real_of(v, "spread", 0, largest_spread); }},
    {"seed", [](const YamlNode& v, ComputeJitter& j) { j.seed = seed_of(v); }},
};

ComputeJitter read_jitter(const YamlNode& node) {
  constexpr auto what = "`compute-jitter`";
  ComputeJitter jitter;
  read_map(node, what, jitter_keys, jitter);
  required(node, what, "spread");
  return jitter;
}

struct LinksDraft {
  const Topology& topology;
  RankBudget& budget;
  SlowLinks links = {};
};

int dimension_of(const YamlNode& node, const Topology& topology) {
  const std::string& name = scalar_of(node, "dimension");
  std::vector<std::string_view> names;
  for (const Dimension& dimension : topology.dimensions) names.push_back(dimension.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) reject_word(node, "dimension", names);
  return static_cast<int>(found - names.begin());
}

void read_group(const YamlNode& node, LinksDraft& draft) {
  const int npu = int_of(node, "group-of", 0, draft.topology.npus() - 1);
  const int dimension = draft.links.dimension;
  draft.budget.take(draft.topology.dimensions[static_cast<std::size_t>(dimension)].size, node.where);
  draft.links.npus = instance_of(draft.topology, dimension, npu);
}

// A group needs the dimension, which therefore comes first.
constexpr YamlKey<LinksDraft> links_keys[] = {
    {"dimension", [](const YamlNode& v, LinksDraft& d) { d.links.dimension = dimension_of(v, d.topology); }},
    {"ranks", [](const YamlNode& v,
                 LinksDraft& d) { d.links.npus = ranks_in(ranks_of(v, d.topology.npus(), d.budget)); }},
    {"group-of", read_group},
    {"slowdown", [](const YamlNode& v,
                    LinksDraft& d) { d.links.slowdown = real_of(v, "slowdown", 1, largest_slowdown); }},
};

SlowLinks read_links(const YamlNode& node, const Topology& topology, RankBudget& budget) {
  constexpr auto what = "an entry of `slow-links`";
  LinksDraft draft{topology, budget};
  read_map(node, what, links_keys, draft);
  for (const auto key : {"dimension", "slowdown"}) required(node, what, key);
  const YamlNode *ranks = node.find("ranks"), *group = node.find("group-of");
  if (!ranks && !group)
    throw InputError(node.where,
                     "an entry of `slow-links` needs the key `ranks` or the key `group-of`, which say whose "
                     "links are slow");
  if (ranks && group)
    throw InputError(group->where, "`group-of` cannot stand beside `ranks`; remove one of them");
  return std::move(draft.links);
}

// The keys of entries_of().
template <class Keys>
std::vector<std::string> entry_paths(const Keys& keys) {
  std::vector<std::string> paths = key_paths(".", keys);
  for (std::string& path : key_paths("[].", keys)) paths.push_back(std::move(path));
  return paths;
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

std::vector<double> read_yaml_compute_slowdown(const YamlNode* stragglers, const YamlNode* jitter,
                                               const Topology& topology, RankBudget& budget) {
  const int npus = topology.npus();
  const auto slower = stragglers ? read_stragglers(*stragglers, npus, budget) : std::vector<Straggler>();
  const ComputeJitter spread = jitter ? read_jitter(*jitter) : ComputeJitter();
  if (slower.empty() && spread.spread == 0) return {};
  const YamlNode& node = slower.empty() ? *jitter : *stragglers;
  if (npus > most_npus)
    throw InputError(node.where, fmt::format("compute times can differ among at most {} NPUs, and the "
                                             "network has {}; make it smaller or remove this",
                                             most_npus, npus));
  budget.take(npus, node.where);
  return compute_slowdown(slower, spread, npus);
}

std::vector<SlowLinks> read_yaml_slow_links(const YamlNode& links, const Topology& topology,
                                            RankBudget& budget) {
  std::vector<SlowLinks> slow;
  for (const YamlNode& entry : entries_of(links)) {
    slow.push_back(read_links(entry, topology, budget));
    if (slow.back().slowdown == 1) slow.pop_back();
  }
  return slow;
}

std::vector<std::string> yaml_straggler_keys() {
  return entry_paths(straggler_keys);
}

std::vector<std::string> yaml_jitter_keys() {
  return key_paths(".", jitter_keys);
}

std::vector<std::string> yaml_slow_link_keys() {
  return entry_paths(links_keys);
}

}  // namespace orrery
