// Says what NCCL's protocols add to the bytes that a collective on channels sends, and which algorithm and
// protocol NCCL's tuner takes (docs/models/channels.md, "Protocols").
//
// The tuner counts for each algorithm and protocol
//
//   base + steps inside machines * latency + steps between them * latency + bytes / bandwidth
//
// and takes the quickest. Its latencies, and the shares of the links' bandwidth that protocols reach, are
// those of NCCL's src/graph/tuning.cc, in which they are constants. Bytes go over the network, which knows
// what else is on its links; what they take there is not part of a cost.
#pragma once

#include <array>
#include <vector>

#include "base/text/quantity.hpp"
#include "base/units/time.hpp"
#include "collective/library/transfer_demand.hpp"
#include "topology/channels/group_channels.hpp"

namespace orrery::core {

struct ChannelCost {
  LibraryAlgorithm algorithm = LibraryAlgorithm::ring;
  Protocol protocol = Protocol::simple;
  double latency_us = 0;  // launch included
  double bytes_us = 0;    // on links that nothing else uses
  double added_us = 0;    // what the protocol adds to the links' time for the bytes
  double threads_us = 0;  // what the GPUs' threads need for the bytes, while the links carry them

  double us() const { return latency_us + bytes_us; }
};

class ChannelCosts {
 public:
  // `group` has at least two members, and needs to live only until here.
  explicit ChannelCosts(const GroupChannels& group);

  // Returns the quickest of these algorithms for an all-reduce.
  ChannelCost all_reduce(double bytes, const std::vector<LibraryAlgorithm>& algorithms) const;
  // Returns the cost of a ring in which `bytes` pass each hop while data goes round `rounds` times.
  ChannelCost ring(double bytes, int rounds) const;
  // Returns the cost of members that send to each other at once, each of them `bytes`.
  ChannelCost pairs(double bytes) const;

 private:
  struct Steps {
    double inside = 0, between = 0;
  };

  bool can_run(Protocol protocol) const;
  ChannelCost quickest(LibraryAlgorithm algorithm, const Steps& steps, double bytes) const;
  ChannelCost in_switches(LibraryAlgorithm algorithm, double bytes) const;
  ChannelCost of_all_reduce(LibraryAlgorithm algorithm, double bytes) const;
  double launch_us(Protocol protocol) const;
  static double share(LibraryAlgorithm algorithm, Protocol protocol);
  double threads_us(Protocol protocol, double bytes) const;
  ChannelCost cost(LibraryAlgorithm algorithm, Protocol protocol, double latency_us, double bytes,
                   double share) const;

  GpuGeneration generation_ = GpuGeneration::before_ampere;
  bool nvlinks_ = true;  // inside all machines
  double members_ = 0, machines_ = 1, per_machine_ = 1;
  double channels_ = 1;
  double bytes_per_us_ = 1;  // of all channels together, as NCCL counts
};

}  // namespace orrery::core
