#include "report/traces/trace_inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/diagnostics/words.hpp"
#include "base/text/readable.hpp"
#include "report/table/table.hpp"
#include "report/traces/trace_words.hpp"
#include "workload/chakra/check/trace_doubts.hpp"

namespace orrery::core {

namespace {

using chakra::CollectiveTotal;
using chakra::CommType;
using chakra::MessageCheck;
using chakra::NodeType;
using chakra::TraceCheck;

constexpr std::size_t max_collectives = 10;  // lines
constexpr std::size_t max_faults = 9;        // lines
constexpr std::size_t max_doubts = 3;        // lines
constexpr std::size_t max_examples = 3;      // of a fault
constexpr std::size_t max_of_cycle = 8;      // nodes

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

struct Totals {
  std::size_t traces = 0;
  std::array<std::uint64_t, 8> nodes_of_type{};
  std::vector<CollectiveTotal> collectives;  // by type, then group
  std::uint64_t longest_path_us = 0, longest_path_nodes = 0;
  // The first of the traces with the longest path; null when all have the same.
  const InspectedTrace* longest_by_us = nullptr;
  const InspectedTrace* longest_by_nodes = nullptr;
};

// Finds the largest `value` of all traces, and the first trace that has it unless all do.
template <class Value>
std::pair<std::uint64_t, const InspectedTrace*> largest(const std::vector<InspectedSet>& sets, Value value) {
  const InspectedTrace* first = nullptr;
  bool all_equal = true;
  for (const InspectedSet& set : sets) {
    for (const InspectedTrace& trace : set.traces) {
      all_equal &= first == nullptr || value(trace) == value(*first);
      if (first == nullptr || value(trace) > value(*first)) first = &trace;
    }
  }
  return {first == nullptr ? 0 : value(*first), all_equal ? nullptr : first};
}

Totals totals_of(const std::vector<InspectedSet>& sets) {
  Totals totals;
  std::map<std::pair<CommType, std::string>, CollectiveTotal> collectives;
  for (const InspectedSet& set : sets) {
    totals.traces += set.traces.size();
    for (const auto& [file, rank, check] : set.traces) {
      for (std::size_t type = 0; type < check.nodes_of_type.size(); ++type)
        totals.nodes_of_type[type] += check.nodes_of_type[type];
      for (const CollectiveTotal& of_trace : check.collectives) {
        CollectiveTotal& total = collectives[{of_trace.type, of_trace.process_group}];
        total.nodes += of_trace.nodes;
        total.bytes = sum(total.bytes, of_trace.bytes);
      }
    }
  }
  for (auto& [key, total] : collectives)
    totals.collectives.push_back({key.first, key.second, total.nodes, total.bytes});
  std::tie(totals.longest_path_us, totals.longest_by_us) =
      largest(sets, [](const InspectedTrace& trace) { return trace.check.longest_path_us; });
  std::tie(totals.longest_path_nodes, totals.longest_by_nodes) =
      largest(sets, [](const InspectedTrace& trace) { return trace.check.longest_path_nodes; });
  return totals;
}

// "1 node", "2 nodes".
std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string where(const InspectedTrace* trace) {
  return trace == nullptr ? "" : " (" + trace->file + ")";
}

std::string nodes_line(const Totals& totals) {
  std::uint64_t all = 0;
  std::string types;
  for (const auto& [word, type] : node_type_words) {
    const std::uint64_t count = totals.nodes_of_type[static_cast<std::size_t>(type)];
    all += count;
    if (count > 0) types += fmt::format("{}{} {}", types.empty() ? ": " : ", ", count, word);
  }
  return fmt::format("{}, {}{}\n", counted(totals.traces, "trace"), counted(all, "node"), types);
}

constexpr Column<CollectiveTotal> collective_columns[] = {
    {"type", "", "Kind of the collective: `all-reduce`, `broadcast` and so on.",
     [](auto& row) { return word_of(comm_type_words, row.type); }, "collective"},
    {"process_group", "", "Name of the group. It is empty where all ranks take part.",
     [](auto& row) { return row.process_group; }},
    {"bytes", "bytes", "Sum of the sizes that the nodes state.", [](auto& row) { return row.bytes; },
     "bytes"},
    {"nodes", "", "Number of its nodes.", [](auto& row) { return row.nodes; }, "nodes"},
    {"", "", "",
     [](auto& row) { return row.process_group.empty() ? "all ranks" : backquoted(row.process_group); },
     "group"},
};
const Table<CollectiveTotal> trace_collective_table(collective_columns);

std::string collectives_table(std::vector<CollectiveTotal> collectives) {
  if (collectives.empty()) return {};
  std::ranges::stable_sort(collectives, std::ranges::greater(), &CollectiveTotal::bytes);
  const std::size_t shown = std::min(collectives.size(), max_collectives);
  std::string text = text_of(trace_collective_table, std::span(collectives).first(shown));
  if (shown < collectives.size())
    text += fmt::format("  and {} more, all with --json\n", collectives.size() - shown);
  return text;
}

// "2 cycles: a; b", with a few examples.
template <class List, class Describe>
std::string fault(std::string_view noun, const List& list, Describe describe) {
  std::string text = counted(list.size(), noun) + ": ";
  for (std::size_t i = 0; i < std::min(list.size(), max_examples); ++i)
    text += (i > 0 ? "; " : "") + describe(list[i]);
  if (list.size() > max_examples) text += "; ...";
  return text;
}

std::string cycle_text(const std::vector<std::uint64_t>& ids) {
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), max_of_cycle); ++i)
    text += fmt::format("{} waits for ", ids[i]);
  if (ids.size() > max_of_cycle) text += fmt::format("... ({} nodes) ", ids.size());
  return text + fmt::format("{}", ids.front());
}

