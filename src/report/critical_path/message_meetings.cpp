#include "report/critical_path/message_meetings.hpp"

#include <algorithm>
#include <utility>

#include "network/graph/graph_routes.hpp"
#include "network/link/link_map.hpp"
#include "network/network_models.hpp"
#include "simulate/collectives/message_costs.hpp"
#include "topology/graph/relays/relaying.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t max_counted_hops = 4'000'000;  // of all messages, which take some 100 MB

std::uint64_t key_of(RankId rank, ExecutionGraph::Id send) {
  return std::uint64_t{rank.value()} << 32 | send;
}

class RoutesOfMessages {
 public:
  explicit RoutesOfMessages(const Machine& machine) {
    if (machine.topology.graph)
      graph_.emplace(machine.topology);
    else
      map_.emplace(machine.topology, machine.dialect.one_link_per_message);
  }

  // Returns the links on the way of a message; none where no way leads there.
  std::vector<std::uint64_t> links(int source, int destination, Channel channel) {
    std::vector<std::uint64_t> links;
    if (map_) {
      HopCursor cursor = map_->cursor(source, destination);
      do links.push_back(map_->next_link(cursor));
      while (map_->advance(cursor));
    } else if (const auto route = graph_->find(source, destination, channel)) {
      for (const Route::Part& part : (*graph_)[*route].route.parts) links.push_back(part.link.value());
    }
    return links;
  }

 private:
  std::optional<LinkMap> map_;
  std::optional<GraphRoutes> graph_;
};

// Returns the largest number of intervals that there are at once.
std::size_t max_at_once(const std::vector<Interval>& intervals) {
  std::vector<std::pair<Time, int>> changes;  // of one instant, ends come first
  for (const Interval& interval : intervals) {
    changes.emplace_back(interval.start, 1);
    changes.emplace_back(interval.end, -1);
  }
  std::ranges::sort(changes);
  int now = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

}  // namespace

MessageMeetings::MessageMeetings(const Program& program, const Machine& machine, const Recording& recording)
    : program_(program), machine_(machine), times_(program, recording), known_(know_routes()) {}

// Messages of the model `packet` choose among ways by themselves.
bool MessageMeetings::know_routes() const {
  const Topology& topology = machine_.topology;
  if (machine_.library || topology.flits || machine_.network.model == &packet_model) return false;
  if (topology.graph)
    return machine_.network.model->carries_collectives && topology.npus() <= max_npus_with_routes &&
           !topology.link_changes && !(topology.routing && topology.routing->by_message) &&
           relaying_of(topology) == Relaying::never;
  return machine_.network.model->carries_collectives || !machine_.dialect.overloads_links;
}

void MessageMeetings::find_messages() {
  RoutesOfMessages routes(machine_);
  std::size_t hops = 0;
  for (const ProgramPart& part : program_.parts)
    for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
      if (part.graph.kind(id) != OperationKind::send || part.graph.is_timed(id)) continue;
      const MessageEnd& end = part.graph.message(id);
      for (const RankId rank : part.ranks) {
        const auto number = static_cast<std::uint32_t>(routes_.size());
        routes_.push_back(routes.links(npu_of(rank), npu_of(times_.counterpart(rank, end.peer)),
                                       {.number = end.connection}));
        under_way_.push_back(times_.at(rank, id));
        number_of_.emplace(key_of(rank, id), number);
        for (const std::uint64_t link : routes_.back()) on_link_[link].push_back(number);
        hops += routes_.back().size();
        known_ = hops <= max_counted_hops;
        if (!known_) return;
      }
    }
}

std::optional<std::size_t> MessageMeetings::others(RankId rank, ExecutionGraph::Id send) {
  if (known_ && !std::exchange(has_looked_, true)) find_messages();
  const auto found = number_of_.find(key_of(rank, send));
  if (!known_ || found == number_of_.end()) return std::nullopt;
  const Interval own = under_way_[found->second];
  std::size_t most = 0;
  for (const std::uint64_t link : routes_[found->second]) {
    std::vector<Interval> beside;
    for (const std::uint32_t number : on_link_.at(link)) {
      const Interval& other = under_way_[number];
      if (number != found->second && other.start < own.end && other.end > own.start)
        beside.push_back({std::max(other.start, own.start), std::min(other.end, own.end)});
    }
    most = std::max(most, max_at_once(beside));
  }
  return most;
}

}  // namespace orrery::core
