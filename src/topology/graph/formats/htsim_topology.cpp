// htsim's file of a fat tree. A line holds a key and a number; upper and lower case are the same, and `#`
// begins a comment:
//
//   Nodes 32                     hosts
//   Tiers 2                      or 3: leaves, spines and with three cores
//   Podsize 32                   hosts of a pod; with two tiers all
//   Tier 0                       what follows is of this tier of switches, the leaves
//   Downlink_speed_Gbps 100      of each link down
//   Radix_Down 8                 links down of a switch
//   Radix_Up 8                   links up; not of the last tier
//   Bundle 1                     links side by side to each node below
//   Oversubscribed 1             bandwidth down by bandwidth up; a check
//   Downlink_Latency_ns 1000
//   Switch_Latency_ns 0
//   Queue_Up 100, Queue_Down 100 in packets
//
// A graph has no latency of switches, so each link at a switch has half of it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text/text_lines.hpp"
#include "topology/graph/builders/switch_tree.hpp"
#include "topology/graph/formats/graph_formats.hpp"

namespace orrery::core {
namespace {

constexpr std::uint64_t largest_number = 1'000'000'000;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// Returns the key and the number of a line, without its comment.
std::vector<Token> words_of_line(const Token& line) {
  std::vector<Token> words;
  const std::string_view text = line.text.substr(0, line.text.find('#'));
  for (std::size_t at = text.find_first_not_of(" \t"); at < text.size();
       at = text.find_first_not_of(" \t", at)) {
    const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back({text.substr(at, end - at), line.line, line.column + static_cast<int>(at)});
    at = end;
  }
  return words;
}

class HtsimReader {
 public:
  HtsimReader(std::string_view text, const std::string& file, Warnings& warnings)
      : file_(file), warnings_(warnings) {
    for (const Token& line : lines_of(text)) read_line(words_of_line(line));
  }

  BuiltNetwork read() {
    const double hosts = number("nodes"), pod = tiers() == 2 ? hosts : number("podsize");
    SwitchTree tree;
    tree.host = HostsPart().host;
    double below = 1;  // hosts below a switch of the tier before
    for (int tier = 0; tier < tiers(); ++tier) {
      const double bundle = number_or("bundle", tier, 1);
      const double size = number("radix_down", tier) / bundle;
      const double all = tier == 0 ? size : tier == 1 ? pod : hosts;
      require(size == std::floor(size) && below * size == all, "radix_down", tier,
              fmt::format(
                  "a switch leads to {:g} nodes below, of {:g} hosts each, but {:g} hosts stand below it: "
                  "correct `Radix_Down`, `Bundle`, `Podsize` or `Nodes`",
                  size, below, all));
      const double above = tier == 0 ? 1 : number("radix_up", tier - 1) / bundle;
      require(above == std::floor(above), "radix_up", tier - 1,
              fmt::format("it is no multiple of the `Bundle` of the tier above, {:g}", bundle));
      check_oversubscription(tier);
      tree.levels.push_back({static_cast<int>(size), cable(tier, bundle), static_cast<int>(above)});
      below *= size;
    }
    require(below == hosts, "nodes", -1, fmt::format("the switches lead to {:g} hosts", below));
    GraphDraft draft({file_});
    draft.add_npus(hosts, false);
    add_switch_tree(draft, tree);
    std::vector<int> groups;
    for (const TreeLevel& level : tree.levels) groups.push_back(level.size);
    return {draft.finish(), groups};
  }

 private:
  struct Value {
    double number;
    SourceLocation where;
  };

  static constexpr std::array<std::string_view, 4> keys_of_all{"nodes", "tiers", "podsize", "tier"};
  static constexpr std::array<std::string_view, 9> keys_of_tier{
      "downlink_speed_gbps", "radix_up", "radix_down",        "queue_up",           "queue_down",
      "oversubscribed",      "bundle",   "switch_latency_ns", "downlink_latency_ns"};