std::string unmatched_text(const MessageCheck::Unmatched& unmatched) {
  const auto& [tag, source, destination, bytes] = unmatched.message;
  return fmt::format("{} with tag {} from rank {} to {} has {} and {}", counted(bytes, "byte"), tag,
                     source.value(), destination.value(), counted(unmatched.sends, "send"),
                     counted(unmatched.receives, "receive"));
}

// Collects errors and the files that have them; an error of several files is listed once.
class Faults {
 public:
  void add(const std::string& name, const std::string& what) {
    const auto [found, added] = by_text_.try_emplace(what, faults_.size());
    if (added)
      faults_.push_back({name, what, 0});
    else
      ++faults_[found->second].others;
  }
  bool empty() const { return faults_.empty(); }
  std::string text(std::size_t most) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(faults_.size(), most); ++i) {
      const auto& [name, what, others] = faults_[i];
      text += fmt::format("  {}{}: {}\n", name, others > 0 ? fmt::format(" and {} more", others) : "", what);
    }
    if (faults_.size() > most) text += fmt::format("  and {} more, all with --json\n", faults_.size() - most);
    return text;
  }

 private:
  struct Fault {
    std::string name, what;
    std::size_t others;
  };
  std::vector<Fault> faults_;
  std::map<std::string, std::size_t> by_text_;
};

void add_faults(const InspectedTrace& trace, Faults& faults) {
  const TraceCheck& check = trace.check;
  if (trace.holds_nothing()) faults.add(trace.file, "no nodes: there is nothing to run");
  if (!check.cycles.empty()) faults.add(trace.file, fault("cycle", check.cycles, cycle_text));
  if (!check.repeated_ids.empty()) {
    faults.add(trace.file, fault("duplicate id", check.repeated_ids,
                                 [](std::uint64_t id) { return fmt::format("{}", id); }));
  }
  if (!check.too_large.empty()) {
    faults.add(trace.file, fault("oversized node", check.too_large, [](std::uint64_t id) {
                 return fmt::format("node {} states more than 8 PiB", id);
               }));
  }
}

// What does not keep a trace from running.
void add_doubts(const InspectedTrace& trace, Faults& doubts) {
  for (const std::string& text : {chakra::missing_parents_text(trace.check.missing_parents),
                                  chakra::lost_order_text(trace.check.order, advice_of_flags.order),
                                  chakra::without_time_text(trace.check.compute, advice_of_flags.roofline)})
    if (!text.empty()) doubts.add(trace.file, text);
}

void add_message_faults(const InspectedSet& set, Faults& faults) {
  if (!set.unmatched.empty()) faults.add(set.name, fault("unmatched message", set.unmatched, unmatched_text));
  std::map<RankId, std::vector<std::uint64_t>> incomplete;
  for (const auto& [rank, node] : set.incomplete) incomplete[rank].push_back(node);
  for (const auto& [rank, nodes] : incomplete) {
    const auto trace = std::ranges::find(set.traces, rank, &InspectedTrace::rank);
    faults.add(trace == set.traces.end() ? set.name : trace->file,
               fault("incomplete message", nodes, [](std::uint64_t id) {
                 return fmt::format("node {} lacks its tag, size or other rank", id);
               }));
  }
}

nlohmann::ordered_json nodes_json(const std::array<std::uint64_t, 8>& nodes_of_type) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [word, type] : node_type_words) {
    const std::uint64_t count = nodes_of_type[static_cast<std::size_t>(type)];
    if (count > 0) json[std::string(word)] = count;
  }
  return json;
}

nlohmann::ordered_json collectives_json(const std::vector<CollectiveTotal>& collectives) {
  return json_of<nlohmann::ordered_json>(trace_collective_table, collectives);
}

nlohmann::ordered_json trace_to_json(const InspectedTrace& trace) {
  const TraceCheck& check = trace.check;
  auto dangling = nlohmann::ordered_json::array();
  for (const auto& [node, parent] : check.missing_parents)
    dangling.push_back({{"node", node}, {"parent", parent}});
  return {{"file", trace.file},
          {"rank", trace.rank.value()},
          {"nodes", nodes_json(check.nodes_of_type)},
          {"collectives", collectives_json(check.collectives)},
          {"longest_path_us", check.longest_path_us},
          {"longest_path_nodes", check.longest_path_nodes},
          {"dangling_parents", std::move(dangling)},
          {"device_nodes", check.order.nodes},
          {"device_nodes_without_successor", check.order.without_successor},
          {"collectives_without_predecessor", check.order.collectives_without_predecessor},
          {"order_is_lost", check.order.is_lost()},
          {"cycles", check.cycles},
          {"duplicate_ids", check.repeated_ids},
          {"oversized_nodes", check.too_large},
          {"compute_nodes_without_time", check.compute.without_time}};
}

