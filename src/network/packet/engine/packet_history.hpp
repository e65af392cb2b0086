// Keeps what links and switches of a network of packets did in each interval of a run. It looks at their
// counters when an interval ends.
#pragma once

#include <vector>

#include "network/interval_series.hpp"
#include "network/link_history.hpp"
#include "network/packet/engine/packet_network.hpp"
#include "network/packet/links/packet_log.hpp"

namespace orrery::core {

class PacketHistory final : public PacketLog {
 public:
  explicit PacketHistory(const NetworkGraph& graph);

  Stamp next_look() const override { return interval() * static_cast<Stamp>(ended_ + 1); }
  void look(PacketNetwork& network) override;

  // Returns what was kept, together with what has happened since the last look.
  LinkHistory history(const PacketNetwork& network) const;

 private:
  struct Seen {  // counters of a port at the last look
    std::uint64_t bytes = 0, drops = 0, marks = 0;
  };

  Stamp interval() const;
  // Returns what happened at a port since the last look.
  PacketInterval since_look(const PacketPort& port, const Seen& seen, Stamp now) const;
  std::vector<LinkSeries> links(const PacketNetwork& network, std::size_t intervals) const;
  std::vector<SwitchSeries> switches(const PacketNetwork& network, std::size_t intervals) const;

  IntervalSeries<PacketInterval> links_;
  IntervalSeries<HeldInInterval> switches_;  // by node
  std::vector<Seen> seen_;                   // by port
  std::size_t ended_ = 0;                    // number of intervals that have ended
};

}  // namespace orrery::core
