#include "topology/graph/measures/relayed_parts.hpp"

#include <algorithm>
#include <optional>

#include "topology/graph/relays/relay_search.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core {
namespace {

class PartSearch {
 public:
  PartSearch(const NetworkGraph& graph, std::uint64_t seed)
      : routes_(graph), search_(graph, Relaying::where_cut, seed) {}

  void change(const LinkChange& change) {
    routes_.set_broken(change.link, change.share == 0);
    search_.set_broken(change.link, change.share == 0);
  }

  // Finds the parts of messages in the present state of the links. A part may be cut off as well, and what is
  // left of a message was perhaps passed on in an earlier state.
  void look(const std::vector<NpuPair>& messages) {
    for (const NpuPair& message : messages) follow(message);
    for (const NpuPair& part : std::vector<NpuPair>(parts_.begin(), parts_.end())) follow(part);
  }

  std::set<NpuPair> take() { return std::move(parts_); }

 private:
  void follow(NpuPair first) {
    std::vector<NpuPair> pairs{first};
    while (!pairs.empty()) {
      const auto [from, to] = pairs.back();
      pairs.pop_back();
      if (routes_.hops(from, to) != Routes::unreachable) continue;
      const std::optional<NodeId> relay = search_.first(from, to);
      if (!relay) continue;  // the message stays cut off, which ends the run
      for (const NpuPair& part : {NpuPair(from, *relay), NpuPair(*relay, to)})
        if (parts_.insert(part).second) pairs.push_back(part);
    }
  }

  Routes routes_;
  RelaySearch search_;
  std::set<NpuPair> parts_;
};

}  // namespace

std::set<NpuPair> relayed_parts(const NetworkGraph& graph, const LinkChanges& changes, std::uint64_t seed,
                                std::vector<NpuPair> messages) {
  // The search remembers what it has found about the latest destinations.
  std::ranges::sort(messages, {}, [](const NpuPair& pair) { return NpuPair(pair.second, pair.first); });
  messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
  PartSearch search(graph, seed);
  search.look(messages);
  for (auto next = changes.list.begin(); next != changes.list.end();) {
    for (const Time at = next->at; next != changes.list.end() && next->at == at; ++next) search.change(*next);
    search.look(messages);
  }
  return search.take();
}

std::size_t times_of_changes(const LinkChanges& changes) {
  std::size_t times = 0;
  for (std::size_t i = 0; i < changes.list.size(); ++i)
    times += i == 0 || changes.list[i].at != changes.list[i - 1].at ? 1 : 0;
  return times;
}

}  // namespace orrery::core