nlohmann::ordered_json set_to_json(const InspectedSet& set) {
  auto traces = nlohmann::ordered_json::array(), unmatched = traces, incomplete = traces;
  for (const InspectedTrace& trace : set.traces) traces.push_back(trace_to_json(trace));
  for (const auto& [message, sends, receives] : set.unmatched) {
    unmatched.push_back({{"tag", message.tag},
                         {"source", message.source.value()},
                         {"destination", message.destination.value()},
                         {"bytes", message.bytes},
                         {"sends", sends},
                         {"receives", receives}});
  }
  for (const auto& [rank, node] : set.incomplete)
    incomplete.push_back({{"rank", rank.value()}, {"node", node}});
  return {{"name", set.name},
          {"all_ranks", set.all_ranks},
          {"traces", std::move(traces)},
          {"unmatched_messages", std::move(unmatched)},
          {"incomplete_messages", std::move(incomplete)},
          {"messages_not_judged", set.not_judged}};
}

}  // namespace

void InspectedSet::judge(const MessageCheck& messages, bool for_replay_only) {
  replay_only = for_replay_only;
  if (replay_only) {
    for (const InspectedTrace& trace : traces) {
      const auto& nodes = trace.check.nodes_of_type;
      not_judged = sum(not_judged, sum(nodes[static_cast<std::size_t>(NodeType::send)],
                                       nodes[static_cast<std::size_t>(NodeType::receive)]));
    }
    return;
  }
  std::set<RankId> ranks;
  for (const InspectedTrace& trace : traces) ranks.insert(trace.rank);
  incomplete = messages.incomplete();
  for (const MessageCheck::Unmatched& message : messages.unmatched()) {
    if (all_ranks || (ranks.contains(message.message.source) && ranks.contains(message.message.destination)))
      unmatched.push_back(message);
    else
      not_judged = sum(not_judged, sum(message.sends, message.receives));
  }
}

bool InspectedSet::ok() const {
  return unmatched.empty() && incomplete.empty() && std::ranges::all_of(traces, &InspectedTrace::ok);
}

bool ok(const std::vector<InspectedSet>& sets) {
  return std::ranges::all_of(sets, &InspectedSet::ok);
}

namespace {

bool only_messages_are_wrong(const std::vector<InspectedSet>& sets) {
  const auto traces_are_ok = [](const InspectedSet& set) {
    return std::ranges::all_of(set.traces, &InspectedTrace::ok);
  };
  return !ok(sets) && std::ranges::all_of(sets, traces_are_ok);
}

}  // namespace

std::string inspection_text(const std::vector<InspectedSet>& sets) {
  const Totals totals = totals_of(sets);
  std::string text = nodes_line(totals) + collectives_table(totals.collectives);
  text += fmt::format("longest path: {}{}, {}{}\n",
                      readable_seconds(static_cast<double>(totals.longest_path_us) * 1e-6),
                      where(totals.longest_by_us), counted(totals.longest_path_nodes, "node"),
                      where(totals.longest_by_nodes));
  std::uint64_t not_judged = 0;
  Faults faults, doubts;
  for (const InspectedSet& set : sets) {
    for (const InspectedTrace& trace : set.traces) {
      add_faults(trace, faults);
      add_doubts(trace, doubts);
    }
    add_message_faults(set, faults);
    not_judged = sum(not_judged, set.not_judged);
  }
  if (not_judged > 0) {
    text += fmt::format("not judged: {} {}\n", counted(not_judged, "message"),
                        std::ranges::any_of(sets, &InspectedSet::replay_only)
                            ? "that a run under replay-only does not send"
                            : "with ranks whose traces were not named");
  }
  if (!doubts.empty()) text += "doubtful:\n" + doubts.text(max_doubts);
  text += !faults.empty()  ? "wrong:\n" + faults.text(max_faults)
          : doubts.empty() ? "nothing is wrong\n"
                           : "nothing else is wrong\n";
  if (only_messages_are_wrong(sets))
    text += "under replay-only, messages need no partner: inspect --replay-only\n";
  return text;
}

nlohmann::ordered_json inspection_to_json(const std::vector<InspectedSet>& sets) {
  const Totals totals = totals_of(sets);
  auto all = nlohmann::ordered_json::array();
  for (const InspectedSet& set : sets) all.push_back(set_to_json(set));
  return {{"ok", ok(sets)},
          {"nodes", nodes_json(totals.nodes_of_type)},
          {"collectives", collectives_json(totals.collectives)},
          {"longest_path_us", totals.longest_path_us},
          {"longest_path_nodes", totals.longest_path_nodes},
          {"sets", std::move(all)}};
}

std::string inspection_json(const std::vector<InspectedSet>& sets) {
  return inspection_to_json(sets).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace orrery::core