  void read_line(const std::vector<Token>& words) {
    if (words.empty()) return;
    const std::string key = lower_case(words[0].text);
    const bool of_all = std::ranges::find(keys_of_all, key) != keys_of_all.end();
    if (!of_all && std::ranges::find(keys_of_tier, key) == keys_of_tier.end())
      throw InputError(where(words[0]),
                       fmt::format("unknown key {}: leave it out", backquoted(words[0].text)));
    if (!of_all && tier_ < 0)
      throw InputError(where(words[0]),
                       fmt::format("{} is a key of a tier: write a line such as `Tier 0` before it",
                                   backquoted(words[0].text)));
    if (words.size() != 2) throw InputError(where(words[0]), "a line is a key and a number: correct it");
    const std::uint64_t value = whole_number(words[1], file_, std::string(words[0].text), 0, largest_number);
    if (key == "tier") {
      tier_ = static_cast<int>(whole_number(words[1], file_, "Tier", 0, 2));
      return;
    }
    if (key.starts_with("queue_"))
      warnings_.add({file_}, "a network has no queues: `Queue_Up` and `Queue_Down` have no effect");
    if (!values_.try_emplace({of_all ? -1 : tier_, key}, Value{static_cast<double>(value), where(words[1])})
             .second)
      throw InputError(where(words[0]),
                       fmt::format("{} stands here a second time: leave it out", backquoted(words[0].text)));
  }

  SourceLocation where(const Token& token) const { return {file_, token.line, token.column}; }

  int tiers() const {
    const auto found = values_.find({-1, "tiers"});
    const double count = number("tiers");
    if (count != 2 && count != 3) throw InputError(found->second.where, "a fat tree has 2 or 3 tiers");
    return static_cast<int>(count);
  }

  double number_or(const std::string& key, int tier, double fallback) const {
    const auto found = values_.find({tier, key});
    return found == values_.end() ? fallback : found->second.number;
  }
  // Returns a number above 0.
  double number(const std::string& key, int tier = -1) const {
    const auto found = values_.find({tier, key});
    if (found == values_.end())
      throw InputError({file_}, tier < 0 ? fmt::format("the key `{}` is missing", key)
                                         : fmt::format("the key `{}` of tier {} is missing", key, tier));
    if (found->second.number == 0)
      throw InputError(found->second.where, fmt::format("`{}` has to be above 0", key));
    return found->second.number;
  }

  void require(bool holds, const std::string& key, int tier, const std::string& otherwise) const {
    if (!holds) throw InputError(values_.at({tier, key}).where, otherwise);
  }

  void check_oversubscription(int tier) const {
    if (!values_.contains({tier, "oversubscribed"}) || tier + 1 == tiers()) return;
    const double ratio = number("radix_down", tier) * number("downlink_speed_gbps", tier) /
                         (number("radix_up", tier) * number("downlink_speed_gbps", tier + 1));
    require(
        std::abs(number("oversubscribed", tier) - ratio) <= 1e-9 * ratio, "oversubscribed", tier,
        fmt::format("bandwidth down is {:g} times that up: correct it, `Radix_Up` or `Radix_Down`", ratio));
  }

  Cable cable(int tier, double bundle) const {
    constexpr double gbps_per_gb = 8;
    const double at_switches = number_or("switch_latency_ns", tier, 0) +
                               (tier == 0 ? 0 : number_or("switch_latency_ns", tier - 1, 0));
    Cable cable;
    cable.bandwidth = Bandwidth::from_gb_per_s(number("downlink_speed_gbps", tier) / gbps_per_gb);
    cable.latency = Time::from_ns_rounded(number_or("downlink_latency_ns", tier, 0) + at_switches / 2);
    cable.count = static_cast<int>(bundle);
    return cable;
  }

  const std::string& file_;
  Warnings& warnings_;
  int tier_ = -1;                                        // of the lines that follow
  std::map<std::pair<int, std::string>, Value> values_;  // by tier, -1 for the whole, and key
};

bool is_htsim_topology(std::string_view text) {
  bool first = true;
  for (const Token& line : lines_of(text)) {
    const std::vector<Token> words = words_of_line(line);
    if (words.empty()) continue;
    const std::string key = lower_case(words[0].text);
    if (first && key != "nodes" && key != "tiers" && key != "podsize") return false;
    if (key == "tiers" || key == "podsize" || key == "tier") return true;
    first = false;
  }
  return false;
}

}  // namespace

const GraphFormat htsim_topology_format{
    "htsim's file of a fat tree", is_htsim_topology,
    [](std::string_view text, const std::string& file, Warnings& warnings) {
      return HtsimReader(text, file, warnings).read();
    }};

}  // namespace orrery::core
