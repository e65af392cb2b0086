// All queue pairs. It says which queue pair a message belongs to, and which way it takes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "network/packet/links/packet_links.hpp"
#include "network/packet/packet_message.hpp"
#include "network/packet/queue_pairs/queue_pair.hpp"
#include "network/packet/ways/packet_ways.hpp"

namespace orrery {

class QueuePairs {
 public:
  // Keeps references.
  QueuePairs(const NetworkGraph& graph, const PacketSettings& settings, PacketLinks& links, StoredWays& ways,
             std::unique_ptr<WayChoice> choice);

  // References are valid until a message begins.
  QueuePair& operator[](std::uint32_t number) { return pairs_[number]; }
  const QueuePair& operator[](std::uint32_t number) const { return pairs_[number]; }
  const std::vector<QueuePair>& all() const { return pairs_; }

  // Returns the queue pair of a message, and whether it is a new one; none where WayChoice chooses no way.
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
  // Finds the ways of all queue pairs again. Calls moved(pair, port) for those that left by another port, and
  // cut(pair) for those that have no ways any more.
  template <class Moved, class Cut>
  void find_ways_again(const Moved& moved, const Cut& cut) {
    choice_->links_changed();
    for (QueuePair& pair : pairs_) {
      if (!pair.in_use || pair.ended) continue;
      const LinkId before = pair.port;
      const std::optional<PacketWays> ways =
          choice_->choose_again(pair.source, pair.destination, pair.channel, pair.flow);
      if (!ways) {
        cut(pair);
        continue;
      }
      take_ways(pair, *ways);
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
  std::uint64_t line_rate(const std::vector<LinkId>& way) const;  // bit/s
  void take_ways(QueuePair& pair, const PacketWays& ways);

  const NetworkGraph& graph_;
  const PacketSettings& settings_;
  PacketLinks& links_;
  StoredWays& ways_;
  std::unique_ptr<WayChoice> choice_;
  std::vector<QueuePair> pairs_;
  std::vector<std::uint32_t> free_;
  std::map<std::tuple<int, int, std::uint32_t, std::uint32_t>, std::uint32_t> of_channel_;
};

}  // namespace orrery
