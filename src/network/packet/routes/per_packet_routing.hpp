// Nodes at which every packet chooses its link, where a routing lets packets do so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "network/packet/links/packet_links.hpp"
#include "network/packet/routes/packet_routes.hpp"

namespace orrery::core {

class PerPacketRouting {
 public:
  // Keeps references.
  PerPacketRouting(const PacketRouting& routing, const PacketSettings& settings, std::uint64_t seed,
                   PacketLinks& links)
      : choose_(routing.choose),
        remembers_flows_(routing.remembers_flows),
        labels_(routing.labels),
        seed_(seed),
        interval_ps_(settings.choice_interval_ps.value_or(usual_interval)),
        grade_(std::max<std::uint64_t>(1, settings.choice_grade)),
        links_(links) {}

  // Returns the branch that a packet takes now.
  const RouteTable::Branch& choose(std::uint32_t number, const RouteTable& routes, const Packet& packet);

 private:
  static constexpr Stamp usual_interval = 10'000'000;

  struct Memory {
    std::size_t link = 0;
    Stamp last = 0, since = 0;  // times at which a packet left, and from which the flow takes the link
  };

  std::uint64_t hash(std::uint32_t number, const Packet& packet) const;
  // Notes which branches can be chosen: those that are not broken, or all of them if each is broken.
  void find_open(const std::vector<RouteTable::Branch>& branches);

  std::size_t (*choose_)(const PacketJunction& point);
  bool remembers_flows_, labels_;
  std::uint64_t seed_;
  Stamp interval_ps_;
  std::uint64_t grade_;  // bytes by which queues are told apart
  PacketLinks& links_;
  std::vector<std::uint64_t> turns_;                    // packets that have left, by fork
  std::unordered_map<std::uint64_t, Memory> of_flows_;  // by fork and queue pair
  std::vector<const RouteTable::Branch*> open_;         // branches of the choice that is being made
  std::vector<std::uint64_t> waiting_;                  // grades of their queues
};

}  // namespace orrery::core
