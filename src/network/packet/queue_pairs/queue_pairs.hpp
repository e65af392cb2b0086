// All queue pairs. It says which queue pair a message belongs to, and which route it takes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "network/packet/links/packet_links.hpp"
#include "network/packet/packet_message.hpp"
#include "network/packet/queue_pairs/queue_pair.hpp"
#include "network/packet/routes/packet_routes.hpp"

namespace orrery::core {

class QueuePairs {
 public:
  // Keeps references.
  QueuePairs(const NetworkGraph& graph, const PacketSettings& settings, PacketLinks& links,
             RouteTable& routes, std::unique_ptr<RouteSelector> choice);

  // References are valid until a message begins.
  QueuePair& operator[](std::uint32_t number) { return pairs_[number]; }
  const QueuePair& operator[](std::uint32_t number) const { return pairs_[number]; }
  const std::vector<QueuePair>& all() const { return pairs_; }

  // Returns the queue pair of a message, and whether it is a new one; none where RouteSelector chooses no
  // route.
  std::optional<std::pair<std::uint32_t, bool>> pair_of(const PacketMessage& message);
  // Frees the place of a queue pair for another one when nothing refers to it any more.
  void release(QueuePair& pair) {
    if (!pair.ended || pair.listed || pair.under_way > 0 || !pair.in_use) return;
    pair.in_use = false;
    free_.push_back(pair.sender.number);
  }

  // Says that a queue pair has so many bytes more, or fewer, to send.
  void add_load(const QueuePair& pair, double bytes);
  void set_share(LinkId link, double share) { choice_->set_share(link, share); }
  // Finds the routes of all queue pairs again. Calls moved(pair, port) for those that left by another port,
  // and cut(pair) for those that have no routes any more.
  template <class Moved, class Cut>
  void find_routes_again(const Moved& moved, const Cut& cut) {
    choice_->links_changed();
    for (QueuePair& pair : pairs_) {
      if (!pair.in_use || pair.ended) continue;
      const LinkId before = pair.port;
      const std::optional<PacketRoutes> routes =
          choice_->choose_again(pair.source, pair.destination, pair.channel, pair.flow);
      if (!routes) {
        cut(pair);
        continue;
      }
      take_routes(pair, *routes);
      if (pair.port != before) moved(pair, before);
    }
  }
  std::uint32_t stripes(int source, int destination, Channel channel) {
    return choice_->stripes(source, destination, channel);
  }
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) {
    return choice_->lead(channel, source, destination, std::move(through));
  }
  bool is_led(Channel channel, int source, int destination) const {
    return choice_->is_led(channel, source, destination);
  }

 private:
  std::optional<std::uint32_t> begin(const PacketMessage& message);
  std::uint64_t line_rate(const std::vector<LinkId>& route) const;  // bit/s
  void take_routes(QueuePair& pair, const PacketRoutes& routes);

  const NetworkGraph& graph_;
  const PacketSettings& settings_;
  PacketLinks& links_;
  RouteTable& routes_;
  std::unique_ptr<RouteSelector> choice_;
  std::vector<QueuePair> pairs_;
  std::vector<std::uint32_t> free_;
  std::map<std::tuple<int, int, std::uint32_t, std::uint32_t>, std::uint32_t> of_channel_;
};

}  // namespace orrery::core
