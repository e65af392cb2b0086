#include "simulate/trace/trace_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "collective/streams/stream_plan.hpp"
#include "events/event_loop.hpp"
#include "simulate/trace/comm_groups.hpp"
#include "simulate/trace/node_request.hpp"
#include "simulate/trace/rooted_collectives.hpp"
#include "workload/chakra/trace_check.hpp"

namespace orrery {

namespace {

using chakra::NodeType;

class FaultFinder {
 public:
  FaultFinder(const std::vector<RankTrace>& traces, const TraceMachine& machine, Warnings& warnings)
      : traces_(traces),
        machine_(machine),
        warnings_(warnings),
        requests_(machine, traces),
        rooted_(machine, requests_) {}

  std::vector<std::string> find() {
    note([&] { planner_.emplace(machine_.streams, machine_.topology); });
    note([&] {
      EventLoop loop{Clock(Clock::Mode::picoseconds)};
      machine_.network->make(
          {.topology = machine_.topology, .dialect = machine_.dialect, .packets = machine_.packets}, loop);
    });
    for (std::uint32_t rank = 0; rank < traces_.size(); ++rank) check_rank(rank);
    // With a faulty node, these checks would report no more than its consequences.
    if (!machine_.replay_only && faults_.empty()) {
      check_messages();
      if (!any_custom()) check_members();
    }
    return std::move(faults_);
  }

 private:
  template <class Check>
  void note(const Check& check) {
    try {
      check();
    } catch (const InputError& error) {
      add(error);
    }
  }
  void add(const InputError& error) {
    if (known_.insert(error.what()).second) faults_.emplace_back(error.what());
  }

  void check_rank(std::uint32_t rank) {
    const chakra::TraceGraph& graph = *traces_[rank].graph;
    CommGroups groups(machine_, traces_, requests_, rank);
    const std::set<std::string> defined = groups_defined_by(rank);
    not_counted_.insert(defined.begin(), defined.end());
    for (std::uint32_t number = 0; number < graph.nodes.size(); ++number)
      note([&] { check_node(rank, number, groups, defined); });
  }

  std::set<std::string> groups_defined_by(std::uint32_t rank) const {
    std::set<std::string> names;
    if (!traces_[rank].process_groups) return names;
    for (const auto& [node, groups] : *traces_[rank].process_groups)
      for (const ProcessGroup& group : groups) names.insert(std::to_string(group.id));
    return names;
  }

  void check_node(std::uint32_t rank, std::uint32_t number, CommGroups& groups,
                  const std::set<std::string>& defined) {
    const NodeType type = requests_.node(rank, number).type;
    if (machine_.replay_only) {
      requests_.stated_time(rank, number);
      return;
    }
    switch (type) {
      case NodeType::compute:
        if (!requests_.is_under_roofline(rank, number))
          requests_.stated_time(rank, number);
        else if (requests_.has_bytes(rank, number))
          requests_.roofline_time(rank, number);
        break;
      case NodeType::memory_load:
      case NodeType::memory_store:
        requests_.memory_bytes(rank, number);
        break;
      case NodeType::send:
      case NodeType::receive:
        requests_.message(rank, number);
        break;
      case NodeType::collective:
        check_collective(rank, number, groups, defined);
        break;
      case NodeType::metadata:
        groups.define(number);
        break;
      case NodeType::invalid:
        break;
    }
  }

  // Which of the groups that a trace defines a name stands for shows only when it runs.
  void check_collective(std::uint32_t rank, std::uint32_t number, CommGroups& groups,
                        const std::set<std::string>& defined) {
    if (requests_.takes_stated_time(rank, number)) {
      requests_.stated_time(rank, number);
      return;
    }
    StreamRequest request = requests_.collective(rank, number);
    const std::string& name = requests_.group_name(rank, number);
    if (defined.contains(name)) return;
    request.group = groups.of_node(number);
    std::uint64_t& count = collectives_[request.group == nullptr ? all_ranks : name][rank];
    if (!is_symmetric(request.kind)) rooted_.complete(rank, number, request, count);
    ++count;
    if (request.group == nullptr && !spans_machine(request)) not_counted_.insert(all_ranks);
    if (!planner_) return;
    try {
      planner_->plan(rank, request);
    } catch (const CollectiveError& error) {
      requests_.reject(rank, number, error.what());
    }
  }

  // Returns whether all ranks meet. If dimensions are left out, fewer do.
  bool spans_machine(const StreamRequest& request) const {
    const auto& algorithms = machine_.streams.algorithms_of(request.kind);
    const bool symmetric = is_symmetric(request.kind);
    if (symmetric && !algorithms.empty() && algorithms.back().whole_machine) return true;
    const std::size_t dimensions = machine_.topology.dimensions.size();
    for (std::size_t d = 0; d < dimensions; ++d)
      if ((request.dimensions >> d & 1) == 0) return false;
    return !symmetric || algorithms.size() == dimensions;
  }

  bool any_custom() const {
    return !machine_.custom_of_node.empty() ||
           std::ranges::any_of(machine_.custom, [](const auto& custom) { return custom != nullptr; });
  }

  void check_messages() {
    chakra::MessageCheck messages;
    for (std::uint32_t rank = 0; rank < traces_.size(); ++rank)
      messages.add(rank, traces_[rank].graph->nodes);
    for (const auto& [message, sends, receives] : messages.unmatched()) {
      const auto& [tag, source, destination, bytes] = message;
      const SourceLocation where{traces_[receives > sends ? destination : source].file};
      const std::string text =
          fmt::format("messages of {} bytes with tag {} from rank {} to rank {}: sends {}, receives {}",
                      bytes, tag, source, destination, sends, receives);
      if (receives > sends || machine_.streams.rendezvous)
        add(InputError(where, text + "; give each its partner"));
      else
        warnings_.add(where, text);
    }
  }

  void check_members() {
    for (const auto& [name, by_rank] : collectives_) {
      if (not_counted_.contains(name)) continue;
      const std::uint64_t most =
          std::ranges::max_element(by_rank, {}, [](const auto& one) { return one.second; })->second;
      const auto check = [&, &name = name, &by_rank = by_rank](std::uint32_t rank) {
        const auto found = by_rank.find(rank);
        const std::uint64_t here = found == by_rank.end() ? 0 : found->second;
        if (here == most) return;
        add(InputError(
            {traces_[rank].file},
            fmt::format("collectives of {} that rank {} starts: {}, that another member starts: {}; "
                        "all have to start the same ones",
                        name.empty() ? "all ranks" : "group " + name, rank, here, most)));
      };
      if (name.empty()) {
        for (std::uint32_t rank = 0; rank < traces_.size(); ++rank) check(rank);
        continue;
      }
      for (const int member : machine_.groups.at(std::stoi(name))) check(static_cast<std::uint32_t>(member));
    }
  }

  static constexpr const char* all_ranks = "";

  const std::vector<RankTrace>& traces_;
  const TraceMachine& machine_;
  Warnings& warnings_;
  NodeRequests requests_;
  RootedCollectives rooted_;
  std::optional<StreamPlanner> planner_;
  std::map<std::string, std::map<std::uint32_t, std::uint64_t>> collectives_;  // by group, then rank
  std::set<std::string> not_counted_;  // groups whose collectives are not those of all their members
  std::vector<std::string> faults_;
  std::unordered_set<std::string> known_;
};

}  // namespace

std::vector<std::string> faults_of(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                                   Warnings& warnings) {
  return FaultFinder(traces, machine, warnings).find();
}

}  // namespace orrery
